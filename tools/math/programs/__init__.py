"""Programs of ours that work inside the sandbox on text that a model wrote; read as files, never imported."""
