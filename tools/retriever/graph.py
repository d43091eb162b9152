"""The global graph of entities and states: nodes come with the first SOP that names them and go with the last.

A node is one text of one kind. `alias` holds every pair of nodes that `merge.same_name` and the cosine of their vectors
call the same; `merged` is the smallest id among all nodes so connected, and so the name of the merged node.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tools.embedding import Vectors
from tools.retriever.merge import Name, read_name, same_name


@dataclass(frozen=True)
class Threshold:
    """How alike two nodes must be: τ of the characters and τ of the meaning (cosine)."""

    string: float
    cosine: float


@dataclass(frozen=True)
class Mentioned:
    """A node as an SOP names it: the position of the element and its vector."""

    position: int
    kind: str
    text: str
    vector: Vectors


def mention(db: sqlite3.Connection, number: int, named: Iterable[Mentioned], threshold: Threshold) -> dict[int, int]:
    """Link an SOP to its nodes, made or found; gives position → node."""
    nodes: dict[int, int] = {}
    for one in named:
        found = db.execute("SELECT id FROM node WHERE kind = ? AND text = ?", (one.kind, one.text)).fetchone()
        nodes[one.position] = node = found[0] if found else _make(db, one, threshold)
        db.execute("INSERT INTO mention VALUES (?, ?, ?)", (number, one.position, node))
    return nodes


def forget(db: sqlite3.Connection, number: int) -> None:
    """Take back every link of an SOP, and the nodes that no SOP names any more."""
    named = {node for (node,) in db.execute("SELECT node FROM mention WHERE number = ?", (number,))}
    for table in ("causal", "resolves", "mention"):
        db.execute(f"DELETE FROM {table} WHERE number = ?", (number,))
    for node in sorted(named):
        if not db.execute("SELECT 1 FROM mention WHERE node = ? LIMIT 1", (node,)).fetchone():
            _drop(db, node)


def _make(db: sqlite3.Connection, one: Mentioned, threshold: Threshold) -> int:
    name = read_name(one.text)
    rows = db.execute("SELECT id, text, merged FROM node WHERE key = ? AND kind = ?", (name.key, one.kind)).fetchall()
    insert = "INSERT INTO node (kind, text, key, merged) VALUES (?, ?, ?, 0)"
    node = int(db.execute(insert, (one.kind, one.text, name.key)).lastrowid or 0)
    same = [(other, merged) for other, text, merged in rows if _alike(db, name, one, (other, text), threshold)]
    for other, _ in same:
        db.executemany("INSERT INTO alias VALUES (?, ?)", ((node, other), (other, node)))
    labels = {merged for _, merged in same}
    label = min(labels, default=node)
    for other in labels - {label}:
        db.execute("UPDATE node SET merged = ? WHERE merged = ?", (label, other))
    db.execute("UPDATE node SET merged = ? WHERE id = ?", (label, node))
    return node


def _alike(db: sqlite3.Connection, name: Name, one: Mentioned, other: tuple[int, str], threshold: Threshold) -> bool:
    node, text = other
    if not same_name(name, read_name(text), threshold.string):
        return False
    vector = _vector(db, node, one.vector.size)
    return vector is None or float(vector @ one.vector) >= threshold.cosine


def _vector(db: sqlite3.Connection, node: int, size: int) -> Vectors | None:
    """The vector of a node, from the first SOP that names it; read in place and not the whole blob."""
    at = db.execute("SELECT number, position FROM mention WHERE node = ? LIMIT 1", (node,)).fetchone()
    if at is None:
        return None
    width = size * np.dtype(np.float16).itemsize
    with db.blobopen("element", "vectors", at[0], readonly=True) as blob:
        blob.seek(at[1] * width)
        return np.frombuffer(blob.read(width), np.float16).astype(np.float32)


def _drop(db: sqlite3.Connection, node: int) -> None:
    (label,) = db.execute("SELECT merged FROM node WHERE id = ?", (node,)).fetchone()
    others = [other for (other,) in db.execute("SELECT other FROM alias WHERE node = ?", (node,))]
    db.execute("DELETE FROM alias WHERE node = ?", (node,))
    db.executemany("DELETE FROM alias WHERE node = ? AND other = ?", ((other, node) for other in others))
    db.execute("DELETE FROM node WHERE id = ?", (node,))
    if len(others) > 1 or (others and label == node):
        _relabel(db, label)


def _relabel(db: sqlite3.Connection, label: int) -> None:
    """Name the parts of a merged node anew after one of its nodes is gone."""
    left = {node for (node,) in db.execute("SELECT id FROM node WHERE merged = ?", (label,))}
    while left:
        part, frontier = set[int](), {min(left)}
        while frontier:
            part |= frontier
            near = {
                other for node in frontier for (other,) in db.execute("SELECT other FROM alias WHERE node = ?", (node,))
            }
            frontier = near - part
        db.executemany("UPDATE node SET merged = ? WHERE id = ?", ((min(part), node) for node in part))
        left -= part
