"""The SQL statements that some work on an index sends, in either database: what a network between them would cost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any
from unittest.mock import patch

from soprag.tools.retriever.index.sqlite_store import SqliteStore
from soprag.tools.retriever.index.storage import Store


@contextmanager
def noted_statements(store: Store) -> Iterator[list[str]]:
    """A list that fills with the statements of this thread (SQLite) or this process (PostgreSQL), transactions too.

    A statement of a trigger repeats the one that set it off, and stands once. An empty one tries a connection.
    """
    sent: list[str] = []
    if isinstance(store, SqliteStore):
        every: list[str] = []
        store.here.set_trace_callback(every.append)
        try:
            yield sent
        finally:
            store.here.set_trace_callback(None)
            sent += [statement for statement, _ in groupby(every)]
        return
    import psycopg

    with (
        _noting(psycopg.Cursor, "execute", sent, lambda query: [str(query)]),
        _noting(psycopg.Cursor, "stream", sent, lambda query: [str(query)]),
        _noting(psycopg.Cursor, "copy", sent, lambda query: [str(query)]),
        _noting(psycopg.Transaction, "__enter__", sent, lambda: ["BEGIN", "COMMIT"]),
    ):
        yield sent


def _noting(kind: type, method: str, sent: list[str], name: Callable[..., list[str]]) -> Any:  # noqa: ANN401 - a patch
    plain = getattr(kind, method)

    def noted(self: object, *values: Any, **options: Any) -> Any:  # noqa: ANN401 - as the driver takes them
        sent.extend(name(*values[:1]))
        return plain(self, *values, **options)

    return patch.object(kind, method, noted)
