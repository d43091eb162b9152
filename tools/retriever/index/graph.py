"""The global graph of entities and states; a node exists as long as at least one SOP mentions it.

A node is one text of one kind. `alias` holds the pairs of nodes that are equal by `merge.same_name` and by the cosine
of their vectors. `merged` labels the connected component of a node: the smallest node id in it.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.node_merge import Name, read_name, same_name


@dataclass(frozen=True)
class Sameness:
    """Merge thresholds: τ of string similarity, τ of cosine similarity, and the function that embeds a text."""

    string: float
    cosine: float
    meaning: Callable[[str], Vectors]


@dataclass(frozen=True)
class Mentioned:
    """A mention of a node in an SOP; `position` is the row of the element."""

    position: int
    kind: str
    text: str


def compared(db: sqlite3.Connection, nodes: Iterable[tuple[str, str]], string: float) -> set[str]:
    """The texts that need vectors when nodes (kind, text) are inserted: all merge candidates by string similarity."""
    new: dict[tuple[str, str], set[str]] = {}
    for kind, text in nodes:
        new.setdefault((kind, read_name(text).key), set()).add(text)
    old: dict[tuple[str, str], set[str]] = {}
    query = "SELECT kind, key, text FROM node WHERE key IN (SELECT value FROM json_each(?))"
    for kind, key, text in db.execute(query, (json.dumps(sorted({key for _, key in new})),)):
        old.setdefault((kind, key), set()).add(text)
    pairs = (
        (text, candidate)
        for key, texts in new.items()
        for text in texts - old.get(key, set())
        for candidate in (texts | old.get(key, set())) - {text}
    )
    return {text for pair in pairs if same_name(read_name(pair[0]), read_name(pair[1]), string) for text in pair}


def mention(db: sqlite3.Connection, number: int, mentions: Iterable[Mentioned], sameness: Sameness) -> dict[int, int]:
    """Link an SOP to its nodes, creating new ones; returns position → node id."""
    nodes: dict[int, int] = {}
    for item in mentions:
        row = db.execute("SELECT id FROM node WHERE kind = ? AND text = ?", (item.kind, item.text)).fetchone()
        nodes[item.position] = node = row[0] if row else _make(db, item, sameness)
        db.execute("INSERT INTO mention VALUES (?, ?, ?)", (number, item.position, node))
    return nodes


def forget(db: sqlite3.Connection, number: int) -> None:
    """Delete all links of an SOP, and the nodes that no SOP mentions any more."""
    nodes = {node for (node,) in db.execute("SELECT node FROM mention WHERE number = ?", (number,))}
    for table in ("causal", "resolves", "mention"):
        db.execute(f"DELETE FROM {table} WHERE number = ?", (number,))
    for node in sorted(nodes):
        if not db.execute("SELECT 1 FROM mention WHERE node = ? LIMIT 1", (node,)).fetchone():
            _drop(db, node)


def _make(db: sqlite3.Connection, item: Mentioned, sameness: Sameness) -> int:
    name = read_name(item.text)
    rows = db.execute("SELECT id, text, merged FROM node WHERE key = ? AND kind = ?", (name.key, item.kind)).fetchall()
    insert = "INSERT INTO node (kind, text, key, merged) VALUES (?, ?, ?, 0)"
    node = int(db.execute(insert, (item.kind, item.text, name.key)).lastrowid or 0)
    same = [(candidate, merged) for candidate, text, merged in rows if _alike(name, read_name(text), sameness)]
    for twin, _ in same:
        db.executemany("INSERT INTO alias VALUES (?, ?)", ((node, twin), (twin, node)))
    labels = {merged for _, merged in same}
    label = min(labels, default=node)
    for twin in labels - {label}:
        db.execute("UPDATE node SET merged = ? WHERE merged = ?", (label, twin))
    db.execute("UPDATE node SET merged = ? WHERE id = ?", (label, node))
    return node


def _alike(left_name: Name, right_name: Name, sameness: Sameness) -> bool:
    if not same_name(left_name, right_name, sameness.string):
        return False
    return float(sameness.meaning(left_name.text) @ sameness.meaning(right_name.text)) >= sameness.cosine


def _drop(db: sqlite3.Connection, node: int) -> None:
    (label,) = db.execute("SELECT merged FROM node WHERE id = ?", (node,)).fetchone()
    others = [neighbour for (neighbour,) in db.execute("SELECT other FROM alias WHERE node = ?", (node,))]
    db.execute("DELETE FROM alias WHERE node = ?", (node,))
    db.executemany("DELETE FROM alias WHERE node = ? AND other = ?", ((neighbour, node) for neighbour in others))
    db.execute("DELETE FROM node WHERE id = ?", (node,))
    if len(others) > 1 or (others and label == node):
        _relabel(db, label)


def _relabel(db: sqlite3.Connection, label: int) -> None:
    """Recompute the connected components of a merged node after one of its nodes was deleted."""
    remaining = {node for (node,) in db.execute("SELECT id FROM node WHERE merged = ?", (label,))}
    while remaining:
        part, frontier = set[int](), {min(remaining)}
        while frontier:
            part |= frontier
            near = {
                neighbour
                for node in frontier
                for (neighbour,) in db.execute("SELECT other FROM alias WHERE node = ?", (node,))
            }
            frontier = near - part
        db.executemany("UPDATE node SET merged = ? WHERE id = ?", ((min(part), node) for node in part))
        remaining -= part
