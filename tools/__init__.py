"""The tools: each does one thing and returns a value; control flow is in the graphs."""
