"""The index: one SQLite file, its derived vectors, and how SOPs get in."""
