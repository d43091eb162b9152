"""The command line and the composition root."""
