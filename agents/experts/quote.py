"""The quote expert: finds and quotes the lines of one known procedure that answer a question about it.

It is asked first for whatever an operator asks during a guided run; only when the procedure says nothing about it are
all procedures searched. A step that is named by its number is shown as it stands, with its warnings. A report of a
state ("it is leaking") is answered only by lines about that state in a part with steps or warnings.
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import Field, ValidationError

from soprag.tools.embedding import Vectors
from soprag.tools.errors import UsageError
from soprag.tools.flow.cursor import Cursor
from soprag.tools.history import StepFailure
from soprag.tools.procedure.page import PageBlock, raw, step_blocks
from soprag.tools.procedure.plan import FlowPlan
from soprag.tools.procedure.rendered_steps import ShownStep, lines_of
from soprag.tools.protocols import ExpertResult, ToolProtocol, Work
from soprag.tools.retriever.answer.passages import QuotedPassage, score_passages
from soprag.tools.retriever.answer.reported_state import responding
from soprag.tools.sop import Frozen, Sop, Span
from soprag.tools.text.sanitize import one_line

NAME = "quote"
REPORTED = "a state was reported"  # the detail of a failure: another procedure may respond to it
_SHOWN = 160  # characters of the nearest words
_STEP = re.compile(r"\bsteps?\s+(?:no\.?\s*|number\s+|#)?(\d{1,3})\b", re.IGNORECASE)


class QuoteArguments(Frozen):
    """A question about one procedure."""

    question: str = Field(min_length=1, description="what the operator wants to know")
    sop: str = Field(min_length=1, description="id of the procedure that the question is about")
    node: str = Field(default="", description="the step at hand in a guided run, or empty")


class QuotedLines(Frozen):
    """Where the answer stands in the procedure."""

    sop: str
    title: str
    lines: tuple[Span, ...]


PROTOCOL = ToolProtocol(
    name=NAME,
    purpose="Quotes the lines of one known procedure that answer a question about it.",
    when_to_use="The operator asks about the procedure at hand: a step, a limit, a tool, a reason.",
    when_not="No procedure is at hand, or the question is about other equipment.",
    arguments=QuoteArguments,
    response=QuotedLines,
    side_effect="read",
    errors=("empty", "arguments", "precondition"),
)


@dataclass(frozen=True)
class QuoteExpert:
    """Reads a procedure with `sop(id)` and its plan with `cursor(id)`; both block.

    A passage is quoted from a score of `least` on; `embed` gives unit vectors; `is_report` tells reports of a state.
    """

    sop: Callable[[str], Sop]
    cursor: Callable[[str], Cursor]
    embed: Callable[[list[str]], Vectors]
    least: float
    is_report: Callable[[str], bool] = lambda question: False
    protocol: ToolProtocol = PROTOCOL

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        """The quoted lines; a failure of kind `precondition` when the procedure says nothing about the question."""
        try:
            arguments = QuoteArguments.model_validate(work.arguments)
            return await asyncio.to_thread(self._find, arguments)
        except ValidationError:
            return StepFailure(kind="arguments", message="Give the question and `sop`, the id of the procedure.")
        except UsageError as error:
            return StepFailure(kind="empty", message=str(error))

    def _find(self, arguments: QuoteArguments) -> ExpertResult | StepFailure:
        plan = self.cursor(arguments.sop).plan
        steps = _steps(plan, arguments.question, arguments.node)
        if steps:
            return _result(plan, _step_page(plan, steps), [step.lines for step in steps])
        scored = score_passages(self.sop(arguments.sop), arguments.question, self.embed)
        report = self.is_report(arguments.question)
        answering = responding(scored, arguments.question, plan) if report else scored
        passages = answering.quote(self.least)
        if passages:
            return _result(plan, _passage_page(plan, passages), [passage.lines for passage in passages])
        # Nothing to repair: the procedure does not say, and all procedures are searched next.
        message = _not_stated(plan, scored.quote(self.least / 2), report=report)
        return StepFailure(kind="precondition", message=message, detail=REPORTED if report else "")


def _steps(plan: FlowPlan, question: str, node: str) -> list[ShownStep]:
    """The steps that the question names: by the numbers printed in the document, else by their position in the run.

    Where several sections print the number, that of the section at hand is meant.
    """
    numbers = set(_STEP.findall(question))
    printed = [step for step in plan.steps if step.label.strip(" .:()") in numbers]
    section = plan.by_id[node].section if node in plan.by_id else ""
    return (
        [step for step in printed if step.section == section]
        or printed
        or [step for step in plan.steps if str(step.number) in numbers]
    )


def _step_page(plan: FlowPlan, steps: list[ShownStep]) -> list[PageBlock]:
    numbered = {step.number: step for step in plan.steps}
    page: list[PageBlock] = []
    for step in steps:
        section = step.section.removeprefix(plan.title).removeprefix(" / ")
        page.append(PageBlock(f"{plan.title!r}{section and f', {section!r}'} says:"))
        page += step_blocks(step, f"{plan.title}, {lines_of(step.lines)}", numbered)
    return page


def _passage_page(plan: FlowPlan, passages: tuple[QuotedPassage, ...]) -> list[PageBlock]:
    page = [PageBlock(f"{plan.title!r} says:")]
    for passage in passages:
        if passage.headings:
            page.append(PageBlock(f"--- {passage.headings[-1]} ---"))
        page += [PageBlock(passage.text), PageBlock(f"[{plan.title}, {lines_of(passage.lines)}]", "", 3)]
    return page


def _not_stated(plan: FlowPlan, nearest: tuple[QuotedPassage, ...], *, report: bool) -> str:
    """That the procedure does not say, with the nearest lines."""
    title = f"{plan.title!r}"
    lacking = f"No part of {title} clearly responds to this" if report else f"{title} says nothing about this"
    message = f"{lacking}; all procedures were searched."
    if not nearest:
        return message
    best = max(nearest, key=lambda passage: passage.score)
    return f"{message} Its nearest words ({lines_of(best.lines)}): {one_line(best.text, _SHOWN)!r}"


def _result(plan: FlowPlan, page: list[PageBlock], lines: list[Span]) -> ExpertResult:
    output = QuotedLines(sop=plan.sop, title=plan.title, lines=tuple(lines))
    sources = tuple(f"{plan.sop}:{span.start}-{span.end}" for span in lines)
    return ExpertResult(output=output.model_dump(mode="json"), text=raw(page), sources=sources)
