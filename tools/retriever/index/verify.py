"""Consistency checks of an index: the database itself, totals, vectors and postings."""

from soprag.tools.retriever.index import codes
from soprag.tools.retriever.index.content import Content
from soprag.tools.retriever.index.elements import KINDS
from soprag.tools.retriever.index.layout import Layout
from soprag.tools.retriever.index.postings import counted
from soprag.tools.retriever.index.storage import Rows, Store

# Each query counts rows that violate an invariant.
_NEVER = {
    "SOPs without gist": "SELECT count(*) FROM sop LEFT JOIN gist USING (number) WHERE gist.number IS NULL",
    "SOPs without elements": "SELECT count(*) FROM sop LEFT JOIN element USING (number) WHERE element.number IS NULL",
    "wrong totals": """SELECT count(*) FROM total WHERE (sops, passages, length) <>
        (SELECT count(*), coalesce(sum(passages), 0), coalesce(sum(length), 0) FROM sop)""",
}


def verify(database: Store) -> list[str]:
    """All problems as sentences; empty when the index is consistent."""
    with database.reading() as db:
        problems = database.check()
        counts = ((what, db.execute(query).fetchone()[0]) for what, query in _NEVER.items())
        problems += [f"{count} {what}" for what, count in counts if count]
        return problems + _elements(db, int(database.meta("dimension") or 0)) + _full_text(db)


def _elements(db: Rows, dimension: int) -> list[str]:
    """Problems of the elements: texts, vectors and layout of an SOP must agree with each other and with its row."""
    query = """SELECT id, passages, layout, vectors, content, vector FROM sop JOIN element USING (number)
        JOIN gist USING (number)"""
    problems = []
    for id, passages, layout, vectors, content, gist in db.stream(query):
        counts, rows = Layout.unpack(layout).counts, codes.unpack(vectors)
        cards = int(counts[KINDS.index("card")])
        fits = counts[KINDS.index("passage")] == passages and len(rows) in (cards + passages, counts.sum())
        fits = fits and {rows.width, codes.unpack(gist).width} == {dimension}
        if not fits or len(Content(content).texts) != counts.sum():
            problems.append(f"{id!r}: vectors and texts do not fit")
    return problems


def _full_text(db: Rows) -> list[str]:
    """Problems of the postings: their number per SOP must agree with its row."""
    present = counted(db)
    rows = db.execute("SELECT number, id, posted FROM sop").fetchall()
    differing = [
        f"{id!r}: {posted} terms and {present[number]} in the full text"
        for number, id, posted in rows
        if posted != present[number]
    ]
    strangers = len(present.keys() - {number for number, *_ in rows})
    return differing + ([f"{strangers} SOPs only in the full text"] if strangers else [])
