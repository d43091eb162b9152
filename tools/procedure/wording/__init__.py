"""What single sentences say: acts, conditions, jumps and stops, as words and patterns; knows nothing of blocks."""
