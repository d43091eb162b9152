"""Read access at query time: elements of selected SOPs with a cache, and ranked ids."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index import codes, tokens
from soprag.tools.retriever.index.content import Content
from soprag.tools.retriever.index.elements import KINDS, Kind
from soprag.tools.retriever.index.layout import Layout
from soprag.tools.retriever.index.storage import Rows
from soprag.tools.retriever.index.tokens import Passages
from soprag.tools.text.terms import terms

_CODES = np.arange(len(KINDS) + 1, dtype=np.uint8)  # of the kinds, and one past the last


@dataclass(frozen=True)
class Elements:
    """The scored texts of one SOP, in the order card, passages, entities, states, steps; a row each.

    `vectors` (n, dimension) float32 of about length 1; `lines` (n, 2), 0 where unknown; `hops` from a state to the
    card, 0 where there is no path. Without the setting `element_vectors` only the first rows (card and passages) have
    vectors. `tokens` are the token vectors of the passages, if the model gives any; `content` are its words.
    """

    id: str
    title: str
    number: int
    kinds: NDArray[np.uint8]
    lines: NDArray[np.int32]
    hops: NDArray[np.uint8]
    vectors: Vectors
    content: Content
    tokens: Passages | None

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of every row."""
        return self.content.texts

    @cached_property
    def terms(self) -> tuple[frozenset[str], ...]:
        """The different terms of every row."""
        return tuple(frozenset(terms(text)) for text in self.texts)

    @cached_property
    def _bounds(self) -> list[int]:
        """The first row of every kind, and the number of rows."""
        bounds: list[int] = np.searchsorted(self.kinds, _CODES).tolist()
        return bounds

    def rows(self, kind: Kind) -> slice:
        """The rows of one kind."""
        code = KINDS.index(kind)
        first, past = self._bounds[code : code + 2]
        return slice(first, past)

    @cached_property
    def passages(self) -> Vectors:
        """The vectors of the passages."""
        return self.vectors[self.rows("passage")]

    @cached_property
    def gist(self) -> Vectors:
        """The normalised mean of the passage vectors, shape (dimension,)."""
        mean = self.passages.sum(axis=0) / len(self.passages)
        gist: Vectors = mean / max(float(np.sqrt(mean @ mean)), 1e-9)
        return gist

    @cached_property
    def alarm_rows(self) -> range:
        """The rows of the cards of single alarms."""
        cards = self.rows("card")
        return range(cards.start + 1, cards.stop)

    def about(self, vector: Vectors) -> float:
        """The cosine of `vector` (dimension,) with the gist, or with the nearest card of an alarm."""
        cards = self.vectors[self.alarm_rows.start : self.alarm_rows.stop] @ vector
        return float(max(self.gist @ vector, cards.max(initial=-1.0)))

    @cached_property
    def token_lines(self) -> "TokenLines":
        """The token spans of the lines of all passages."""
        assert self.tokens is not None
        begins, lines = self.tokens.starts, self.tokens.lines
        if not len(lines):  # nothing but signs that no model reads: one line without a token
            return TokenLines(*np.zeros((3, 1), np.intp), *np.full((2, 1), -1, np.int32))
        first = np.append(True, lines[1:] != lines[:-1])
        first[begins[begins < len(lines)]] = True
        starts = np.flatnonzero(first)
        sizes = np.append(starts[1:], len(lines)) - starts
        passages = np.searchsorted(begins, starts, side="right") - 1
        states, steps = self._standing(lines[starts], "state"), self._standing(lines[starts], "step")
        return TokenLines(starts, sizes, passages, states, steps)

    def _standing(self, lines: NDArray[np.int32], kind: Kind) -> NDArray[np.int32]:
        """The row of the state or the innermost step on each line; -1 where there is none, as in the title."""
        row_of = np.full(int(self.lines.max(initial=0)) + 2, -1, np.int32)
        rows = self.rows(kind)
        spans = [(start, -end, row) for row, (start, end) in enumerate(self.lines[rows].tolist(), rows.start) if start]
        for start, negated, row in sorted(spans):
            row_of[start : 1 - negated] = row  # what begins later lies within what began before
        return row_of[np.minimum(lines, len(row_of) - 1)]


@dataclass(frozen=True)
class TokenLines:
    """The lines of the passages of an SOP, one row each; every passage begins with the title as a separate line.

    Row i has `sizes[i]` tokens from `starts[i]` on and belongs to passage `passages[i]`; `states` and `steps` are the
    element rows of the state and the step on the line, -1 where there is none.
    """

    starts: NDArray[np.intp]
    sizes: NDArray[np.intp]
    passages: NDArray[np.intp]
    states: NDArray[np.int32]
    steps: NDArray[np.int32]


class SopCache:
    """LRU cache of decoded SOPs by number; the content of a number never changes, so entries never go stale."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._kept: OrderedDict[int, Elements] = OrderedDict()
        self._lock = Lock()

    def take(self, db: Rows, named: Mapping[int, str]) -> list[Elements]:
        """The elements of the SOPs with these numbers and ids, in the order given."""
        with self._lock:
            found = {number: self._kept[number] for number in named if number in self._kept}
        found |= {fresh.number: fresh for fresh in read_elements(db, named.keys() - found.keys())}
        with self._lock:
            for number in named:
                self._kept[number] = found[number]
                self._kept.move_to_end(number)
            while len(self._kept) > self.size:
                self._kept.popitem(last=False)
        return [found[number] for number in named]


def read_elements(db: Rows, numbers: Iterable[int]) -> Iterator[Elements]:
    """The elements of these SOPs, from their rows."""
    inside, those = db.among("number", sorted(numbers))
    columns = "id, title, number, layout, vectors, content, tokens"
    rows = db.execute(f"SELECT {columns} FROM element JOIN sop USING (number) WHERE {inside}", (those,))
    for id, title, number, packed, vectors, content, coded in rows:
        layout = Layout.unpack(packed)
        yield Elements(
            id=id,
            title=title,
            number=number,
            kinds=np.repeat(np.arange(len(KINDS), dtype=np.uint8), layout.counts),
            lines=layout.lines,
            hops=layout.hops,
            vectors=codes.unpack(vectors).vectors(),
            content=Content(content),
            tokens=tokens.unpack(coded) if coded else None,
        )


def numbered(db: Rows, ids: Sequence[str]) -> dict[int, str]:
    """Number and id of these SOPs, in the order given; an id that is not in the index is left out."""
    inside, those = db.among("id", ids)
    numbers = dict(db.execute(f"SELECT id, number FROM sop WHERE {inside}", (those,)).fetchall())
    return {numbers[id]: id for id in ids if id in numbers}


def named(db: Rows, numbers: Iterable[int]) -> dict[int, str]:
    """Number and id of the SOPs with these numbers; what is no longer in the index is left out."""
    inside, those = db.among("number", sorted(numbers))
    return dict(db.execute(f"SELECT number, id FROM sop WHERE {inside}", (those,)).fetchall())


def ranked(ids: Mapping[int, str], scores: Mapping[int, float]) -> list[tuple[str, float]]:
    """Scores by number as (id, score), best first and ties by id; numbers without an id are left out.

    Numbers depend on the order of insertion, which must not influence a ranking.
    """
    rows = ((ids[number], score) for number, score in scores.items() if number in ids)
    return sorted(rows, key=lambda row: (-row[1], row[0]))
