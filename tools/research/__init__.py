"""The parts of a research run: plan, stored sources, and claims that cite them."""
