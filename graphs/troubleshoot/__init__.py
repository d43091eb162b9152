"""The troubleshooter (PEOA) as a state machine."""
