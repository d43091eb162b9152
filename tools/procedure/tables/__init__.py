"""Tables as steps, cases, checks or limits."""
