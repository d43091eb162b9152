"""The global graph of entities and states: nodes come with the first SOP that names them and go with the last.

A node is one text of one kind. `alias` holds every pair of nodes that `merge.same_name` and the cosine of their vectors
call the same; `merged` is the smallest id among all nodes so connected, and so the name of the merged node.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tools.embedding import Vectors
from tools.retriever.merge import Name, read_name, same_name


@dataclass(frozen=True)
class Sameness:
    """How alike two nodes must be, τ of the characters and τ of the meaning (cosine), and who tells the meaning."""

    string: float
    cosine: float
    meaning: Callable[[str], Vectors]


@dataclass(frozen=True)
class Mentioned:
    """A node as an SOP names it, and the position of that element."""

    position: int
    kind: str
    text: str


def compared(db: sqlite3.Connection, named: Iterable[tuple[str, str]], string: float) -> set[str]:
    """The texts whose meaning will be asked for when nodes of these kinds and texts are made."""
    new: dict[tuple[str, str], set[str]] = {}
    for kind, text in named:
        new.setdefault((kind, read_name(text).key), set()).add(text)
    old: dict[tuple[str, str], set[str]] = {}
    query = "SELECT kind, key, text FROM node WHERE key IN (SELECT value FROM json_each(?))"
    for kind, key, text in db.execute(query, (json.dumps(sorted({key for _, key in new})),)):
        old.setdefault((kind, key), set()).add(text)
    pairs = (
        (one, other)
        for place, texts in new.items()
        for one in texts - old.get(place, set())
        for other in (texts | old.get(place, set())) - {one}
    )
    return {text for pair in pairs if same_name(read_name(pair[0]), read_name(pair[1]), string) for text in pair}


def mention(db: sqlite3.Connection, number: int, named: Iterable[Mentioned], sameness: Sameness) -> dict[int, int]:
    """Link an SOP to its nodes, made or found; gives position → node."""
    nodes: dict[int, int] = {}
    for one in named:
        found = db.execute("SELECT id FROM node WHERE kind = ? AND text = ?", (one.kind, one.text)).fetchone()
        nodes[one.position] = node = found[0] if found else _make(db, one, sameness)
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


def _make(db: sqlite3.Connection, one: Mentioned, sameness: Sameness) -> int:
    name = read_name(one.text)
    rows = db.execute("SELECT id, text, merged FROM node WHERE key = ? AND kind = ?", (name.key, one.kind)).fetchall()
    insert = "INSERT INTO node (kind, text, key, merged) VALUES (?, ?, ?, 0)"
    node = int(db.execute(insert, (one.kind, one.text, name.key)).lastrowid or 0)
    same = [(other, merged) for other, text, merged in rows if _alike(name, read_name(text), sameness)]
    for other, _ in same:
        db.executemany("INSERT INTO alias VALUES (?, ?)", ((node, other), (other, node)))
    labels = {merged for _, merged in same}
    label = min(labels, default=node)
    for other in labels - {label}:
        db.execute("UPDATE node SET merged = ? WHERE merged = ?", (label, other))
    db.execute("UPDATE node SET merged = ? WHERE id = ?", (label, node))
    return node


def _alike(one: Name, other: Name, sameness: Sameness) -> bool:
    if not same_name(one, other, sameness.string):
        return False
    return float(sameness.meaning(one.text) @ sameness.meaning(other.text)) >= sameness.cosine


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
