"""Every number and name an operator may change."""
