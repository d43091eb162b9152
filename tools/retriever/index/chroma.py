"""Chroma as the approximate index of an index in SQLite; derived from it, repaired when attached.

`chroma-<anchor>.json` records the collection id, its number of vectors, and the position in the change log up to which
it is in sync. When the record does not match the collection, both sides are compared and the difference is applied.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np
from filelock import FileLock, Timeout

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.anchors import BATCH, Anchor, Scores, best_of, count_anchors, depth, read_anchors
from soprag.tools.retriever.index.change_log import news
from soprag.tools.retriever.index.storage import Rows, Store
from soprag.tools.store.run_folder import write_whole

_Row = TypeVar("_Row")

# ef: size of the candidate list on insertion and on search. With these values recall@20 on 6,000 vectors is 99.9 %;
# with half as many candidates and fewer neighbours 98 %.
_GRAPH: Any = {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 400, "max_neighbors": 24}}

_PATIENCE = 30.0  # seconds for an answer of a server


@dataclass(frozen=True)
class Place:
    """Where a collection is stored (a folder, or the URL of a Chroma server), and the anchor it holds."""

    folder: Path
    url: str
    anchor: Anchor


class Chroma:
    """One open collection, named after the index; exceptions of Chroma pass through."""

    def __init__(self, store: Store, location: Place) -> None:
        self.place, self._store = location, store
        self._client = _connect(location)
        # Vectors are ours, so it has no embedding function.
        self._collection = self._client.get_or_create_collection(
            f"soprag-{store.meta('name')}-{location.anchor}", embedding_function=None, configuration=_GRAPH
        )

    def close(self) -> None:
        """Close its files, or the connections to its server."""
        self._client.close()
        for session in _sessions(self._client):
            session.close()

    def position(self) -> int:
        """The position in the change log up to which the collection is in sync; 0 when its record does not match."""
        try:
            recorded = json.loads(self._note.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return 0
        current = {
            "collection": str(self._collection.id),
            "count": self._collection.count(),
            "anchor": self.place.anchor,
        }
        return int(recorded.pop("position")) if {**recorded, **current} == recorded else 0

    def attach(self, db: Rows) -> int:
        """Repair it, unless another process is doing so; returns its position."""
        try:
            with FileLock(self.place.folder.with_name(f"chroma-{self.place.anchor}.lock"), timeout=0):
                return self.repair(db)
        except Timeout:
            return self.position()

    def sync(self) -> None:
        """Repair it, unless another process is doing so."""
        with self._store.reading() as db:
            self.attach(db)

    def repair(self, db: Rows) -> int:
        """Bring the collection in sync with SQLite; returns the new position. Only one process may do so at a time."""
        position = self.position()
        latest = news(db, position)
        if latest is None:
            return position
        added, gone = (set(latest.fresh), latest.gone) if not latest.whole else self.differences(db)
        self._delete(gone)
        self._add(db, added)
        state = {
            "collection": str(self._collection.id),
            "count": self._collection.count(),
            "anchor": self.place.anchor,
        }
        write_whole(self._note, json.dumps({**state, "position": latest.position}).encode())
        return latest.position

    def differences(self, db: Rows) -> tuple[set[int], set[int]]:
        """Numbers of SOPs with missing vectors, and of SOPs with surplus vectors."""
        expected = {
            f"{number}.{row}" for number, rows in count_anchors(db, self.place.anchor).items() for row in range(rows)
        }
        present = set(self._collection.get(include=[])["ids"])
        return _numbers(expected - present), _numbers(present - expected)

    def search(self, db: Rows, vector: Vectors, k: int) -> Scores:
        """SOP number → cosine of its best vector, for the nearest SOPs."""
        wide = depth(k, self.place.anchor)
        response = self._collection.query(query_embeddings=[vector], n_results=wide, include=["distances"])
        pairs = zip(response["ids"][0], response["distances"][0], strict=True)
        return best_of((_number(id), 1.0 - distance) for id, distance in pairs)

    @property
    def _note(self) -> Path:
        return self.place.folder.with_name(f"chroma-{self.place.anchor}.json")

    def _delete(self, numbers: Iterable[int]) -> None:
        for some in _batched(sorted(numbers)):
            self._collection.delete(where={"sop": {"$in": some}})

    def _add(self, db: Rows, numbers: Iterable[int]) -> None:
        rows = (
            (f"{number}.{row}", {"sop": number}, vector)
            for number, vectors in read_anchors(db, sorted(numbers), self.place.anchor)
            for row, vector in enumerate(vectors)
        )
        for some in _batched(rows):
            ids, owners, vectors = zip(*some, strict=True)
            self._collection.upsert(ids=list(ids), metadatas=list(owners), embeddings=np.stack(vectors))


def _connect(location: Place) -> Any:  # noqa: ANN401 - chromadb is imported inside
    import chromadb
    from chromadb.config import Settings

    quiet = Settings(anonymized_telemetry=False)
    if not location.url:
        return chromadb.PersistentClient(str(location.folder), settings=quiet)
    server = urlsplit(location.url)
    secure = server.scheme == "https"
    port = server.port or (443 if secure else 8000)
    client = chromadb.HttpClient(server.hostname or "", port=port, ssl=secure, settings=quiet)
    for session in _sessions(client):
        session.timeout = _PATIENCE
    return client


def _sessions(client: Any) -> list[Any]:  # noqa: ANN401 - as above
    """The client's HTTP sessions; Chroma 1.5 neither closes them nor sets a timeout."""
    servers = (client._server, client._admin_client._server)
    return [server._session for server in servers if hasattr(server, "_session")]


def _number(id: str) -> int:
    return int(id.partition(".")[0])


def _numbers(ids: Iterable[str]) -> set[int]:
    return {_number(id) for id in ids}


def _batched(rows: Iterable[_Row]) -> Iterator[list[_Row]]:
    remaining = iter(rows)
    while some := list(islice(remaining, BATCH)):
        yield some
