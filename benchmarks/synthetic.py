"""SOPs that nobody wrote: as many as a measurement needs, always the same for the same seed.

Words follow Zipf's law over an invented vocabulary, plants share equipment and symptoms, and the views are made along
with the text, so that neither extraction nor an embedding model is part of what is measured.
"""

import re
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Tokens, Vectors
from soprag.tools.sop import (
    Card,
    CausalEdge,
    CausalView,
    Entity,
    EntityView,
    FlowEdge,
    FlowGraph,
    Sop,
    Span,
    State,
    Step,
    Views,
)
from soprag.tools.text.terms import terms

_SOUNDS = "ba co di fer go han ix jo kel lum mor nax ol pra quin ros sel tor um ver wal yar zon"
_WORD = re.compile(r"\w+")
_EQUIPMENT = ("pump", "chiller", "valve", "compressor", "boiler", "fan", "breaker", "tank", "conveyor", "sensor")
_FAULTS = ("trips", "leaks", "overheats", "vibrates", "is stuck", "does not start", "shows a low level", "is noisy")
_VERBS = ("Close", "Open", "Check", "Stop", "Start", "Isolate", "Drain", "Tighten", "Record", "Inspect")


@dataclass(frozen=True)
class HashEmbedder:
    """A random projection of the terms of a text: equal words, equal vectors; fast, and useless for real questions."""

    dimension: int = 384
    name: str = "hash-projection"

    @cached_property
    def _table(self) -> Vectors:
        return np.random.default_rng(0).standard_normal((8191, self.dimension), dtype=np.float32)

    def embed(self, texts: list[str]) -> Vectors:
        """One unit vector per text."""
        out = np.empty((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            rows = [hash_of(word) % 8191 for word in terms(text)] or [0]
            out[row] = self._table[rows].sum(axis=0)
        out /= np.linalg.norm(out, axis=1, keepdims=True)
        return out

    def tokens(self, texts: list[str]) -> list[Tokens]:
        """One unit vector per word, the same wherever it stands."""
        return [self._tokens(text, vector) for text, vector in zip(texts, self.embed(texts), strict=True)]

    def _tokens(self, text: str, vector: Vectors) -> Tokens:
        spans = [match.span() for match in _WORD.finditer(text)] or [(0, len(text))]
        rows = self._table[[hash_of(text[start:end]) % 8191 for start, end in spans]]
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return Tokens(vector, unit, np.array(spans, np.int32))


def hash_of(word: str) -> int:
    """A hash that is the same in every process."""
    return zlib.crc32(word.encode())


@dataclass(frozen=True)
class Plant:
    """Writes SOPs; number `n` is the same SOP whatever was asked for before."""

    seed: int = 7
    vocabulary: int = 40_000
    steps: int = 12
    _words: list[str] = field(init=False, repr=False)
    _weights: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        vocabulary = ["".join(rng.choice(_SOUNDS.split(), rng.integers(2, 5))) for _ in range(self.vocabulary)]
        weights = np.cumsum(1 / np.arange(3, self.vocabulary + 3))
        object.__setattr__(self, "_words", vocabulary)
        object.__setattr__(self, "_weights", weights / weights[-1])

    def write(self, number: int, version: int = 0) -> tuple[Sop, Views]:
        """SOP `number` and its views; another `version` has other words in its last step."""
        rng = np.random.default_rng((self.seed, number))
        machine = (
            f"{_EQUIPMENT[rng.integers(10)]} {'PCVX'[rng.integers(4)]}-{rng.integers(100, 100 + 50 + number // 20)}"
        )
        title = f"{machine.capitalize()} {_FAULTS[rng.integers(8)]} {self._phrase(rng, 2)}"
        symptoms = [f"The {machine} {_FAULTS[rng.integers(8)]}", f"{self._phrase(rng, 3)} {_FAULTS[rng.integers(8)]}"]
        symptoms += [f"High {self._phrase(rng, 6)}", f"The {_EQUIPMENT[rng.integers(10)]} {_FAULTS[rng.integers(8)]}"]
        actions = [f"{_VERBS[rng.integers(10)]} the {self._phrase(rng, 12)}." for _ in range(self.steps)]
        actions[-1] += f" Revision {version}." if version else ""
        lines = [f"# {title}", "", *(f"{text}." for text in symptoms), ""]
        first = len(lines) + 1
        lines += [f"{position}. {text}" for position, text in enumerate(actions, 1)]
        names = [machine, *(self._phrase(rng, 2) for _ in range(4))]
        sop = Sop(
            id=f"sop-{number:06}",
            title=title,
            text="\n".join(lines),
            document=f"doc-{number:06}",
            span=Span(start=1, end=len(lines)),
        )
        return sop, _views(title, symptoms, (actions, first), names)

    def question(self, number: int) -> str:
        """Words that an operator with the trouble of SOP `number` might use."""
        sop, views = self.write(number)
        rng = np.random.default_rng((self.seed, number, 1))
        vocabulary = f"{sop.title} {views.causal.states[1].text} {views.flow.steps[0].text}".split()
        return " ".join(rng.choice(vocabulary, min(10, len(vocabulary)), replace=False))

    def _phrase(self, rng: np.random.Generator, count: int) -> str:
        return " ".join(self._words[index] for index in np.searchsorted(self._weights, rng.random(count)))


def _views(title: str, symptoms: list[str], numbered: tuple[list[str], int], names: list[str]) -> Views:
    actions, first = numbered
    steps = [
        Step(
            id=f"s{number}",
            kind="action",
            text=text,
            label=f"{number}.",
            lines=Span(start=first + number - 1, end=first + number - 1),
        )
        for number, text in enumerate(actions, 1)
    ]
    states = [
        State(id=f"c{number}", text=text, lines=Span(start=number + 2, end=number + 2))
        for number, text in enumerate(symptoms, 1)
    ]
    return Views(
        card=Card(title=title, abstract=symptoms[0]),
        entity=EntityView(entities=tuple(Entity(name=name, kind="asset") for name in dict.fromkeys(names))),
        causal=CausalView(
            states=tuple(states),
            edges=(CausalEdge(source="c2", relation="causes", target="c1"),),
            resolves=("c1", "c4"),
        ),
        flow=FlowGraph(
            steps=tuple(steps),
            edges=tuple(FlowEdge(source=a.id, target=b.id) for a, b in pairwise(steps)),
        ),
    )
