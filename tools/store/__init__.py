"""What is kept: run folders, the hash-chained record, SQLite files, the sessions of servers in PostgreSQL."""
