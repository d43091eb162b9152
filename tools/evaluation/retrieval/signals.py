"""Signals of the baselines: BM25 and cosine scores, over whole SOPs and over passages."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding import Embedder, Vectors
from soprag.tools.evaluation.retrieval.systems import Stopwatch
from soprag.tools.sop import Sop
from soprag.tools.text.stop_words import broad
from soprag.tools.text.terms import terms, with_pairs

Scores = NDArray[np.float64]  # one per SOP

K1, B = 1.2, 0.75  # the usual BM25 constants; nothing here is fitted to any benchmark
PASSAGE = 100  # words: about what MiniLM reads well, and what BEIR calls a passage


class BaselineSignal(Protocol):
    """Scores every SOP for a question."""

    def scores(self, question: str, watch: Stopwatch) -> Scores:
        """One score per SOP in corpus order, the larger the better; its time goes on `watch`."""
        ...


@dataclass(frozen=True)
class Units:
    """Texts in corpus order; those of one SOP stand together and begin at its place in `starts`."""

    texts: list[str]
    starts: NDArray[np.intp]

    def best(self, scores: NDArray[Any]) -> Scores:
        """The best score of each SOP's texts."""
        return np.maximum.reduceat(np.asarray(scores, dtype=np.float64), self.starts)


@dataclass(frozen=True)
class Lexical:
    """BM25 over units; with pairs, two neighbouring words count as a word too."""

    units: Units
    index: Any
    pairs: bool

    def scores(self, question: str, watch: Stopwatch) -> Scores:
        """See `Signal`."""
        with watch.stage("bm25"):
            tokens = _words(question, self.pairs)
            if not tokens:
                return np.zeros(len(self.units.starts))
            return self.units.best(self.index.get_scores(tokens))


@dataclass(frozen=True)
class Dense:
    """Cosine between question and units."""

    units: Units
    vectors: Vectors
    embedder: Embedder

    def scores(self, question: str, watch: Stopwatch) -> Scores:
        """See `Signal`."""
        with watch.stage("embed"):
            vector = self.embedder.embed([question])[0]
        with watch.stage("vectors"):
            return self.units.best(self.vectors @ vector)


class Signals:
    """The signals of one corpus, each built when first asked for and timed; baselines share them."""

    def __init__(self, embedder: Embedder, asker: Embedder | None = None) -> None:
        """`embedder` embeds the corpus and `asker` the questions, when that shall be another (one without a cache)."""
        self.embedder, self.asker = embedder, asker or embedder
        self._corpus: tuple[Sop, ...] = ()
        self._built: dict[str, tuple[BaselineSignal, Mapping[str, float]]] = {}

    def take(self, corpus: Sequence[Sop]) -> None:
        """Forget everything when this is another corpus."""
        if tuple(corpus) != self._corpus:
            self._corpus, self._built = tuple(corpus), {}

    def get(self, name: str) -> tuple[BaselineSignal, Mapping[str, float]]:
        """The signal `name` of `SIGNALS`, and the seconds it took to build."""
        if name not in self._built:
            watch = Stopwatch()
            self._built[name] = (SIGNALS[name](self, watch), watch.seconds)
        return self._built[name]

    def whole(self) -> Units:
        """Every SOP as one text."""
        return Units([f"{sop.title}\n{sop.body}" for sop in self._corpus], np.arange(len(self._corpus)))

    def passages(self) -> Units:
        """Every SOP in passages, each below the title."""
        cut = [passages(sop.body) for sop in self._corpus]
        texts = [
            f"{sop.title}\n{text}" for sop, sop_passages in zip(self._corpus, cut, strict=True) for text in sop_passages
        ]
        return Units(texts, np.array([0, *accumulate(map(len, cut[:-1]))], dtype=np.intp))

    def lexical(self, units: Callable[[], Units], pairs: bool, watch: Stopwatch) -> Lexical:
        """Index the words of the units."""
        import bm25s

        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG when imported
        with watch.stage("bm25"):
            texts = units()
            index = bm25s.BM25(method="lucene", k1=K1, b=B)
            # bm25s cannot index a corpus without any word, so that a text without words gets one that nobody asks for.
            index.index([_words(text, pairs) or ["\0"] for text in texts.texts], show_progress=False)
        return Lexical(texts, index, pairs)

    def dense(self, units: Callable[[], Units], watch: Stopwatch) -> Dense:
        """Embed the units."""
        with watch.stage("embed"):
            texts = units()
            return Dense(texts, self.embedder.embed(texts.texts), self.asker)


SIGNALS: dict[str, Callable[[Signals, Stopwatch], BaselineSignal]] = {
    "words": lambda all_of, watch: all_of.lexical(all_of.whole, False, watch),
    "word pairs": lambda all_of, watch: all_of.lexical(all_of.whole, True, watch),
    "passage word pairs": lambda all_of, watch: all_of.lexical(all_of.passages, True, watch),
    "vectors": lambda all_of, watch: all_of.dense(all_of.whole, watch),
    "passage vectors": lambda all_of, watch: all_of.dense(all_of.passages, watch),
}


def passages(body: str) -> list[str]:
    """The lines of `body` packed into passages of at most `PASSAGE` words; a longer line is cut between words."""
    packed: list[str] = []
    lines: list[str] = []
    count = 0
    for line, size in _pieces(body):
        if lines and count + size > PASSAGE:
            packed.append("\n".join(lines))
            lines, count = [], 0
        lines.append(line)
        count += size
    return [*packed, "\n".join(lines)]


def _pieces(body: str) -> list[tuple[str, int]]:
    """Lines with their number of words, none longer than a passage."""
    pieces = []
    for line in body.splitlines():
        tokens = line.split()
        if len(tokens) <= PASSAGE:
            pieces.append((line, len(tokens)))
        else:
            cuts = [tokens[start : start + PASSAGE] for start in range(0, len(tokens), PASSAGE)]
            pieces += [(" ".join(cut), len(cut)) for cut in cuts]
    return pieces


def _words(text: str, pairs: bool) -> list[str]:
    tokens = terms(text, broad())
    return with_pairs(tokens) if pairs else tokens
