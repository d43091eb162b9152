"""What the index asks of its database: transactions, statements in common SQL, and nearest neighbours.

Two drivers know the database: `sqlite_store.py` with `tables_sqlite.sql`, and `postgres_store.py` with
`tables_postgres.sql`. The tables have the same names and columns in both:

    meta      name, embedding model and dimension       history   what was added, updated and removed, and when
    sop       the SOPs; `total` counts them             change    the same as a log that derived indexes follow
    gist      the mean of the passages of each SOP      posting   full text: term or pair → SOPs, over title and body
    element   the rest of an SOP, each in one blob: its scored texts by kind and line, their vectors, its words
              (`content.py`) and the token vectors of its passages (`tokens.py`)

Every version of an SOP gets a new `number`, so data cached by number never goes stale. Statements use `?` for values
and only SQL that both know; the rest is a method of `Rows`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from soprag.tools.embedding import Vectors

SCHEMA = 8
WAIT = 60.0  # seconds for another process to finish its transaction
_VALUES = 999  # in one statement; older SQLite takes no more

PostingRow = tuple[int, bytes, bytes]  # id, records, counts; see `postings.py`


class ResultRows(Protocol):
    """The rows of one statement."""

    def fetchone(self) -> Any:  # noqa: ANN401 - a row has the types of its columns
        """The next row; None when there is none."""

    def fetchall(self) -> list[Any]:
        """All rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Rows(Protocol):
    """The statements of one transaction."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> ResultRows:
        """Send one statement."""

    def stream(self, sql: str) -> Iterable[Any]:
        """The rows of a query over a whole table; no other statement may be sent before the last of them."""

    def add(self, table: str, row: Mapping[str, object]) -> int:
        """Insert one row of a table whose key `number` is given by the database; returns that number."""

    def among(self, column: str, values: Iterable[int] | Iterable[str]) -> tuple[str, object]:
        """The condition that `column` is one of the values, and the one value to send with it."""

    def post(self, rows: Sequence[PostingRow]) -> None:
        """Append postings to those that are there under the same ids."""

    def go_on_counting(self) -> None:
        """Continue after the highest number of `sop`, once rows were added with numbers of their own."""


class Store(Protocol):
    """A database with the tables of one index; used from any thread, a transaction belongs to its thread."""

    @property
    def name(self) -> str:
        """Where the index is, for messages; holds no password."""

    @property
    def folder(self) -> Path:
        """The folder of this machine for files that belong to the index."""

    def transaction(self) -> AbstractContextManager[Rows]:
        """A write transaction: commits on success, rolls back on an exception; other writers wait."""

    def reading(self) -> AbstractContextManager[Rows]:
        """A read transaction: all statements inside see the same snapshot."""

    def autocommit(self) -> AbstractContextManager[Rows]:
        """For a single query, which needs no transaction to see one snapshot."""

    def meta(self, key: str) -> str:
        """A value of the `meta` table; empty when it is not set."""

    def check(self) -> list[str]:
        """What the database itself finds wrong, as sentences."""

    def settle(self) -> None:
        """Tidy up after a command that wrote; when it returns, commits survive a power failure."""

    def close(self) -> None:
        """Close all connections; they are opened again when needed."""


class Near(Protocol):
    """An approximate index of the vectors of one anchor, derived from the store by following its change log."""

    def attach(self, db: Rows) -> int:
        """Make it ready for searches; returns the position in the change log up to which it is current."""

    def sync(self) -> None:
        """Bring it up to date; no transaction may be open."""

    def differences(self, db: Rows) -> tuple[set[int], set[int]]:
        """Numbers of SOPs with missing vectors, and of SOPs with surplus vectors."""

    def search(self, db: Rows, vector: Vectors, k: int) -> dict[int, float]:
        """SOP number → cosine of its best vector, for the nearest SOPs."""

    def close(self) -> None:
        """Close its files or connections."""


def insert(db: Rows, table: str, rows: Sequence[Sequence[object]], tail: str = "") -> None:
    """Insert rows of equal length with few statements; `tail` says what happens to those that are there already."""
    if not rows:
        return
    row = f"({', '.join('?' * len(rows[0]))})"
    most = _VALUES // len(rows[0])
    for start in range(0, len(rows), most):
        some = rows[start : start + most]
        values = ", ".join([row] * len(some))
        db.execute(f"INSERT INTO {table} VALUES {values} {tail}", list(chain.from_iterable(some)))
