"""A name looked up: its group, its facts, and the lines that name it."""

import json
import sqlite3
from collections.abc import Iterable, Sequence

from soprag.tools.errors import NothingFound
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.proper_names import name_key
from soprag.tools.knowledge.records import NameRef, QuotedFact
from soprag.tools.knowledge.snapshot import Snapshot
from soprag.tools.sop import Frozen

_MOST = 200
_FACTS = """SELECT s.kind, s.text, f.relation, o.kind, o.text, d.id, d.title, f.first, f.last, f.quote, f.origin,
    f.subject, f.object FROM kg_fact AS f JOIN kg_chunk AS c ON c.number = f.chunk
    JOIN kg_document AS d ON d.number = c.document
    JOIN kg_name AS s ON s.id = f.subject JOIN kg_name AS o ON o.id = f.object"""


class NamingLine(Frozen):
    """A line that names something."""

    document: str
    title: str
    line: int
    quote: str

    def text(self) -> str:
        """One line for a person."""
        return f"“{self.quote}” ({self.document}:{self.line})"


def group_of(library: KnowledgeLibrary, name: str) -> int:
    """The group of a name as a person writes it; raises `NothingFound` with names that are written alike."""
    snapshot = library.snapshot()
    group = snapshot.group_of_key.get(name_key(name))
    if group is not None:
        return group
    linked = snapshot.linked(name)
    if linked:
        return max(linked, key=lambda candidate: max(map(len, snapshot.groups[candidate])))
    raise NothingFound(f"No document names {name!r}.{_hint(snapshot, name)}")


def facts_of(library: KnowledgeLibrary, group: int) -> list[QuotedFact]:
    """The facts about a group, by document and line."""
    ids = json.dumps(_names(library.snapshot(), group))
    either = "(SELECT value FROM json_each(?))"
    query = f"{_FACTS} WHERE f.subject IN {either} OR f.object IN {either} ORDER BY d.id, f.first, f.relation LIMIT ?"
    with library.database.reading() as db:
        return [as_quoted(row) for row in db.execute(query, (ids, ids, _MOST))]


def all_facts(db: sqlite3.Connection) -> Iterable[tuple[QuotedFact, int, int]]:
    """Every fact with the ids of its subject and object, by document and line."""
    order = "ORDER BY d.id, f.first, s.text, f.relation, o.text"
    return ((as_quoted(row), row[11], row[12]) for row in db.execute(f"{_FACTS} {order}"))


def lines_naming(library: KnowledgeLibrary, group: int) -> list[NamingLine]:
    """The lines that name a group, by document and line; each once."""
    query = """SELECT DISTINCT d.id, d.title, m.line, d.body FROM kg_mention AS m
        JOIN kg_chunk AS c ON c.number = m.chunk JOIN kg_document AS d ON d.number = c.document
        WHERE m.name IN (SELECT value FROM json_each(?)) ORDER BY d.id, m.line LIMIT ?"""
    with library.database.reading() as db:
        rows = db.execute(query, (json.dumps(_names(library.snapshot(), group)), _MOST)).fetchall()
    return [
        NamingLine(document=id, title=title, line=line, quote=body.split("\n")[line - 1].strip())
        for id, title, line, body in rows
    ]


def as_quoted(row: Sequence[object]) -> QuotedFact:
    """A row of `_FACTS` as a fact."""
    names = ("document", "title", "first", "last", "quote", "origin")
    subject = NameRef.model_validate({"kind": row[0], "text": row[1]})
    target = NameRef.model_validate({"kind": row[3], "text": row[4]})
    values = dict(zip(names, row[5:11], strict=True))
    return QuotedFact.model_validate({"subject": subject, "relation": row[2], "object": target, **values})


def _names(snapshot: Snapshot, group: int) -> list[int]:
    return sorted(name for name, owner in snapshot.group_of_name.items() if owner == group)


def _hint(snapshot: Snapshot, name: str) -> str:
    import difflib

    texts = [texts[0] for texts in snapshot.groups]
    near = difflib.get_close_matches(name, texts[:20_000], n=3, cutoff=0.6)
    return f" Written alike: {', '.join(map(repr, near))}." if near else ""
