"""The responder: composes the response at the end of a turn.

Procedures are quoted verbatim, values in the text of the tool that computed them. A model can only add a remark, which
is checked against both; it can neither add nor remove a step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import Field

from soprag.agents.experts import quote
from soprag.agents.experts.retrieval import NAME, Retrieval, nearest, retrieved
from soprag.agents.meta import Finish
from soprag.tools.errors import UsageError
from soprag.tools.history import StepRecord
from soprag.tools.retriever.answer.answer import Drafted, SopAnswer
from soprag.tools.retriever.answer.answer_page import PlainAnswer
from soprag.tools.retriever.answer.search_result import SopHit
from soprag.tools.sop import Frozen
from soprag.tools.support.checker import SourceExcerpt, check
from soprag.tools.text.sanitize import one_line, sanitize
from soprag.tools.text.sentences import sentences

Kind = Literal["answer", "question", "nothing", "step", "note", "error"]
_REMARK = 400  # characters
_NONE_FITS = "No other procedure answers it."
_NEAREST = "No other procedure clearly answers it. The nearest are:"
_OPENS = "`guide me through` and its title begins one of them; this run waits until it has ended."
_ANOTHER = (
    "What follows is another procedure, no step of this run. "
    "`guide me through` and its title begins it; this run waits until it has ended."
)
NOTHING = "There is nothing to show for this question."


class AnswerWriter(Protocol):
    """Writes answers: `PlainAnswer` for terminals and files, `MarkdownAnswer` for chat clients."""

    def text(self, text: str) -> str:
        """Plain lines."""
        ...

    def answer(self, answer: SopAnswer) -> str:
        """A procedure."""
        ...


class SourceOf(Frozen):
    """The source behind the citation mark `[n]`."""

    n: int
    sop: str
    title: str
    lines: tuple[int, int]


class SopChoice(Frozen):
    """One of the procedures between which the operator chooses, or that were nearest."""

    n: int
    sop: str
    title: str


class Response(Frozen):
    """The structured response of a turn; `text` is the complete plain-text form."""

    kind: Kind
    text: str
    answer: SopAnswer | None = None
    sources: tuple[SourceOf, ...] = ()
    choices: tuple[SopChoice, ...] = ()
    remark: str = Field(default="", description="words of a model; not a part of any procedure")


@dataclass(frozen=True)
class Responder:
    """Composes the response from the events of a turn; `retrieval` assembles the text of procedures."""

    retrieval: Retrieval

    def respond(
        self, question: str, finish: Finish, events: Sequence[StepRecord], form: AnswerWriter | None = None
    ) -> Response:
        """The response; `events` are the present versions of the turn's steps, `form` writes its text."""
        form = form or PlainAnswer()
        succeeded = {event.step: event for event in events if event.status == "ok"}
        displayed = [succeeded[step] for step in dict.fromkeys(finish.shows) if step in succeeded] or list(
            succeeded.values()
        )
        asking = next((event for event in displayed if _asks(event)), None)
        if asking is not None:
            return _question(asking, form)
        answers = [self._answer(event) for event in displayed if event.tool == NAME]
        procedures = [answer for answer in answers if isinstance(answer, SopAnswer)]
        values = [event.text for event in displayed if event.tool != NAME and event.text]
        if not procedures and not values:
            return _failed(events, finish.notice, form)
        remark, withheld = _remark(question, finish, [*values, *map(PlainAnswer().answer, procedures)])
        missing = [answer for answer in answers if isinstance(answer, str)]
        other = _ANOTHER if procedures and any(_is_aside(event) for event in events) else ""
        notices = _notices(events, [finish.notice, *missing, withheld, other])
        closing = f"Remark: {remark} ({finish.author})" if remark else ""
        lines = map(form.text, filter(None, [*notices, *values]))
        return Response(
            kind="answer",
            text="\n\n".join([*lines, *map(form.answer, procedures), *filter(None, [form.text(closing)])]),
            answer=procedures[0] if procedures else None,
            sources=_sources(procedures[0]) if procedures else _quoted(displayed),
            choices=_choices(procedures[0].near) if procedures else (),
            remark=remark,
        )

    def _answer(self, event: StepRecord) -> SopAnswer | str:
        """The procedure of an event, or why it cannot be shown any more."""
        retrieval = retrieved(event)
        try:
            return self.retrieval.assemble(retrieval.drafted) if retrieval else ""
        except UsageError as error:
            return str(error)


def _asks(event: StepRecord) -> bool:
    retrieval = retrieved(event)
    return retrieval is not None and retrieval.kind == "choices"


def _question(event: StepRecord, form: AnswerWriter) -> Response:
    retrieval = retrieved(event)
    choices = choices_of(retrieval.drafted) if retrieval else ()
    rows = [f"{choice.n}. {choice.title}" for choice in choices]
    question = one_line(retrieval.drafted.found.separating) if retrieval else ""
    text = form.text("\n".join(["Several procedures fit.", question, *rows]))
    return Response(kind="question", text=text, choices=choices)


def choices_of(drafted: Drafted) -> tuple[SopChoice, ...]:
    """The procedures that only the operator can tell apart, in the order they are listed."""
    twins = [hit for hit in drafted.found.hits if hit.sop in drafted.found.twins]
    return _choices(sorted(twins, key=lambda hit: (hit.title.casefold(), hit.sop)))


def _failed(events: Sequence[StepRecord], notice: str, form: AnswerWriter) -> Response:
    """The response without a result: no procedure fits, or the failure and what the operator can add."""
    failures = [event for event in events if event.failure]
    empty = next((event for event in failures if event.tool == NAME and event.failure.kind == "empty"), None)  # type: ignore[union-attr]
    others = [event for event in failures if event is not empty]
    aside = next(filter(_is_aside, others), None)
    if empty is not None and aside is not None:
        return Response(kind="nothing", text=form.text(_none_aside(aside, empty)))
    if empty is not None and empty.failure is not None:
        text = "\n".join([empty.failure.message, *(_said(event) for event in others)])
        return Response(kind="nothing", text=form.text(text), choices=_choices(nearest(empty.failure)))
    if not others:
        return Response(kind="nothing", text=form.text(notice or NOTHING))
    last = others[-1]
    mendable = last.failure is not None and last.failure.kind not in ("unavailable", "refused")
    asks = "\nGive the missing value or say it in other words, and I try again." if mendable else ""
    text = "\n".join(part for part in (notice, sanitize(_said(last))) if part)
    return Response(kind="question" if mendable else "error", text=form.text(text + asks))


def _is_aside(event: StepRecord) -> bool:
    """Whether the procedure of a run says nothing about what was asked during it."""
    return event.tool == quote.NAME and event.failure is not None


def _none_aside(aside: StepRecord, empty: StepRecord) -> str:
    """That neither the procedure of the run nor another one answers; for a report, with the nearest of the others."""
    reported = aside.failure is not None and aside.failure.detail == quote.REPORTED
    hits = nearest(empty.failure) if reported and empty.failure else []
    others = [f"- {one_line(hit.title)}" for hit in hits if hit.sop != aside.arguments.get("sop")]
    return "\n".join([_said(aside), _NEAREST, *others, _OPENS]) if others else f"{_said(aside)} {_NONE_FITS}"


def _said(event: StepRecord) -> str:
    if event.failure is None:
        return ""
    if event.tool == quote.NAME:
        return event.failure.message  # no fault: the procedure does not say
    return f"Step {event.step} ({event.tool}) did not succeed: {event.failure.message}"


def _notices(events: Sequence[StepRecord], remarks: Sequence[str]) -> list[str]:
    """Notices about failed steps and procedures that are gone."""
    failed = [
        _said(event)
        for event in events
        if event.failure and (event.failure.kind != "precondition" or event.tool == quote.NAME)
    ]
    return [f"Notice: {one_line(message, 400)}" for message in [*failed, *remarks] if message]


def _remark(question: str, finish: Finish, pages: Sequence[str]) -> tuple[str, str]:
    """The remark when the shown text supports it, and else a notice why it is withheld."""
    remark = one_line(finish.remark, _REMARK)
    if not remark:
        return "", ""
    faults = [check(part, SourceExcerpt("\n".join(pages)), question) for part in sentences(remark)]
    reason = next((verdict.note for verdict in faults if not verdict.supported), "")
    return ("", f"A remark of the model is withheld: {reason}.") if reason else (remark, "")


def _sources(answer: SopAnswer) -> tuple[SourceOf, ...]:
    return tuple(
        SourceOf(n=step.number, sop=answer.sop, title=answer.title, lines=(step.lines.start, step.lines.end))
        for step in answer.steps
    )


def _quoted(events: Sequence[StepRecord]) -> tuple[SourceOf, ...]:
    """The lines that were quoted from the procedure at hand."""
    outputs = [quote.QuotedLines.model_validate(event.output) for event in events if event.tool == quote.NAME]
    cited = [(output, span) for output in outputs for span in output.lines]
    return tuple(
        SourceOf(n=n, sop=output.sop, title=output.title, lines=(span.start, span.end))
        for n, (output, span) in enumerate(cited, 1)
    )


def _choices(hits: Sequence[SopHit]) -> tuple[SopChoice, ...]:
    return tuple(SopChoice(n=n, sop=hit.sop, title=hit.title) for n, hit in enumerate(hits, 1))
