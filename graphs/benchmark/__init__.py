"""The benchmark builder as a state machine."""
