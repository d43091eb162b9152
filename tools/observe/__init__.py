"""What happens inside, for those who operate the system: spans with one trace id, metrics, JSON logs."""
