"""DeepSearch (paper 001) as a state machine."""
