"""Extraction of the card and the three views of an SOP by a model (paper 3.2).

The model answers with line numbers and ids; all text is copied from the SOP by code. Names that do not occur in the SOP
are dropped and counted. Of an SOP in doubt the same answer says whether it is one. The code's own reading
(`tools.procedure`) proposes numbered steps and warnings by their lines; the model confirms or strikes each. Lines that
it overlooks are asked back once, and stay as proposed without an answer.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from soprag.tools.errors import AnswerCut, ModelError, NoProcedure
from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.retriever.index.losses import Losses
from soprag.tools.retriever.index.proposal import Proposal
from soprag.tools.retriever.index.source_alignment import SourceAligner, WindowAnswer
from soprag.tools.sop import Card, Sop, Views
from soprag.tools.tasks.benchmark import CARD, SopAsk
from soprag.tools.tasks.retriever import (
    EXTRACT,
    EXTRACT_CAUSAL,
    EXTRACT_ENTITY,
    EXTRACT_FLOW,
    OVERLOOKED,
    NumberedSop,
    OverlookedAsk,
    ViewsAnswer,
    number,
    unnumber,
)
from soprag.tools.tasks.task import Llm
from soprag.tools.text.sanitize import one_line

_MOST_OVERLOOKED = 40  # lines; an answer that overlooks more is completed without asking
_AROUND = 2  # lines shown before and after an overlooked one
_REASON = 300  # characters of a model's reason
_NUMBER = 8  # characters of the number in front of a line
Mode = Literal["combined", "separate"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Extracted:
    """The views of one SOP, the flow that its flow view is made of, and the counts of dropped and restored parts."""

    views: Views
    flow: ProcedureFlow
    losses: Losses


@dataclass(frozen=True)
class Extractor:
    """Extracts views in one call per SOP (`combined`) or in four as in the paper (`separate`).

    `window` is the most characters of an SOP that one call shows; 0 shows all of it, as the rules can take. Of the SOPs
    in `doubts`, by id, the same call asks whether they are procedures, with what the rules go by.
    """

    llm: Llm
    mode: Mode = "combined"
    window: int = 0
    doubts: Mapping[str, str] = field(default_factory=dict)

    async def extract(self, sop: Sop) -> Views:
        """The card and the three views of `sop`.

        Raises `ModelError` when a model gives no answer, and `NoProcedure` when an SOP in doubt is none for it.
        """
        return (await self.examine(sop)).views

    async def examine(self, sop: Sop) -> Extracted:
        """The views of `sop` with their flow and the counts of dropped and restored parts."""
        source = SourceText(sop.body)
        binder = SourceAligner(sop.title, source)
        proposal = Proposal.of(binder.flow.reading)
        doubt = self.doubts.get(sop.id, "")
        asks = [_ask(sop.title, text, proposal, doubt) for text in self._windows(source.lines)]
        card, answers = await self._answers(sop, asks)
        for answer in answers:
            binder.take(answer)
        await self._ask_back(sop, binder)
        flow = binder.flow.flow()
        views = binder.views(card, flow)
        if binder.losses.total:
            _log.info("%s: %s", sop.id, binder.losses)
        return Extracted(views, flow, binder.losses)

    async def _ask_back(self, sop: Sop, binder: SourceAligner) -> None:
        """Ask once about proposed lines that the answers neither hold nor strike; without an answer they stay."""
        overlooked = binder.flow.overlooked()
        lines = sorted({*overlooked.steps, *overlooked.warnings})
        if not lines or len(lines) > _MOST_OVERLOOKED:
            return
        around = {line + offset for line in lines for offset in range(-_AROUND, _AROUND + 1)}
        rows = [f"{n}| {text}" for n, text in enumerate(binder.source.lines, 1) if n in around]
        ask = OverlookedAsk(
            title=sop.title,
            numbered="\n".join(rows),
            proposed_steps=list(overlooked.steps),
            proposed_warnings=list(overlooked.warnings),
            chart=[f"{step.id}: {step.start}-{step.end}" for step in binder.flow.steps],
        )
        try:
            binder.flow.take_overlooked(await self.llm.ask(OVERLOOKED, ask))
        except ModelError as error:
            _log.info("%s: overlooked lines stay as the code reads them: %s", sop.id, error)

    async def _answers(self, sop: Sop, asks: list[NumberedSop]) -> tuple[Card, list[WindowAnswer]]:
        """The card, and the three views of every window."""
        if self.mode == "combined":
            whole = [answer for window in await asyncio.gather(*map(self._views, asks)) for answer in window]
            if asks[0].doubt:
                _check_verdict(sop, whole)
            return Card(title=sop.title, abstract=whole[0].abstract), [
                WindowAnswer(a.entity, a.causal, a.flow) for a in whole
            ]
        card, parts = await asyncio.gather(
            self.llm.ask(CARD, SopAsk(title=sop.title, body=sop.body)),
            asyncio.gather(*(self._parts(ask) for ask in asks)),
        )
        return Card(title=sop.title, abstract=card.abstract), parts

    async def _views(self, ask: NumberedSop) -> list[ViewsAnswer]:
        """The views of one window; those of its halves, when the answer does not fit into the model's limit."""
        try:
            return [await self.llm.ask(EXTRACT, ask)]
        except AnswerCut:
            halves = _halves(ask)
            if len(halves) < 2:
                raise
        answers = await asyncio.gather(*map(self._views, halves))
        return [answer for half in answers for answer in half]

    async def _parts(self, ask: NumberedSop) -> WindowAnswer:
        answers = await asyncio.gather(
            self.llm.ask(EXTRACT_ENTITY, ask), self.llm.ask(EXTRACT_CAUSAL, ask), self.llm.ask(EXTRACT_FLOW, ask)
        )
        return WindowAnswer(*answers)

    def _windows(self, lines: list[str]) -> list[str]:
        """The numbered body in pieces of at most `window` characters, split at headings or blank lines if possible."""
        pieces: list[str] = []
        first = 0
        while first < len(lines) or not pieces:
            past = _reach(lines, first, self.window)
            pieces.append(number(lines[first:past], first + 1))
            first = past
        return pieces


def _halves(ask: NumberedSop) -> list[NumberedSop]:
    """A window in two pieces of about the same length, cut where a window ends; one piece when it has one line."""
    first, lines = unnumber(ask.numbered)
    if len(lines) < 2:
        return [ask]
    room = sum(len(line) + _NUMBER for line in lines) // 2 + 1
    past = min(_reach(lines, 0, room), len(lines) - 1)
    pieces = (number(lines[:past], first), number(lines[past:], first + past))
    proposal = Proposal(tuple(ask.proposed_steps), tuple(ask.proposed_warnings))
    return [_ask(ask.title, piece, proposal, ask.doubt) for piece in pieces]


def _check_verdict(sop: Sop, answers: Sequence[ViewsAnswer]) -> None:
    """Raise `NoProcedure` when no window of an SOP in doubt is held for a procedure or a part of one."""
    if not any(answer.is_sop for answer in answers):
        raise NoProcedure(f"{sop.id!r} is no SOP: {one_line(answers[0].reason, _REASON) or 'the model says so'}")


def _ask(title: str, numbered: str, proposal: Proposal, doubt: str) -> NumberedSop:
    """One window with the proposals inside it."""
    first, lines = unnumber(numbered)
    inside = proposal.within(first, first + len(lines) - 1)
    return NumberedSop(
        title=title,
        numbered=numbered,
        proposed_steps=list(inside.steps),
        proposed_warnings=list(inside.warnings),
        doubt=doubt,
    )


def _reach(lines: list[str], first: int, window: int) -> int:
    """The index after the last line of the window that begins at `first`; at least one line is taken."""
    size, good = 0, 0
    for index in range(first, len(lines)):
        size += len(lines[index]) + _NUMBER
        if window and size > window and index > first:
            return good if good > first else index
        if not lines[index].strip() or (index + 1 < len(lines) and lines[index + 1].startswith("#")):
            good = index + 1
    return len(lines)
