"""Where an index may be: a folder, which gets an SQLite file, or a `postgresql://` URL."""

from collections.abc import Callable
from pathlib import Path

from soprag.configs.settings import IndexSettings
from soprag.tools.errors import StorageError, UsageError
from soprag.tools.retriever.index.anchors import Anchor
from soprag.tools.retriever.index.sqlite_store import FILE, SqliteStore
from soprag.tools.retriever.index.storage import Near, Store
from soprag.tools.store.postgres_url import is_url, read_url


def open_store(place: str | Path, *, create: bool, connections: int = 1) -> Store:
    """The database at a place, with its tables, which are made if need be and `create` holds.

    A server gets `connections` at most, a file one per thread. Raises `UsageError` when there is no index and
    `create` is false, `StorageError` when it cannot be used.
    """
    if is_url(place):
        from soprag.tools.retriever.index.postgres_store import PostgresStore

        return PostgresStore(str(place), create=create, connections=connections)
    folder = Path(place)
    if not (folder / FILE).is_file() and not create:
        raise UsageError(f"There is no index in {str(folder)!r}; make one with `soprag index add`, or name another.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"Cannot make the folder {str(folder)!r}: {error.strerror}.") from error
    return SqliteStore(folder / FILE)


def open_near(store: Store, settings: IndexSettings) -> Callable[[Anchor], Near]:
    """How the approximate index of an anchor is opened: Chroma beside SQLite, pgvector in PostgreSQL."""

    def near(anchor: Anchor) -> Near:
        from soprag.tools.retriever.index.chroma import Chroma, Place

        if isinstance(store, SqliteStore):
            return Chroma(store, Place(store.folder / "chroma", settings.chroma_url, anchor))
        from soprag.tools.retriever.index.pgvector import PgVector
        from soprag.tools.retriever.index.postgres_store import PostgresStore

        assert isinstance(store, PostgresStore)
        return PgVector(store, anchor)

    return near


def lasting_name(place: str) -> str:
    """The name of a place that holds from any folder: an absolute path, or the URL without its password."""
    return read_url(place).name if is_url(place) else str(Path(place).absolute())
