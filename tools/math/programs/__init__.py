"""Programs that run inside the sandbox on model-written equations; loaded as files, never imported."""
