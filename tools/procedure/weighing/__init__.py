"""Trained second opinions: where steps begin, which sections stand beside each other, which ways are in doubt."""
