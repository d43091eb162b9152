"""Markdown as blocks with their lines."""
