"""What is kept on disk: run folders, the hash-chained record, SQLite files."""
