"""pgvector as the approximate index of an index in PostgreSQL: a table and an HNSW graph per anchor.

A row of `meta` holds the index they belong to and the position in the change log up to which they are current. They
are written in one transaction with it, under a lock of their own, so that no writer waits while a graph is built.
"""

from collections.abc import Iterable

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.anchors import BATCH, Anchor, Scores, best_of, count_anchors, depth, read_anchors
from soprag.tools.retriever.index.change_log import news
from soprag.tools.retriever.index.postgres_store import PostgresRows, PostgresStore
from soprag.tools.retriever.index.storage import Rows

_GRAPH = "m = 16, ef_construction = 100"
_LIST = 200  # candidates of a search, at least
_MOST = 1000  # the largest list that pgvector takes


class PgVector:
    """The vectors of one anchor as halfvec (16 bits a number); scores are computed from the true vectors."""

    def __init__(self, store: PostgresStore, anchor: Anchor) -> None:
        self._store, self._anchor, self._table = store, anchor, f"near_{anchor}"

    def attach(self, db: Rows) -> int:
        """The position up to which it is current; a search repairs nothing."""
        row = db.execute("SELECT value FROM meta WHERE key = ?", (self._table,)).fetchone()
        name, position = str(row[0]).split() if row else ("", "0")
        (current,) = db.execute("SELECT value FROM meta WHERE key = 'name'").fetchone()
        return int(position) if name == current else 0

    def sync(self) -> None:
        """Bring it up to date, or make it anew when the log does not reach back to its position."""
        with self._store.locked(self._table) as db:
            latest = news(db, self.attach(db))
            if latest is None:
                return
            if latest.whole:
                self._create(db)
            inside, gone = db.among("number", sorted({*latest.gone, *latest.fresh}))
            db.execute(f"DELETE FROM {self._table} WHERE {inside}", (gone,))
            for start in range(0, len(latest.fresh), BATCH):
                db.copy(self._table, self._rows(db, latest.fresh[start : start + BATCH]))
            if latest.whole:
                db.execute(f"CREATE INDEX ON {self._table} USING hnsw (vector halfvec_cosine_ops) WITH ({_GRAPH})")
            (name,) = db.execute("SELECT value FROM meta WHERE key = 'name'").fetchone()
            db.note(self._table, f"{name} {latest.position}")

    def differences(self, db: Rows) -> tuple[set[int], set[int]]:
        """Numbers of SOPs with missing vectors, and of SOPs with surplus vectors."""
        expected = count_anchors(db, self._anchor)
        if not self.attach(db):
            return set(expected), set()
        present = dict(db.execute(f"SELECT number, count(*) FROM {self._table} GROUP BY number"))
        missing = {number for number, count in expected.items() if present.get(number, 0) < count}
        return missing, {number for number, count in present.items() if count > expected.get(number, 0)}

    def search(self, db: Rows, vector: Vectors, k: int) -> Scores:
        """SOP number → cosine of its best vector, for the nearest SOPs."""
        if not self.attach(db):
            return {}
        wide = depth(k, self._anchor)
        size = str(min(_MOST, max(_LIST, wide)))
        db.execute(
            "SELECT set_config('hnsw.ef_search', ?, true), set_config('hnsw.iterative_scan', 'strict_order', true)",
            (size,),
        )
        query = f"SELECT number FROM {self._table} ORDER BY vector <=> ?::halfvec LIMIT ?"
        numbers = sorted({number for (number,) in db.execute(query, (_text(vector), wide))})
        # Row by row as in `Matrix`, so that both give the same cosine.
        found = read_anchors(db, numbers, self._anchor)
        return best_of((number, float(one)) for number, near in found for one in (near * vector).sum(axis=1))

    def close(self) -> None:
        """Nothing: the connections are those of the store."""

    def _create(self, db: PostgresRows) -> None:
        row = db.execute("SELECT value FROM meta WHERE key = 'dimension'").fetchone()
        db.execute(f"DROP TABLE IF EXISTS {self._table}")
        columns = f"number BIGINT, position INTEGER, vector halfvec({int(row[0])}), PRIMARY KEY (number, position)"
        db.execute(f"CREATE TABLE {self._table} ({columns})")

    def _rows(self, db: PostgresRows, numbers: list[int]) -> list[tuple[int, int, str]]:
        return [
            (number, position, _text(vector))
            for number, vectors in read_anchors(db, numbers, self._anchor)
            for position, vector in enumerate(vectors)
        ]


def _text(vector: Iterable[float]) -> str:
    return f"[{','.join(f'{number:.5g}' for number in vector)}]"
