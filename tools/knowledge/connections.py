"""The shortest path between two names: each hop is a line that holds both of its names, a fact where there is one."""

import heapq
import json
import math
from dataclasses import dataclass
from itertools import pairwise

from soprag.tools.knowledge.evidence import EvidenceLine
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.quotes import stands_in
from soprag.tools.knowledge.snapshot import Snapshot
from soprag.tools.sop import Frozen

_MOST = 400  # lines of one name that are looked at
_FACT = 0.5  # a stated fact costs half of a line that merely names both


class Connection(Frozen):
    """A path from one name to another: the names on it, and a quoted line for every hop; empty when there is none."""

    names: tuple[str, ...]
    hops: tuple[EvidenceLine, ...]

    def text(self) -> str:
        """A line per hop, or that there is none."""
        if not self.hops:
            return f"No path of at most three hops leads from {self.names[0]!r} to {self.names[-1]!r}."
        pairs = zip(self.names, self.names[1:], self.hops, strict=False)
        return "\n".join(
            f"{name} — {', '.join(hop.relations) or 'named with'} → {target}\n  {hop.text()}"
            for name, target, hop in pairs
        )


@dataclass(frozen=True)
class _Edge:
    target: int
    cost: float
    line: EvidenceLine


def connect(library: KnowledgeLibrary, start: int, goal: int, hops: int) -> Connection:
    """The cheapest path of at most `hops` hops between two groups; names on many lines cost more."""
    snapshot = library.snapshot()
    queue: list[tuple[float, int, int, tuple[int, ...]]] = [(0.0, 0, start, (start,))]
    best: dict[tuple[int, int], float] = {}
    edges: dict[int, dict[int, _Edge]] = {}
    while queue:
        cost, length, group, path = heapq.heappop(queue)
        if group == goal:
            return _connection(snapshot, path, edges)
        if length == hops or best.get((group, length), math.inf) < cost:
            continue
        edges[group] = edges[group] if group in edges else _neighbours(library, snapshot, group)
        for edge in edges[group].values():
            total = cost + edge.cost
            if edge.target not in path and total < best.get((edge.target, length + 1), math.inf):
                best[edge.target, length + 1] = total
                heapq.heappush(queue, (total, length + 1, edge.target, (*path, edge.target)))
    return Connection(names=(snapshot.groups[start][0], snapshot.groups[goal][0]), hops=())


def _neighbours(library: KnowledgeLibrary, snapshot: Snapshot, group: int) -> dict[int, _Edge]:
    """The groups named on a line with this one, by the cheapest line."""
    ids = json.dumps(sorted(name for name, owner in snapshot.group_of_name.items() if owner == group))
    query = """SELECT other.name, d.id, d.title, m.line, d.body,
        (SELECT group_concat(DISTINCT relation) FROM kg_fact WHERE chunk = m.chunk AND first = m.line
            AND subject IN (m.name, other.name) AND object IN (m.name, other.name))
        FROM kg_mention AS m JOIN kg_mention AS other ON other.chunk = m.chunk AND other.line = m.line
        JOIN kg_chunk AS c ON c.number = m.chunk JOIN kg_document AS d ON d.number = c.document
        WHERE m.name IN (SELECT value FROM json_each(?)) AND other.name <> m.name ORDER BY d.id, m.line LIMIT ?"""
    edges: dict[int, _Edge] = {}
    with library.database.reading() as db:
        rows = db.execute(query, (ids, _MOST)).fetchall()
    for name, id, title, line, body, relations in rows:
        target = snapshot.group_of_name.get(name)  # steps belong to no group
        if target is None or target == group:
            continue
        cost = math.log(2 + snapshot.named_in.size(target)) * (_FACT if relations else 1.0)
        if target in edges and edges[target].cost <= cost:
            continue
        quote = body.split("\n")[line - 1].strip()
        if _holds(snapshot, group, quote) and _holds(snapshot, target, quote):
            known = tuple(sorted((relations or "").split(","))) if relations else ()
            edges[target] = _Edge(
                target, cost, EvidenceLine(document=id, title=title, line=line, quote=quote, relations=known)
            )
    return edges


def _holds(snapshot: Snapshot, group: int, quote: str) -> bool:
    return any(stands_in(text, quote) for text in snapshot.groups[group])


def _connection(snapshot: Snapshot, path: tuple[int, ...], edges: dict[int, dict[int, _Edge]]) -> Connection:
    hops = tuple(edges[group][target].line for group, target in pairwise(path))
    return Connection(names=tuple(snapshot.groups[group][0] for group in path), hops=hops)
