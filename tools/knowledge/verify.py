"""Consistency checks of the knowledge graph: quotes, names, merged pairs and communities."""

import sqlite3
from collections.abc import Iterator

from soprag.tools.knowledge.quotes import quoted, stands_in
from soprag.tools.retriever.index.sqlite_store import SqliteStore

# Each query counts rows that violate an invariant.
_NEVER = {
    "names that no chunk mentions": "SELECT count(*) FROM kg_name WHERE id NOT IN (SELECT name FROM kg_mention)",
    "pairs of names with one missing": """SELECT count(*) FROM kg_same AS s WHERE NOT EXISTS
        (SELECT 1 FROM kg_same WHERE name = s.twin AND twin = s.name)""",
    "facts whose names their chunk does not mention": """SELECT count(*) FROM kg_fact AS f WHERE NOT EXISTS
        (SELECT 1 FROM kg_mention WHERE chunk = f.chunk AND name = f.subject) OR NOT EXISTS
        (SELECT 1 FROM kg_mention WHERE chunk = f.chunk AND name = f.object)""",
    "documents of SOPs that are gone": """SELECT count(*) FROM kg_document
        WHERE kind = 'sop' AND (sop IS NULL OR sop NOT IN (SELECT number FROM sop))""",
    "members of no community": "SELECT count(*) FROM kg_member WHERE community NOT IN (SELECT id FROM kg_community)",
}


def verify(database: SqliteStore) -> list[str]:
    """All problems as sentences; empty when the graph is consistent."""
    with database.reading() as db:
        problems = [
            f"{table}: a row points to nothing"
            for table, *_ in db.execute("PRAGMA foreign_key_check")
            if str(table).startswith("kg_")
        ]
        counts = ((what, db.execute(query).fetchone()[0]) for what, query in _NEVER.items())
        return [*problems, *(f"{count} {what}" for what, count in counts if count), *_quotes(db)]


def _quotes(db: sqlite3.Connection) -> Iterator[str]:
    """Facts that their document does not say in these words on these lines."""
    query = """SELECT d.id, d.body, f.first, f.last, f.quote, s.text, o.text FROM kg_fact AS f
        JOIN kg_chunk AS c ON c.number = f.chunk JOIN kg_document AS d ON d.number = c.document
        JOIN kg_name AS s ON s.id = f.subject JOIN kg_name AS o ON o.id = f.object ORDER BY d.number"""
    for id, body, first, last, quote, subject, target in db.execute(query):
        verbatim = quoted(body.split("\n"), first, last) == quote
        if not verbatim or not stands_in(subject, quote) or not stands_in(target, quote):
            yield f"{id}:{first}: the quote does not hold {subject!r} and {target!r}"
