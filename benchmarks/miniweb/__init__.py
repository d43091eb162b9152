"""A small web on the loopback interface: many host names on one port, documents with known truth, and traps."""
