"""Journal of one collection in SQLite: searches, pages, judgements and amounts used; nothing in it is requested again.

A killed run starts from its first step and reads from the journal what it had done: searches answered, pages fetched,
pages judged. Only requests under way at that moment are repeated. A body is written to its own file before its page
counts as fetched.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar, cast

from pydantic import BaseModel, ValidationError

from soprag.tools.errors import StorageError
from soprag.tools.search.engine import ResultPage, SearchQuery
from soprag.tools.sop import digest
from soprag.tools.store.run_folder import write_whole
from soprag.tools.web.budget import RESOURCES, Amounts, BudgetLimits, Resource, RunBudget
from soprag.tools.web.outcome import Fetched

Value = TypeVar("Value", bound=BaseModel)

_TABLES = """
CREATE TABLE IF NOT EXISTS spent(resource TEXT PRIMARY KEY, amount REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS robots(origin TEXT PRIMARY KEY, text TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS query(
    query TEXT PRIMARY KEY, state TEXT NOT NULL, answer TEXT, asked REAL NOT NULL, credits INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hit(
    query TEXT NOT NULL, rank INTEGER NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, engine TEXT NOT NULL,
    PRIMARY KEY(query, rank)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS page(
    key TEXT PRIMARY KEY, url TEXT NOT NULL, state TEXT NOT NULL, kind TEXT, requested INTEGER NOT NULL DEFAULT 0,
    at REAL NOT NULL, sha256 TEXT, fetched TEXT, judged TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS document(sha256 TEXT PRIMARY KEY, key TEXT NOT NULL, found TEXT NOT NULL) WITHOUT ROWID;
"""


@dataclass
class Journal:
    """The journal of one collection; `folder` holds the bodies; raises `StorageError` when the disk fails."""

    connection: sqlite3.Connection
    folder: Path

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Commits all statements of the block, or none."""
        with _storage_errors(self.folder):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def budget(self, limits: BudgetLimits) -> RunBudget:
        """The budget of the run, less the amounts used before; every change is stored at once."""
        rows = self.connection.execute("SELECT resource, amount FROM spent").fetchall()
        spent = cast(Amounts, {name: amount for name, amount in rows if name in RESOURCES})
        return RunBudget(limits, spent, self._record)

    def _record(self, resource: Resource, total: float) -> None:
        self._write("INSERT OR REPLACE INTO spent VALUES(?, ?)", (resource, total))

    def robots(self, origin: str, youngest: float) -> str | None:
        """The stored robots.txt of `origin`; None when there is none fetched since `youngest` (Unix seconds)."""
        row = self._row("SELECT text FROM robots WHERE origin = ? AND at >= ?", (origin, youngest))
        return row[0] if row else None

    def keep_robots(self, origin: str, text: str, fetched_at: float) -> None:
        """Store the robots.txt of `origin`, fetched at `fetched_at` (Unix seconds)."""
        self._write("INSERT OR REPLACE INTO robots VALUES(?, ?, ?)", (origin, text, fetched_at))

    def answer(self, query: SearchQuery) -> ResultPage | None:
        """The stored answer of a search engine; None when there is none."""
        row = self._row("SELECT answer FROM query WHERE query = ? AND state = 'answered'", (query.model_dump_json(),))
        return _parse(ResultPage, row[0]) if row else None

    def take_query(self, query: SearchQuery, budget: RunBudget) -> None:
        """Store that `query` is about to be sent and reserve its credit, unless an interrupted run has."""
        text = query.model_dump_json()
        if self._row("SELECT 1 FROM query WHERE query = ? AND credits > 0", (text,)):
            return budget.check()
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO query VALUES(?, 'asked', NULL, ?, 1)", (text, time.time()))
            budget.take(credits=1)
        return None

    def keep_answer(self, query: SearchQuery, page: ResultPage, budget: RunBudget) -> None:
        """Store the answer; a credit it did not cost is returned to the budget."""
        text = query.model_dump_json()
        with self._transaction() as connection:
            connection.execute(
                "UPDATE query SET state = 'answered', answer = ?, credits = ? WHERE query = ?",
                (page.model_dump_json(), page.credits, text),
            )
            hits = [(text, hit.rank, hit.url, hit.title, hit.engine) for hit in page.hits]
            connection.executemany("INSERT OR REPLACE INTO hit VALUES(?, ?, ?, ?, ?)", hits)
            budget.give_back(credits=1 - page.credits)

    def drop_query(self, query: SearchQuery, budget: RunBudget) -> None:
        """Delete a query that got no answer, and return its credit to the budget."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM query WHERE query = ?", (query.model_dump_json(),))
            budget.give_back(credits=1)

    def see(self, key: str, url: str) -> None:
        """Store a URL that may be fetched."""
        self._write(
            "INSERT OR IGNORE INTO page(key, url, state, at) VALUES(?, ?, 'waiting', ?)", (key, url, time.time())
        )

    def take(self, key: str) -> bool:
        """Claim the page `key` for fetching; false when it was fetched before."""
        return self._write(
            "UPDATE page SET state = 'taken', requested = requested + 1, at = ? "
            "WHERE key = ? AND state IN ('waiting', 'taken')",
            (time.time(), key),
        )

    def release(self, key: str) -> None:
        """Return a claimed page that was not requested."""
        self._write("UPDATE page SET state = 'waiting' WHERE key = ? AND state = 'taken'", (key,))

    def fetched(self, key: str) -> Fetched | None:
        """The stored result of fetching the page `key`, with its body; None when it was not fetched."""
        row = self._row("SELECT fetched, sha256 FROM page WHERE key = ? AND fetched IS NOT NULL", (key,))
        if not row:
            return None
        data = self.body(row[1]) if row[1] else b""
        return _parse(Fetched, row[0]).model_copy(update={"data": data})

    def when(self, key: str) -> str:
        """The time at which the page `key` was fetched, as ISO 8601 in UTC."""
        row = self._row("SELECT at FROM page WHERE key = ?", (key,))
        return datetime.fromtimestamp(float(row[0]) if row else 0.0, UTC).isoformat(timespec="seconds")

    def keep_fetched(self, key: str, page: Fetched) -> None:
        """Store the result of fetching the page `key`, its body first."""
        sha256 = digest(page.data) if page.kind == "ok" else None
        if sha256:
            write_whole(self._file(sha256), page.data)
        self._write(
            "UPDATE page SET state = 'fetched', kind = ?, sha256 = ?, fetched = ?, at = ? WHERE key = ?",
            (page.kind, sha256, page.model_copy(update={"data": b""}).model_dump_json(), time.time(), key),
        )

    def judged(self, key: str, kind: type[Value]) -> Value | None:
        """The stored judgement of the page `key`; None when there is none."""
        row = self._row("SELECT judged FROM page WHERE key = ? AND judged IS NOT NULL", (key,))
        return _parse(kind, row[0]) if row else None

    def keep_judged(self, key: str, judged: BaseModel, keep_body: bool) -> None:
        """Store the judgement of the page `key`; without `keep_body` a body that no other page has is deleted."""
        self._write("UPDATE page SET state = 'judged', judged = ? WHERE key = ?", (judged.model_dump_json(), key))
        row = self._row("SELECT sha256 FROM page WHERE key = ?", (key,))
        if row and row[0] and not keep_body:
            others = "SELECT 1 FROM page WHERE sha256 = ? AND key != ?"
            if not self._row(others, (row[0], key)):
                self._file(row[0]).unlink(missing_ok=True)

    def keep_document(self, sha256: str, key: str, provenance: BaseModel) -> None:
        """Store that the page `key` is a collected document."""
        self._write("INSERT OR REPLACE INTO document VALUES(?, ?, ?)", (sha256, key, provenance.model_dump_json()))

    def body(self, sha256: str) -> bytes:
        """The body with this SHA-256; empty when it was deleted."""
        try:
            return self._file(sha256).read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise StorageError(f"Cannot read {str(self._file(sha256))!r}: {error.strerror}.") from error

    def kinds(self) -> dict[str, int]:
        """The number of fetched pages by outcome."""
        rows = self.connection.execute(
            "SELECT kind, count(*) FROM page WHERE kind IS NOT NULL GROUP BY kind ORDER BY kind"
        )
        return dict(rows.fetchall())

    def _file(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / sha256

    def _row(self, sql: str, values: tuple[object, ...]) -> tuple[str, ...] | None:
        with _storage_errors(self.folder):
            return cast("tuple[str, ...] | None", self.connection.execute(sql, values).fetchone())

    def _write(self, sql: str, values: tuple[object, ...]) -> bool:
        with _storage_errors(self.folder):
            return self.connection.execute(sql, values).rowcount > 0


@contextlib.contextmanager
def open_journal(folder: Path) -> Iterator[Journal]:
    """The journal of the collection in `folder`, created when missing; raises `StorageError`."""
    with _storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(folder / "journal.sqlite", timeout=30.0, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_TABLES)
    try:
        yield Journal(connection, folder)
    finally:
        connection.close()


def _parse(kind: type[Value], text: str) -> Value:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise StorageError("The journal of the collection was written by another version; start a new run.") from error


@contextlib.contextmanager
def _storage_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StorageError(
            f"The journal in {str(folder)!r}: {error}; free the disk and go on with --resume."
        ) from error
