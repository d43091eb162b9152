"""How a person or another program starts it: command line and the one composition root."""
