"""What a piece of web research is made of: its plan, its stored sources, and the claims that stand on them."""
