"""The launcher of the full-Python sandbox on Linux: a program that locks itself in before it runs another."""
