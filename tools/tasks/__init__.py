"""Every task a model is asked, with its input and its answer: one module per pipeline."""
