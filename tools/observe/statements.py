"""SQL statements as spans: a connection of SQLite that times each statement."""

import sqlite3
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from soprag.tools.observe.spans import TraceSpan, is_listened_to, span

Plain = TypeVar("Plain", bound=sqlite3.Connection)

_SHOWN = 200  # characters of a statement


def connection_class(plain: type[Plain]) -> type[Plain]:
    """The class for `sqlite3.connect(factory=...)`: a traced one of this kind, or itself when nobody listens."""
    if not is_listened_to():
        return plain
    traced: type[Plain] = type(f"Traced{plain.__name__}", (TracedConnection, plain), {})
    return traced


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
