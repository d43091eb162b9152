"""SQL statements as spans: a connection of SQLite that times each statement."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from soprag.tools.observe.spans import is_listened_to, span

_SHOWN = 200  # characters of a statement


def connection_class() -> type[sqlite3.Connection]:
    """The class for `sqlite3.connect(factory=...)`: SQLite's own when nobody listens."""
    return _TimedConnection if is_listened_to() else sqlite3.Connection


class _TimedConnection(sqlite3.Connection):
    """Each statement is a span, until its first row; values are not shown."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401 - as SQLite takes them
        with span("SQL", statement=sql[:_SHOWN]):
            return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        with span("SQL", statement=sql[:_SHOWN]):
            return super().executemany(sql, parameters)
