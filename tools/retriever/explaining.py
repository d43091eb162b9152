"""Why a hit is a hit: the entities, the state and the step that fit, where they stand, and what beats the runner-up."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tools.retriever.found import Cited, Parts, RankedHit
from tools.retriever.index import Index
from tools.retriever.question import Asked
from tools.retriever.ranking import Ranked, Scores
from tools.retriever.reader import Elements
from tools.retriever.similarity import Evidence
from tools.retriever.terms import Hashes, hashes
from tools.sop import CausalView, Span

_MOST = 6  # entities named for one hit
_NAMES = {"card": "what it is about", "entity": "what is named", "causal": "the state of affairs", "flow": "the steps"}


@dataclass(frozen=True)
class Explainer:
    """Explains the candidates of one question."""

    index: Index
    asked: Asked
    candidates: list[Elements]
    evidence: Evidence
    ranked: Ranked
    confidence: Scores

    def hits(self, order: list[int]) -> tuple[RankedHit, ...]:
        """The candidates in this order, each with its reasons."""
        followers = [*order[1:], None]
        return tuple(self._hit(at, after) for at, after in zip(order, followers, strict=True))

    def _hit(self, at: int, after: int | None) -> RankedHit:
        one, ranked = self.candidates[at], self.ranked
        return RankedHit(
            sop=one.id,
            title=self.title(at),
            score=round(float(ranked.total[at]), 4),
            parts=Parts(**{name: round(value, 4) for name, value in self._parts(at).items()}),
            confidence=round(float(self.confidence[at]), 4),
            entities=self._entities(one),
            states=self._path(one, self._sharpest(one, int(self.evidence.states[at]))),
            step=_cite(one, int(self.evidence.steps[at])),
            why=self._why(at, after),
        )

    def title(self, at: int) -> str:
        """The title of a candidate."""
        return self._titles[self.candidates[at].id]

    @cached_property
    def _titles(self) -> dict[str, str]:
        return self.index.titles([one.id for one in self.candidates])

    def _parts(self, at: int) -> dict[str, float]:
        ranked = self.ranked
        every = {"card": ranked.card, "entity": ranked.entity, "causal": ranked.causal, "flow": ranked.flow}
        return {name: float(part[at]) for name, part in every.items()} | {"lexical": float(ranked.lexical[at])}

    def _entities(self, one: Elements) -> tuple[str, ...]:
        """The entities all of whose words are in the question, those with the rarest words first."""
        rows = one.rows("entity")
        begins, ends = one.ends[max(rows.start - 1, 0) : rows.stop - 1], one.ends[rows]
        if rows.stop == rows.start:
            return ()
        asked = (one.terms[begins[0] : ends[-1], None] == self._asked).any(axis=1)
        share = np.add.reduceat(np.append(asked, 0).astype(np.int32), begins - begins[0])
        named = np.flatnonzero((share == ends - begins) & (ends > begins))
        found = {one.texts[rows.start + at]: self._rarity(one, begins[at], ends[at]) for at in named.tolist()}
        return tuple(sorted(found, key=lambda name: (-found[name], name))[:_MOST])

    @cached_property
    def _asked(self) -> Hashes:
        return hashes(self.asked.terms)

    @cached_property
    def _idf(self) -> dict[int, float]:
        return dict(zip(hashes(list(self.asked.idf)).tolist(), self.asked.idf.values(), strict=True))

    def _rarity(self, one: Elements, begin: int, end: int) -> float:
        return sum(self._idf[word] for word in set(one.terms[begin:end].tolist()))

    def _sharpest(self, one: Elements, row: int) -> int:
        """Of several states on the same lines the one that says most of the question."""
        states = one.rows("state")
        same = [at for at in range(states.start, states.stop) if (one.lines[at] == one.lines[row]).all()]
        return max(same, key=lambda at: self._said(one, at)) if row >= 0 and len(same) > 1 else row

    def _said(self, one: Elements, row: int) -> float:
        words = one.terms[one.ends[row - 1] : one.ends[row]]
        return sum(self._idf[word] for word in set(words.tolist()) & set(self._asked.tolist()))

    def _path(self, one: Elements, row: int) -> tuple[Cited, ...]:
        """The states from the one that fits to the one that is linked to the card."""
        first = _cite(one, row)
        if first is None:
            return ()
        if one.hops[row] < 2:
            return (first,)
        view = self.index.views(one.id).causal
        return (first, *(Cited(text=text, lines=lines) for text, lines in _way(view, row - one.rows("state").start)))

    def _why(self, at: int, after: int | None) -> str:
        if after is None:
            return ""
        mine, theirs = self._parts(at), self._parts(after)
        gains = {name: mine[name] - theirs[name] for name in _NAMES}
        for_it = [name for name in sorted(gains, key=lambda name: -gains[name]) if gains[name] > 0]
        reasons = ", ".join(f"{_NAMES[name]} {gains[name]:+.2f}" for name in for_it[:3]) or "nothing: they tie"
        against = [f"{_NAMES[name]} {gains[name]:+.2f}" for name in gains if gains[name] < 0]
        tail = f"; against it: {', '.join(against)}" if against else ""
        return f"before {self.title(after)!r} for {reasons}{tail}"


def _cite(one: Elements, row: int) -> Cited | None:
    if row < 0:
        return None
    start, end = one.lines[row].tolist()
    return Cited(text=one.texts[row], lines=Span(start=start, end=end) if start else None)


def _way(view: CausalView, first: int) -> list[tuple[str, Span | None]]:
    """The shortest way over the edges of a causal view from its state `first` to one that it resolves."""
    states = {state.id: state for state in view.states}
    queue = [[view.states[first].id]]
    seen = {view.states[first].id}
    for way in queue:  # grows while it is read: breadth first
        if way[-1] in view.resolves:
            return [(states[id].text, states[id].lines) for id in way[1:]]
        near = {edge.target for edge in view.edges if edge.source == way[-1]} - seen
        seen |= near
        queue += [[*way, target] for target in sorted(near)]
    return []
