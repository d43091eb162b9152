"""Communities and summaries of a graph: stored beside it, derived from its facts, made anew where those changed."""

import sqlite3
from collections.abc import Sequence

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.knowledge.communities import (
    Clustering,
    Community,
    LinkedFact,
    cluster,
    cluster_again,
    modularity,
)
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.lookup import all_facts
from soprag.tools.knowledge.records import QuotedFact
from soprag.tools.knowledge.store import STORED, as_vectors, same_names
from soprag.tools.sop import Frozen
from soprag.tools.tasks.knowledge import CommunityAsk, CommunityFact

SMALLEST = 3  # names of a community that is summarised
_FACTS = 40  # facts that a summary is made of


class ClusterReport(Frozen):
    """The communities after clustering; `invalid` are those whose summary has to be made when it is needed next."""

    communities: int
    names: int
    summarised: int
    invalid: int
    modularity: float
    fresh_modularity: float | None = None

    def text(self) -> str:
        """One line."""
        fresh = "" if self.fresh_modularity is None else f" ({self.fresh_modularity:.3f} if clustered from scratch)"
        return (
            f"{self.communities} communities of {self.names} names; {self.summarised} of at least {SMALLEST} names, "
            f"{self.invalid} without a summary yet; modularity {self.modularity:.3f}{fresh}"
        )


class CommunityPage(Frozen):
    """A community with its summary; empty where none was needed yet."""

    id: str
    level: int
    names: tuple[str, ...]
    summary: str


def linked_facts(db: sqlite3.Connection) -> list[tuple[LinkedFact, QuotedFact]]:
    """Every fact between nodes; merged names are one node, called by the first of them in the alphabet."""
    nodes = _nodes(db)
    return [
        (LinkedFact(nodes[subject], nodes[target], f"{fact.document}:{fact.first}\t{nodes[subject]}\t{fact.relation}\t"
                    f"{nodes[target]}\t{fact.quote}"), fact)
        for fact, subject, target in all_facts(db)
        if nodes[subject] != nodes[target]
    ]  # fmt: skip


def recluster(library: KnowledgeLibrary, how: Clustering, *, fresh: bool = False) -> ClusterReport:
    """Bring the communities up to date: those that changes touched, or all of them with `fresh`."""
    with library.database.reading() as db:
        facts = [linked for linked, _ in linked_facts(db)]
        before = [] if fresh else stored_communities(db)
    after = cluster_again(facts, before, how) if before else cluster(facts, how)
    with library.database.transaction() as db:
        db.execute("DELETE FROM kg_community")
        rows = [(entry.id, entry.level, entry.parent, entry.digest, entry.incident) for entry in after]
        db.executemany("INSERT INTO kg_community VALUES (?, ?, ?, ?, ?)", rows)
        members = [(entry.id, name) for entry in after for name in entry.members]
        db.executemany("INSERT INTO kg_member VALUES (?, ?)", members)
        db.execute("DELETE FROM kg_summary WHERE digest NOT IN (SELECT digest FROM kg_community)")
        present = {value for (value,) in db.execute("SELECT digest FROM kg_summary")}
    large = [entry for entry in after if len(entry.members) >= SMALLEST]
    return ClusterReport(
        communities=len(after),
        names=len({name for entry in after for name in entry.members}),
        summarised=len(large),
        invalid=sum(entry.digest not in present for entry in large),
        modularity=modularity(facts, after, how.resolution),
        fresh_modularity=modularity(facts, cluster(facts, how), how.resolution) if before else None,
    )


def stored_communities(db: sqlite3.Connection) -> list[Community]:
    """The communities as they are stored."""
    members: dict[str, list[str]] = {}
    for community, name in db.execute("SELECT community, name FROM kg_member ORDER BY community, name"):
        members.setdefault(community, []).append(name)
    query = "SELECT id, level, parent, digest, incident FROM kg_community ORDER BY level, id"
    return [
        Community(id, level, parent, tuple(members.get(id, ())), inner, incident)
        for id, level, parent, inner, incident in db.execute(query)
    ]


def missing_summaries(library: KnowledgeLibrary) -> list[str]:
    """The digests of the communities that are large enough and have no summary, each once, the top level first."""
    with library.database.reading() as db:
        present = {value for (value,) in db.execute("SELECT digest FROM kg_summary")}
        large = [entry for entry in stored_communities(db) if len(entry.members) >= SMALLEST]
    return list(dict.fromkeys(entry.digest for entry in large if entry.digest not in present))


def summary_asks(library: KnowledgeLibrary) -> dict[str, CommunityAsk]:
    """What is asked for each missing summary, by digest."""
    missing = set(missing_summaries(library))
    with library.database.reading() as db:
        facts = linked_facts(db) if missing else []
        return {
            entry.digest: CommunityAsk(names=_plain(entry.members), facts=_within(entry, facts))
            for entry in stored_communities(db)
            if entry.digest in missing and len(entry.members) >= SMALLEST
        }


def keep_summary(library: KnowledgeLibrary, digest: str, text: str, edition: str) -> None:
    """Store a summary with its vector."""
    row = (digest, text, library.embed([text])[0].astype(STORED).tobytes(), edition)
    with library.database.transaction() as db:
        db.execute("INSERT OR REPLACE INTO kg_summary VALUES (?, ?, ?, ?)", row)


def nearest(library: KnowledgeLibrary, vector: Vectors, most: int) -> list[CommunityPage]:
    """The communities whose summaries are nearest to a vector (paper 001, d(Q, C) = cosine with v(S))."""
    query = """SELECT c.id, c.level, s.text, s.vector FROM kg_community AS c JOIN kg_summary AS s USING (digest)
        ORDER BY c.id"""
    with library.database.reading() as db:
        rows = db.execute(query).fetchall()
        if not rows:
            return []
        scores = np.stack([as_vectors(row[3]) for row in rows]) @ vector
        best = sorted(range(len(rows)), key=lambda row: (-float(scores[row]), rows[row][0]))[:most]
        return [_page(db, rows[row][:3]) for row in best]


def pages(library: KnowledgeLibrary) -> list[CommunityPage]:
    """All communities of at least three names, the largest first."""
    query = "SELECT c.id, c.level, coalesce(s.text, '') FROM kg_community AS c LEFT JOIN kg_summary AS s USING (digest)"
    with library.database.reading() as db:
        found = [_page(db, row) for row in db.execute(query).fetchall()]
    large = [page for page in found if len(page.names) >= SMALLEST]
    return sorted(large, key=lambda page: (page.level, -len(page.names), page.id))


def fact_lines(library: KnowledgeLibrary, communities: Sequence[CommunityPage]) -> set[tuple[str, int]]:
    """Document and line of every fact that touches these communities."""
    names = {name for community in communities for name in community.names}
    with library.database.reading() as db:
        return {
            (fact.document, fact.first)
            for linked, fact in linked_facts(db)
            if {_text(linked.subject), _text(linked.target)} <= names
        }


def _page(db: sqlite3.Connection, row: tuple[str, int, str]) -> CommunityPage:
    names = [name for (name,) in db.execute("SELECT name FROM kg_member WHERE community = ? ORDER BY name", row[:1])]
    return CommunityPage(id=row[0], level=row[1], names=tuple(_plain(names)), summary=row[2])


def _within(entry: Community, facts: list[tuple[LinkedFact, QuotedFact]]) -> list[CommunityFact]:
    members = set(entry.members)
    inner = [fact for linked, fact in facts if linked.subject in members and linked.target in members]
    return [
        CommunityFact(text=f"{fact.subject.text} {fact.relation} {fact.object.text}", quote=fact.quote)
        for fact in inner[:_FACTS]
    ]


def _nodes(db: sqlite3.Connection) -> dict[int, str]:
    """Every name as a node; the names of a merged group are one."""
    parent: dict[int, int] = {}
    texts = {id: f"{kind}\t{text}" for id, kind, text in db.execute("SELECT id, kind, text FROM kg_name")}

    def root(node: int) -> int:
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    for name, twin in same_names(db):
        parent[root(name)] = root(twin)
    label: dict[int, str] = {}
    for id, text in texts.items():
        top = root(id)
        label[top] = min(label.get(top, text), text)
    return {id: label[root(id)] for id in texts}


def _plain(nodes: Sequence[str]) -> list[str]:
    return [_text(node) for node in nodes]


def _text(node: str) -> str:
    return node.partition("\t")[2]
