"""Whether a document is a procedure at all."""
