"""Consistency checks of an index: SQLite integrity, foreign keys, totals, vectors and postings."""

import sqlite3
from collections import Counter

import numpy as np

from soprag.tools.retriever.index.bm25 import RECORD
from soprag.tools.retriever.index.database import Database
from soprag.tools.retriever.index.rows import STORED

# Each query counts rows that violate an invariant.
_NEVER = {
    "SOPs without card": "SELECT count(*) FROM sop LEFT JOIN card USING (number) WHERE card.number IS NULL",
    "SOPs without elements": "SELECT count(*) FROM sop LEFT JOIN element USING (number) WHERE element.number IS NULL",
    "wrong totals": """SELECT count(*) FROM total WHERE (sops, passages, length) IS NOT
        (SELECT count(*), coalesce(sum(passages), 0), coalesce(sum(length), 0) FROM sop)""",
    "nodes that no SOP names": "SELECT count(*) FROM node WHERE id NOT IN (SELECT node FROM mention)",
    "pairs of nodes with one missing": """SELECT count(*) FROM alias WHERE node NOT IN (SELECT id FROM node)
        OR other NOT IN (SELECT id FROM node)""",
    "pairs of nodes with two names": """SELECT count(*) FROM alias JOIN node AS a ON a.id = node
        JOIN node AS b ON b.id = other WHERE a.merged <> b.merged""",
    "merged nodes with a wrong name": "SELECT count(*) FROM node WHERE merged NOT IN (SELECT id FROM node)",
}


def verify(database: Database) -> list[str]:
    """All problems as sentences; empty when the index is consistent."""
    with database.reading() as db:
        problems = [f"SQLite: {line}" for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
        problems += [f"{table}: a row points to nothing" for table, *_ in db.execute("PRAGMA foreign_key_check")]
        counts = ((what, db.execute(query).fetchone()[0]) for what, query in _NEVER.items())
        problems += [f"{count} {what}" for what, count in counts if count]
        return problems + _vectors(db, int(database.meta("dimension") or 0)) + _full_text(db)


def _vectors(db: sqlite3.Connection, dimension: int) -> list[str]:
    width = dimension * np.dtype(STORED).itemsize
    query = """SELECT id FROM sop JOIN element USING (number) JOIN card USING (number)
        WHERE length(vectors) % ? OR length(vectors) < (passages + 1) * ? OR length(gist) <> length(vector)
        OR json_array_length(texts) <> length(kinds)"""
    return [f"{id!r}: vectors and texts do not fit" for (id,) in db.execute(query, (width or 1, width))]


def _full_text(db: sqlite3.Connection) -> list[str]:
    """Problems of the postings: the number of terms per SOP must agree with its `posted` terms."""
    posted = Counter[int]()
    for (data,) in db.execute("SELECT data FROM posting"):
        posted.update(np.frombuffer(data, RECORD)["number"].tolist())
    rows = db.execute("SELECT number, id, length(posted) / 4 FROM element JOIN sop USING (number)").fetchall()
    differing = [
        f"{id!r}: {terms} terms and {posted[number]} in the full text"
        for number, id, terms in rows
        if terms != posted[number]
    ]
    strangers = len(posted.keys() - {number for number, *_ in rows})
    return differing + ([f"{strangers} SOPs only in the full text"] if strangers else [])
