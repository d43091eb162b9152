"""How well each part works: measured on files, never assumed."""
