"""The polite and guarded fetcher: bytes of public pages, and nothing else."""
