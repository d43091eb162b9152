"""Plain functions on text that every other folder may use."""
