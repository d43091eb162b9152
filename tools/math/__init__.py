"""Calculating with units: quantities, the tools of the math expert, and the engineering laws it knows."""
