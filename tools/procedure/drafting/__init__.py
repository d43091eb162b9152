"""What a reading collects: the draft, the tree of its control flow, and what jumps and references may name."""
