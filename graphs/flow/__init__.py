"""The guided run as a state machine."""
