"""SQL statements as spans: a connection of SQLite that times each statement."""

import sqlite3
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from soprag.tools.observe.spans import TraceSpan, is_listened_to, span

_SHOWN = 200  # characters of a statement


def connection_class() -> type[sqlite3.Connection]:
    """The class for `sqlite3.connect(factory=...)`: SQLite's own when nobody listens."""
    return TracedConnection if is_listened_to() else sqlite3.Connection


def statement_span(sql: str) -> AbstractContextManager[TraceSpan]:
    """The span of one statement; values are not shown."""
    return span("SQL", statement=sql[:_SHOWN])


class TracedConnection(sqlite3.Connection):
    """Each statement is a span, until its first row."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401 - as SQLite takes them
        """As SQLite's own."""
        with statement_span(sql):
            return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """As SQLite's own."""
        with statement_span(sql):
            return super().executemany(sql, parameters)
