"""Measurements that take too long for a test; each script says how it is run."""
