"""SOPRAG."""
