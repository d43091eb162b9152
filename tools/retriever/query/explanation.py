"""Explanations of hits: matching entities, state path and step with their lines, and the lead over the next hit."""

from dataclasses import dataclass
from functools import cached_property

from soprag.tools.retriever.index.alarm_cards import alarm_cards
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.alarm_choice import chosen_card
from soprag.tools.retriever.query.judgement import CandidateJudgement
from soprag.tools.retriever.query.query import Query
from soprag.tools.retriever.query.ranking import RankedCandidates, Scores
from soprag.tools.retriever.query.results import CitedText, HitScores, RankedHit
from soprag.tools.retriever.query.similarity import SimilarityScores
from soprag.tools.sop import CausalView, Span
from soprag.tools.text.terms import terms

_MOST = 6  # entities named for one hit
_NAMES = {
    "card": "what it is about",
    "entity": "what is named",
    "causal": "the state of affairs",
    "flow": "the steps",
    "purpose": "its purpose",
}


@dataclass(frozen=True)
class Explainer:
    """Explains the candidates of one question."""

    query: Query
    candidates: list[Elements]
    evidence: SimilarityScores
    ranked: RankedCandidates
    confidence: Scores
    judgement: CandidateJudgement | None = None

    def hits(self, order: list[int]) -> tuple[RankedHit, ...]:
        """The candidates in this order, each with its reasons."""
        followers = [*order[1:], None]
        return tuple(self._hit(row, after) for row, after in zip(order, followers, strict=True))

    def _hit(self, row: int, after: int | None) -> RankedHit:
        candidate, ranked = self.candidates[row], self.ranked
        return RankedHit(
            sop=candidate.id,
            title=self.title(row),
            score=round(float(ranked.total[row]), 4),
            parts=HitScores(**{name: round(value, 4) for name, value in self._parts(row).items()}),
            confidence=round(float(self.confidence[row]), 4),
            entities=self._entities(candidate),
            states=self._path(candidate, self._sharpest(candidate, int(self.evidence.states[row]))),
            step=_cite(candidate, int(self.evidence.steps[row])),
            why=self._why(row, after),
            fit=self.judgement.fit(row) if self.judgement else "",
            begins=self._begins(candidate),
        )

    def _begins(self, candidate: Elements) -> str:
        """The first step of the alarm card that the question is about; empty for none."""
        line = chosen_card(self.query, candidate)
        if not line:
            return ""
        cards = alarm_cards(candidate.content.sop.body, candidate.content.views.flow)
        return next((card.step for card in cards if card.start == line), "")

    def title(self, row: int) -> str:
        """The title of a candidate."""
        return self.candidates[row].title

    def _parts(self, row: int) -> dict[str, float]:
        ranked = self.ranked
        every = {"card": ranked.card, "entity": ranked.entity, "causal": ranked.causal, "flow": ranked.flow}
        every["purpose"] = ranked.purpose
        return {name: float(part[row]) for name, part in every.items()} | {"lexical": float(ranked.lexical[row])}

    def _entities(self, candidate: Elements) -> tuple[str, ...]:
        """Entities all of whose terms occur in the question, by falling sum of idf; at most `_MOST`."""
        names = {name: frozenset(terms(name)) for name in candidate.texts[candidate.rows("entity")]}
        matching = {name: self._rarity(words) for name, words in names.items() if words and words <= self._asked.keys()}
        return tuple(sorted(matching, key=lambda name: (-matching[name], name))[:_MOST])

    @cached_property
    def _asked(self) -> dict[str, None]:
        return dict.fromkeys(self.query.terms)

    def _rarity(self, words: frozenset[str]) -> float:
        """The summed idf of those words that the question has, in its order: the sum must not depend on a hash."""
        return sum(self.query.idf[word] for word in self._asked if word in words)

    def _sharpest(self, candidate: Elements, row: int) -> int:
        """Among the states on the same lines, the row of the one with the largest idf overlap with the question."""
        states = candidate.rows("state")
        same = [
            state
            for state in range(states.start, states.stop)
            if (candidate.lines[state] == candidate.lines[row]).all()
        ]
        return max(same, key=lambda state: self._overlap(candidate, state)) if row >= 0 and len(same) > 1 else row

    def _overlap(self, candidate: Elements, row: int) -> float:
        return self._rarity(frozenset(terms(candidate.texts[row])))

    def _path(self, candidate: Elements, row: int) -> tuple[CitedText, ...]:
        """The path of states from the best matching one to the one linked to the card."""
        first = _cite(candidate, row)
        if first is None:
            return ()
        if candidate.hops[row] < 2:
            return (first,)
        view = candidate.content.views.causal
        return (
            first,
            *(
                CitedText(text=text, lines=lines)
                for text, lines in _shortest_path(view, row - candidate.rows("state").start)
            ),
        )

    def _why(self, row: int, after: int | None) -> str:
        if after is None:
            return ""
        mine, theirs = self._parts(row), self._parts(after)
        gains = {name: mine[name] - theirs[name] for name in _NAMES}
        for_it = [name for name in sorted(gains, key=lambda name: -gains[name]) if gains[name] > 0]
        reasons = ", ".join(f"{_NAMES[name]} {gains[name]:+.2f}" for name in for_it[:3]) or "nothing: they tie"
        against = [f"{_NAMES[name]} {gains[name]:+.2f}" for name in gains if gains[name] < 0]
        tail = f"; against it: {', '.join(against)}" if against else ""
        return f"before {self.title(after)!r} for {reasons}{tail}"


def _cite(candidate: Elements, row: int) -> CitedText | None:
    if row < 0:
        return None
    start, end = candidate.lines[row].tolist()
    return CitedText(text=candidate.texts[row], lines=Span(start=start, end=end) if start else None)


def _shortest_path(view: CausalView, first: int) -> list[tuple[str, Span | None]]:
    """The shortest path of a causal view from its state with index `first` to a state that the SOP resolves."""
    states = {state.id: state for state in view.states}
    queue = [[view.states[first].id]]
    visited = {view.states[first].id}
    for path in queue:  # grows while it is read: breadth first
        if path[-1] in view.resolves:
            return [(states[id].text, states[id].lines) for id in path[1:]]
        near = {edge.target for edge in view.edges if edge.source == path[-1]} - visited
        visited |= near
        queue += [[*path, target] for target in sorted(near)]
    return []
