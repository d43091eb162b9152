"""Compares flows that were read with flows that a person annotated, in the gold form of `soprag flow export`."""
