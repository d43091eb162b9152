"""An index in a schema of PostgreSQL: its tables and transactions."""

import contextlib
import re
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soprag.tools.errors import StorageError, UsageError
from soprag.tools.observe.statements import statement_span
from soprag.tools.retriever.index.storage import SCHEMA, WAIT, PostingRow, ResultRows, insert
from soprag.tools.store.postgres_pool import PoolPlan, PostgresPool
from soprag.tools.store.postgres_url import read_url

if TYPE_CHECKING:
    from psycopg import Connection

_PARTS = 4  # rows that an id of `posting` may have before they are merged
_STREAMED = 100  # rows of a whole table that are sent together
_POSTED = 100_000  # rows of `posting` after which a command merges them before its end
_COMPACT = """
    WITH many AS (
        SELECT id FROM posting WHERE id IN (SELECT id FROM posting WHERE rowid > ?) GROUP BY id HAVING count(*) > ?
    ), parts AS (DELETE FROM posting WHERE id IN (SELECT id FROM many) RETURNING *)
    INSERT INTO posting (id, records, counts)
    SELECT id, string_agg(records, '' ORDER BY rowid), string_agg(counts, '' ORDER BY rowid) FROM parts GROUP BY id"""
_NOTE = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


class PostgresRows:
    """A connection with what PostgreSQL says in its own way."""

    def __init__(self, connection: "Connection[Any]", posted: Callable[[int], None] = lambda count: None) -> None:
        self._connection, self._posted = connection, posted

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> ResultRows:
        """As `Rows.execute`."""
        with statement_span(sql):
            return self._connection.execute(_placed(sql), [_storable(value) for value in values], binary=True)

    def stream(self, sql: str) -> Iterator[Any]:
        """As `Rows.stream`; `execute` would hold the whole table in memory.

        Rows one by one would each wait for their turn on the processor; an old libpq sends no others.
        """
        from psycopg import capabilities

        some = _STREAMED if capabilities.has_stream_chunked() else 1
        with statement_span(sql):
            yield from self._connection.cursor().stream(_placed(sql), binary=True, size=some)

    def add(self, table: str, row: Mapping[str, object]) -> int:
        """As `Rows.add`."""
        sql = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))}) RETURNING number"
        return int(self.execute(sql, tuple(row.values())).fetchone()[0])

    def among(self, column: str, values: Iterable[int] | Iterable[str]) -> tuple[str, list[int] | list[str]]:
        """As `Rows.among`."""
        return f"{column} = ANY(?)", list(values)  # type: ignore[return-value]

    def post(self, rows: Sequence[PostingRow]) -> None:
        """As `Rows.post`; only appends, since an update of a row would leave a dead one behind."""
        insert(self, "posting", rows)
        self._posted(len(rows))

    def go_on_counting(self) -> None:
        """As `Rows.go_on_counting`."""
        self.execute("SELECT setval(pg_get_serial_sequence('sop', 'number'), max(number)) FROM sop")

    def note(self, key: str, value: str) -> None:
        """Write a value of the `meta` table."""
        self.execute(_NOTE, (key, value))

    def copy(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Add rows in bulk."""
        with self._connection.cursor().copy(f"COPY {table} FROM STDIN") as target:
            for row in rows:
                target.write_row(row)


class PostgresStore:
    """A pool of connections to one schema; a transaction belongs to its thread, which keeps a connection for it.

    Writers take one advisory lock each and so commit one after the other: whoever follows the change log by its
    position misses nothing.
    """

    def __init__(self, url: str, *, create: bool, connections: int) -> None:
        self._url = read_url(url)
        self._pool = PostgresPool(self._url, PoolPlan("index", connections, WAIT, whole=True))
        self._local = threading.local()
        self._posted = 0
        self._prepare(create)

    @property
    def name(self) -> str:
        """The URL without the password."""
        return self._url.name

    @property
    def folder(self) -> Path:
        """A folder of the user account, one per index."""
        import platformdirs

        return platformdirs.user_data_path("soprag") / "indexes" / re.sub(r"\W+", "-", self.name)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[PostgresRows]:
        """A write transaction: commits on success, rolls back on an exception; other writers wait."""
        with self.locked("write") as db:
            yield db
            if self._posted > _POSTED:
                self._compact(db)

    @contextlib.contextmanager
    def locked(self, purpose: str) -> Iterator[PostgresRows]:
        """A transaction that waits for those with the same purpose only."""
        with self._held() as connection, connection.transaction():
            db = PostgresRows(connection, self._count)
            self._lock(db, f"{self._url.schema} {purpose}")
            yield db

    @contextlib.contextmanager
    def reading(self) -> Iterator[PostgresRows]:
        """A read transaction: all queries inside see the same snapshot."""
        with self._held() as connection:
            db = PostgresRows(connection)
            if _within(connection):
                yield db
                return
            db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                yield db
            finally:
                db.execute("COMMIT")

    @contextlib.contextmanager
    def autocommit(self) -> Iterator[PostgresRows]:
        """For a single query, which needs no transaction to see one snapshot."""
        with self._held() as connection:
            yield PostgresRows(connection)

    def meta(self, key: str) -> str:
        """A value of the `meta` table; empty when it is not set."""
        with self.autocommit() as db:
            return _meta(db, key)

    def check(self) -> list[str]:
        """Nothing: the server keeps rows from pointing to nothing, and checks its own pages."""
        return []

    def settle(self) -> None:
        """Merge postings; a commit is on disk when it returns."""
        with self.locked("write") as db:
            self._compact(db)

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    def _compact(self, db: PostgresRows) -> None:
        """Merge the rows of ids that have many, of those that were written to since the last time."""
        db.execute(_COMPACT, (int(_meta(db, "compacted") or 0), _PARTS))
        db.note("compacted", str(db.execute("SELECT coalesce(max(rowid), 0) FROM posting").fetchone()[0]))
        self._posted = 0

    def _count(self, rows: int) -> None:
        self._posted += rows

    @contextlib.contextmanager
    def _held(self) -> "Iterator[Connection[Any]]":
        """The connection that this thread has already, or one of the pool."""
        held: Connection[Any] | None = getattr(self._local, "connection", None)
        if held is not None:
            yield held
            return
        with self._pool.connection() as connection:
            self._local.connection = connection
            try:
                yield connection
            finally:
                self._local.connection = None

    def _prepare(self, create: bool) -> None:
        if self._version() is None:
            if not create:
                raise UsageError(
                    f"There is no index in {self.name!r}; make one with `soprag index add`, or name another."
                )
            self._create()
        if self._version() != str(SCHEMA):
            raise StorageError(
                f"The schema {self._url.schema!r} of {self.name!r} holds version {self._version() or 'unknown'} of the "
                f"tables and this program reads {SCHEMA}; name another with `?schema=NAME` and add the SOPs to it."
            )

    def _version(self) -> str | None:
        """The version of the tables; None without tables, empty when they are others."""
        with self.autocommit() as db:
            tables = db.execute("SELECT tablename FROM pg_tables WHERE schemaname = ?", (self._url.schema,)).fetchall()
            if not tables:
                return None
            return _meta(db, "schema") if {("meta",), ("sop",), ("posting",)} <= set(tables) else ""

    def _create(self) -> None:
        """Make the schema, the extension and the tables, unless another process was faster."""
        tables = files(__package__).joinpath("tables_postgres.sql").read_text("utf-8")
        with self.transaction() as db, self._held() as connection:
            self._lock(db, "soprag extension")
            if not db.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
                self._extend(db)
            if not db.execute("SELECT to_regnamespace(?)", (self._url.schema,)).fetchone()[0]:
                db.execute(f"CREATE SCHEMA {self._url.schema}")
            if self._version() is None:
                connection.execute(tables)
                db.note("name", uuid.uuid4().hex)
                db.note("schema", str(SCHEMA))

    def _extend(self, db: PostgresRows) -> None:
        import psycopg

        try:
            db.execute("CREATE EXTENSION vector SCHEMA public")
        except psycopg.Error as error:
            advice = "install pgvector on the server; a superuser enables it with CREATE EXTENSION vector"
            raise self._pool.failure(error, advice) from None

    def _lock(self, db: PostgresRows, name: str) -> None:
        db.execute("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", (name,))


def _within(connection: "Connection[Any]") -> bool:
    from psycopg.pq import TransactionStatus

    return connection.info.transaction_status != TransactionStatus.IDLE


def _meta(db: PostgresRows, key: str) -> str:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


@lru_cache(1024)
def _placed(sql: str) -> str:
    """A statement with the placeholders of psycopg."""
    return sql.replace("%", "%%").replace("?", "%s")


def _storable(value: object) -> object:
    """A value as PostgreSQL can hold it: its text has no zero character."""
    if isinstance(value, str):
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return [_storable(one) for one in value] if isinstance(value, list) else value
