"""What can be done: each tool does one thing and returns a value; none decides what happens next."""
