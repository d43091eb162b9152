"""The global graph of entities and states; a node exists as long as at least one SOP mentions it.

A node is one text of one kind. `alias` holds the pairs of nodes that are equal by `merge.same_name` and by the cosine
of their vectors. `merged` labels the connected component of a node: the smallest node id in it.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.database import insert
from soprag.tools.retriever.index.node_merge import Name, read_name, same_name


@dataclass(frozen=True)
class Sameness:
    """Merge thresholds: τ of string similarity, τ of cosine similarity, and the function that embeds a text."""

    string: float
    cosine: float
    meaning: Callable[[str], Vectors]


Named = tuple[str, str]  # the kind and the text of a node
_LISTED = "SELECT value FROM json_each(?)"


def compared(db: sqlite3.Connection, nodes: Iterable[Named], string: float) -> set[str]:
    """The texts that need vectors when nodes (kind, text) are inserted: all merge candidates by string similarity."""
    new: dict[tuple[str, str], set[str]] = {}
    for kind, text in nodes:
        new.setdefault((kind, read_name(text).key), set()).add(text)
    old: dict[tuple[str, str], set[str]] = {}
    for _, kind, text, _ in _with_keys(db, {key for _, key in new}):
        old.setdefault((kind, read_name(text).key), set()).add(text)
    pairs = (
        (text, candidate)
        for key, texts in new.items()
        for text in texts - old.get(key, set())
        for candidate in (texts | old.get(key, set())) - {text}
    )
    return {text for pair in pairs if same_name(read_name(pair[0]), read_name(pair[1]), string) for text in pair}


def mention(db: sqlite3.Connection, number: int, named: Iterable[Named], sameness: Sameness) -> Mapping[Named, int]:
    """Link an SOP to its nodes, creating new ones; returns their ids."""
    names = {node: read_name(node[1]) for node in named}
    known = _Known(sameness)
    for id, kind, text, merged in _with_keys(db, {name.key for name in names.values()}):
        known.add(id, kind, read_name(text), merged)
    new = [node for node in names if node not in known.ids]
    first = _next_id(db) if new else 0
    pairs, relabelled = known.create([(kind, names[kind, text]) for kind, text in new], first)
    for label, merged in relabelled:
        db.execute("UPDATE node SET merged = ? WHERE merged = ?", (label, merged))
    rows = [(known.ids[node], *node, hashed(names[node].key), known.labels[known.ids[node]]) for node in new]
    insert(db, "node", rows)
    insert(db, "alias", pairs)
    insert(db, "mention", [(number, id) for id in sorted({known.ids[node] for node in names})])
    return known.ids


@dataclass
class _Known:
    """The nodes that have the keys of new ones: `ids` by kind and text, `labels` by id."""

    sameness: Sameness
    ids: dict[Named, int] = field(default_factory=dict)
    labels: dict[int, int] = field(default_factory=dict)
    names: dict[tuple[str, str], list[tuple[int, Name]]] = field(default_factory=dict)

    def add(self, id: int, kind: str, name: Name, label: int) -> None:
        """Take in a node."""
        self.ids[kind, name.text] = id
        self.labels[id] = label
        self.names.setdefault((kind, name.key), []).append((id, name))

    def create(
        self, new: Iterable[tuple[str, Name]], first: int
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Number new nodes from `first` on; returns the pairs that are the same, and labels with what they replace."""
        pairs: list[tuple[int, int]] = []
        relabelled: list[tuple[int, int]] = []
        for id, (kind, name) in enumerate(new, first):
            same = [twin for twin, other in self.names.get((kind, name.key), ()) if _alike(name, other, self.sameness)]
            pairs += [pair for twin in same for pair in ((id, twin), (twin, id))]
            merged = {self.labels[twin] for twin in same}
            label = min(merged, default=id)
            relabelled += [(label, other) for other in sorted(merged - {label})]
            self.labels |= {node: label for node, other in self.labels.items() if other in merged}
            self.add(id, kind, name, label)
        return pairs, relabelled


def forget(db: sqlite3.Connection, number: int) -> None:
    """Delete all links of an SOP, and the nodes that no SOP mentions any more."""
    named = json.dumps([node for (node,) in db.execute("SELECT node FROM mention WHERE number = ?", (number,))])
    for table in ("causal", "resolves", "mention"):
        db.execute(f"DELETE FROM {table} WHERE number = ?", (number,))
    query = (
        f"SELECT id, merged FROM node WHERE id IN ({_LISTED}) AND NOT EXISTS (SELECT 1 FROM mention WHERE node = id)"
    )
    unused = dict(db.execute(query, (named,)).fetchall())
    if unused:
        _drop(db, unused)


def hashed(key: str) -> int:
    """A key as it is stored: 63 bits, in which two keys practically never meet."""
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 1


def _with_keys(db: sqlite3.Connection, keys: Iterable[str]) -> list[tuple[int, str, str, int]]:
    """The nodes with these keys: id, kind, text and label."""
    listed = json.dumps(sorted(map(hashed, keys)))
    return db.execute(f"SELECT id, kind, text, merged FROM node WHERE key IN ({_LISTED})", (listed,)).fetchall()


def _next_id(db: sqlite3.Connection) -> int:
    """The id of the next node; those of deleted nodes are not used again."""
    row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'node'").fetchone()
    return int(row[0]) + 1 if row else 1


def _alike(left_name: Name, right_name: Name, sameness: Sameness) -> bool:
    if not same_name(left_name, right_name, sameness.string):
        return False
    return float(sameness.meaning(left_name.text) @ sameness.meaning(right_name.text)) >= sameness.cosine


def _drop(db: sqlite3.Connection, unused: Mapping[int, int]) -> None:
    """Delete nodes, given with their labels, and split the merged nodes that they held together."""
    listed = json.dumps(list(unused))
    pairs = db.execute(f"SELECT node, other FROM alias WHERE node IN ({_LISTED})", (listed,)).fetchall()
    if pairs:
        db.execute(f"DELETE FROM alias WHERE node IN ({_LISTED})", (listed,))
        near = json.dumps(sorted({other for _, other in pairs}))
        db.execute(f"DELETE FROM alias WHERE node IN ({_LISTED}) AND other IN ({_LISTED})", (near, listed))
    db.execute(f"DELETE FROM node WHERE id IN ({_LISTED})", (listed,))
    for label in sorted({unused[node] for node, _ in pairs}):
        _relabel(db, label)


def _relabel(db: sqlite3.Connection, label: int) -> None:
    """Recompute the connected components of a merged node after some of its nodes were deleted."""
    remaining = {node for (node,) in db.execute("SELECT id FROM node WHERE merged = ?", (label,))}
    near: dict[int, set[int]] = {node: set() for node in remaining}
    query = f"SELECT node, other FROM alias WHERE node IN ({_LISTED})"
    for node, other in db.execute(query, (json.dumps(sorted(remaining)),)):
        near[node].add(other)
    while remaining:
        part, frontier = set[int](), {min(remaining)}
        while frontier:
            part |= frontier
            frontier = set[int]().union(*(near[node] for node in frontier)) - part
        query = f"UPDATE node SET merged = ? WHERE id IN ({_LISTED})"
        db.execute(query, (min(part), json.dumps(sorted(part))))
        remaining -= part
