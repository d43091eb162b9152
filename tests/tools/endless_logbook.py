"""A process that writes a record without end: `python -m tests.tools.endless_logbook FILE | URL THREAD`."""

import sys
from pathlib import Path

from soprag.tools.store.logbook import Logbook
from soprag.tools.store.postgres_record import PostgresRecord
from soprag.tools.store.session_database import SessionDatabase

if __name__ == "__main__":
    place, *thread = sys.argv[1:]
    book = Logbook(PostgresRecord(SessionDatabase.of(place), thread[0]) if thread else Path(place))
    while True:
        sys.stdout.write(f"{book.append('x', text='y' * 5000).number}\n")
        sys.stdout.flush()
