"""Elements: the texts of an SOP that are scored (cards, passages, entities, states, steps).

They are always in this order, so that a row index means the same in vectors, terms, texts and mentions. The first card
is that of the SOP; where it answers several alarms, those of the alarms follow, each with its lines.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from soprag.tools.retriever.index.alarm_cards import AlarmCard, alarm_cards
from soprag.tools.sop import Sop, Span, Views
from soprag.tools.text.terms import spaced

Kind = Literal["card", "passage", "entity", "state", "step"]
KINDS: tuple[Kind, ...] = get_args(Kind)

LAYOUT = 13  # raise it when elements or terms are made in another way: every SOP is then written anew
WORDS = 100  # of a passage
_LONGEST_LINE = 200  # words; a longer line is cut


@dataclass(frozen=True)
class Element:
    """One text of an SOP; `lines` are those of its body."""

    kind: Kind
    text: str
    context: str = field(default="", kw_only=True)  # read by the embedding model before the text, never shown
    lines: Span | None = field(default=None, kw_only=True)
    rows: tuple[int, ...] = field(default=(), kw_only=True)  # of a passage: the line that each row of its text is from

    @property
    def spoken(self) -> str:
        """The input of the embedding model."""
        return f"{self.context}{spaced(self.text)}"


def elements_of(sop: Sop, views: Views) -> list[Element]:
    """All elements of one SOP."""
    cards = alarm_cards(sop.body, views.flow)
    card = Element("card", " ".join(part for part in (_ended(views.card.title), views.card.abstract) if part))
    of_alarms = [_alarm(sop, card) for card in cards]
    passages = list(_passages(sop, cards)) or [
        Element("passage", "", context=f"{spaced(sop.title)}\n")
    ]  # found by title
    entities = [Element("entity", entity.name) for entity in views.entity.entities]
    states = [Element("state", state.text, lines=state.lines) for state in views.causal.states]
    steps = [Element("step", step.text, lines=step.lines) for step in views.flow.steps]
    return [card, *of_alarms, *passages, *entities, *states, *steps]


def _alarm(sop: Sop, card: AlarmCard) -> Element:
    words = " ".join(sop.body.split("\n")[card.start - 1 : card.end]).split()[:WORDS]
    return Element(
        "card", " ".join(words), context=f"{spaced(sop.title)}\n", lines=Span(start=card.start, end=card.end)
    )


def _passages(sop: Sop, cards: Sequence[AlarmCard]) -> Iterator[Element]:
    """The passages of the whole SOP; a card with a heading begins one, and its heading is read before its others."""
    headed = {card.start: card for card in cards if card.heading}
    title, heading, end = spaced(sop.title), "", 0
    for text, rows in passages_of(sop.body, headed):
        if rows[0] in headed:
            heading, end = spaced(headed[rows[0]].heading), headed[rows[0]].end
        inside = heading and rows[0] <= end and rows[0] not in headed
        context = f"{title}\n{heading}\n" if inside else f"{title}\n"
        yield Element("passage", text, context=context, lines=Span(start=rows[0], end=rows[-1]), rows=rows)


def passages_of(body: str, begins: Container[int] = (), limit: int = WORDS) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The body cut between lines into passages of at most about `limit` words, with the line of each of their rows.

    A line in `begins` begins a passage.
    """
    pieces: list[tuple[str, int]] = []
    count = 0
    for number, line in enumerate(body.split("\n"), 1):
        for piece in _cut(line):
            size = len(piece.split())
            if pieces and (count + size > limit or number in begins):
                yield _joined(pieces)
                pieces, count = [], 0
            if size:
                pieces.append((piece, number))
                count += size
    if pieces:
        yield _joined(pieces)


def _joined(pieces: list[tuple[str, int]]) -> tuple[str, tuple[int, ...]]:
    return "\n".join(piece for piece, _ in pieces), tuple(number for _, number in pieces)


def _cut(line: str) -> list[str]:
    """The line, split when it is longer than the embedding model's input."""
    tokens = line.split()
    if len(tokens) <= _LONGEST_LINE:
        return [line]
    return [" ".join(tokens[start : start + WORDS]) for start in range(0, len(tokens), WORDS)]


def _ended(title: str) -> str:
    return title if title.endswith((".", "!", "?", ":")) else f"{title}."
