"""What runs inside the sandbox: plain Python that imports nothing of this project."""
