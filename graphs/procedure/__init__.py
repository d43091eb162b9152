"""One SOP compiled to a state machine of its own."""
