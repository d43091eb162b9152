"""What a collection has asked, received and spent: one SQLite file. What stands in it is never asked for again.

A run that was killed starts again from its first step and finds here, step by step, what it had done: a search that was
answered, a page that was fetched, a page that was judged. Only what was under way at that moment is done once more. A
body is kept in a file of its own before its page counts as fetched.
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

from tools.errors import StorageError
from tools.runs import write_whole
from tools.search.engine import Page, Query
from tools.sop import digest
from tools.web.budget import RESOURCES, Amounts, Budget, Limits, Resource
from tools.web.outcome import Fetched

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
    """The record of one collection; `folder` holds the bodies."""

    connection: sqlite3.Connection
    folder: Path

    @contextlib.contextmanager
    def _together(self) -> Iterator[sqlite3.Connection]:
        """All of it is written, or nothing."""
        with _told(self.folder):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def budget(self, limits: Limits) -> Budget:
        """The budget of the run, less what was spent before; every change is written down at once."""
        rows = self.connection.execute("SELECT resource, amount FROM spent").fetchall()
        spent = cast(Amounts, {name: amount for name, amount in rows if name in RESOURCES})
        return Budget(limits, spent, self._record)

    def _record(self, resource: Resource, total: float) -> None:
        self._write("INSERT OR REPLACE INTO spent VALUES(?, ?)", (resource, total))

    def robots(self, origin: str, youngest: float) -> str | None:
        """The robots.txt kept for `origin`, unless it is older than `youngest`."""
        row = self._row("SELECT text FROM robots WHERE origin = ? AND at >= ?", (origin, youngest))
        return row[0] if row else None

    def keep_robots(self, origin: str, text: str, now: float) -> None:
        """Keep a robots.txt."""
        self._write("INSERT OR REPLACE INTO robots VALUES(?, ?, ?)", (origin, text, now))

    def answer(self, query: Query) -> Page | None:
        """What a search engine had answered."""
        row = self._row("SELECT answer FROM query WHERE query = ? AND state = 'answered'", (query.model_dump_json(),))
        return _parse(Page, row[0]) if row else None

    def take_query(self, query: Query, budget: Budget) -> None:
        """Say that it is about to be asked, and pay for it; whoever was killed while asking has paid already."""
        asked = query.model_dump_json()
        if self._row("SELECT 1 FROM query WHERE query = ? AND credits > 0", (asked,)):
            return budget.check()
        with self._together() as connection:
            connection.execute("INSERT OR REPLACE INTO query VALUES(?, 'asked', NULL, ?, 1)", (asked, time.time()))
            budget.take(credits=1)
        return None

    def keep_answer(self, query: Query, page: Page, budget: Budget) -> None:
        """Keep the answer; what it did not cost is given back."""
        asked = query.model_dump_json()
        with self._together() as connection:
            connection.execute(
                "UPDATE query SET state = 'answered', answer = ?, credits = ? WHERE query = ?",
                (page.model_dump_json(), page.credits, asked),
            )
            hits = [(asked, hit.rank, hit.url, hit.title, hit.engine) for hit in page.hits]
            connection.executemany("INSERT OR REPLACE INTO hit VALUES(?, ?, ?, ?, ?)", hits)
            budget.give_back(credits=1 - page.credits)

    def drop_query(self, query: Query, budget: Budget) -> None:
        """It got no answer and cost nothing."""
        with self._together() as connection:
            connection.execute("DELETE FROM query WHERE query = ?", (query.model_dump_json(),))
            budget.give_back(credits=1)

    def see(self, key: str, url: str) -> None:
        """An address was found; it waits."""
        self._write(
            "INSERT OR IGNORE INTO page(key, url, state, at) VALUES(?, ?, 'waiting', ?)", (key, url, time.time())
        )

    def take(self, key: str) -> bool:
        """Claim it for fetching; no when it was fetched already."""
        return self._write(
            "UPDATE page SET state = 'taken', requested = requested + 1, at = ? "
            "WHERE key = ? AND state IN ('waiting', 'taken')",
            (time.time(), key),
        )

    def release(self, key: str) -> None:
        """It was not asked for after all."""
        self._write("UPDATE page SET state = 'waiting' WHERE key = ? AND state = 'taken'", (key,))

    def fetched(self, key: str) -> Fetched | None:
        """What had come of fetching it."""
        row = self._row("SELECT fetched, sha256 FROM page WHERE key = ? AND fetched IS NOT NULL", (key,))
        if not row:
            return None
        data = self.body(row[1]) if row[1] else b""
        return _parse(Fetched, row[0]).model_copy(update={"data": data})

    def when(self, key: str) -> str:
        """When it was fetched, as ISO 8601."""
        row = self._row("SELECT at FROM page WHERE key = ?", (key,))
        return datetime.fromtimestamp(float(row[0]) if row else 0.0, UTC).isoformat(timespec="seconds")

    def keep_fetched(self, key: str, page: Fetched) -> None:
        """Keep what came of it: the body first."""
        sha256 = digest(page.data) if page.kind == "ok" else None
        if sha256:
            write_whole(self._file(sha256), page.data)
        self._write(
            "UPDATE page SET state = 'fetched', kind = ?, sha256 = ?, fetched = ?, at = ? WHERE key = ?",
            (page.kind, sha256, page.model_copy(update={"data": b""}).model_dump_json(), time.time(), key),
        )

    def judged(self, key: str, kind: type[Value]) -> Value | None:
        """What had been made of it."""
        row = self._row("SELECT judged FROM page WHERE key = ? AND judged IS NOT NULL", (key,))
        return _parse(kind, row[0]) if row else None

    def keep_judged(self, key: str, judged: BaseModel, keep_body: bool) -> None:
        """Keep what was made of it; the body goes when nobody wants it."""
        self._write("UPDATE page SET state = 'judged', judged = ? WHERE key = ?", (judged.model_dump_json(), key))
        row = self._row("SELECT sha256 FROM page WHERE key = ?", (key,))
        if row and row[0] and not keep_body:
            others = "SELECT 1 FROM page WHERE sha256 = ? AND key != ?"
            if not self._row(others, (row[0], key)):
                self._file(row[0]).unlink(missing_ok=True)

    def keep_document(self, sha256: str, key: str, found: BaseModel) -> None:
        """It belongs to what was collected."""
        self._write("INSERT OR REPLACE INTO document VALUES(?, ?, ?)", (sha256, key, found.model_dump_json()))

    def body(self, sha256: str) -> bytes:
        """The bytes of a page."""
        try:
            return self._file(sha256).read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as fault:
            raise StorageError(f"Cannot read {str(self._file(sha256))!r}: {fault.strerror}.") from fault

    def kinds(self) -> dict[str, int]:
        """How many pages ended in which way."""
        rows = self.connection.execute(
            "SELECT kind, count(*) FROM page WHERE kind IS NOT NULL GROUP BY kind ORDER BY kind"
        )
        return dict(rows.fetchall())

    def _file(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / sha256

    def _row(self, sql: str, values: tuple[object, ...]) -> tuple[str, ...] | None:
        with _told(self.folder):
            return cast("tuple[str, ...] | None", self.connection.execute(sql, values).fetchone())

    def _write(self, sql: str, values: tuple[object, ...]) -> bool:
        with _told(self.folder):
            return self.connection.execute(sql, values).rowcount > 0


@contextlib.contextmanager
def open_journal(folder: Path) -> Iterator[Journal]:
    """The journal of the collection in `folder`, made when it is not there."""
    with _told(folder):
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
    except ValidationError as damaged:
        raise StorageError(
            "The journal of the collection was written by another version; start a new run."
        ) from damaged


@contextlib.contextmanager
def _told(folder: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as fault:
        raise StorageError(
            f"The journal in {str(folder)!r}: {fault}; free the disk and go on with --resume."
        ) from fault
