"""Measurements of the quality and speed of each part, on files."""
