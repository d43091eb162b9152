"""Ranges as words state them: their forms, their limits, and which of them only compare or choose."""
