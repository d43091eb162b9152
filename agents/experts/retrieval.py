"""The retrieval expert: finds the procedure that answers a question, or a clarifying question.

The result is stored as a draft (procedure id and step numbers). The text is assembled by code when it is shown, so it
is always the procedure's own wording.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, ValidationError

from soprag.agents.experts.findings import RetrievedFindings, findings_of
from soprag.tools.errors import UsageError
from soprag.tools.history import StepFailure, StepRecord
from soprag.tools.protocols import ExpertResult, ToolProtocol, Work
from soprag.tools.retriever.answer.answer import Answerer, Drafted, SopAnswer, nothing_fits
from soprag.tools.retriever.answer.search_result import SearchResult, SopHit
from soprag.tools.sop import Frozen
from soprag.tools.tasks.answer import AnswerDraft
from soprag.tools.text.sanitize import one_line, sanitize

NAME = "retrieval"
_NEAR = 5  # procedures that are looked at, and named when none fits


class RetrievalArguments(Frozen):
    """The question, and the SOP id if it is known."""

    question: str = Field(min_length=1, description="what the operator wants to know or do, in plain words")
    sop: str = Field(default="", description="id of the procedure to answer from; empty: find the one that fits")
    said: bool = Field(default=True, description="false: only its steps are wanted, such as for a guided run")


class Retrieved(Frozen):
    """A drafted answer from one procedure, or several candidates that only the operator can distinguish."""

    kind: Literal["answer", "choices"]
    drafted: Drafted
    findings: RetrievedFindings | None = Field(default=None, description="of an answer, for later steps")


PROTOCOL = ToolProtocol(
    name=NAME,
    purpose="Finds the standard operating procedure that answers a question, with its steps, warnings and sources.",
    when_to_use="A symptom, an alarm, a task or any question about how something is done at the plant.",
    when_not="A calculation whose numbers are all in the question; a procedure that was found already for it.",
    arguments=RetrievalArguments,
    response=Retrieved,
    side_effect="read",
    errors=("empty", "arguments"),
)


@dataclass(frozen=True)
class Retrieval:
    """Searches with `search(question, keep)`, and answers from the first hit."""

    search: Callable[[str, int], Awaitable[SearchResult]]
    answerer: Answerer

    @property
    def protocol(self) -> ToolProtocol:
        """Its contract."""
        return PROTOCOL

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        """Find and draft; `empty` when no procedure fits, with the nearest in `detail`."""
        try:
            arguments = RetrievalArguments.model_validate(work.arguments)
            if not sanitize(arguments.question).strip():
                return StepFailure(kind="arguments", message="The question is empty; say what is to be found.")
            ranking = await self._found(arguments)
        except (ValidationError, UsageError) as error:
            return StepFailure(kind="arguments", message=str(error))
        if ranking.abstained or not ranking.hits:
            return _nothing(arguments.question, ranking)
        if ranking.separating and not arguments.sop:
            return self._choices(arguments.question, ranking)
        return await self._answer(arguments, ranking)

    def review(self, event: StepRecord) -> StepFailure | None:
        """Check a stored output again: a failure when the procedure is gone or the output is invalid."""
        try:
            self.assemble(Retrieved.model_validate(event.output).drafted)
        except (ValidationError, UsageError) as error:
            return StepFailure(kind="precondition", message=str(error))
        return None

    def assemble(self, drafted: Drafted) -> SopAnswer:
        """The answer in the procedure's own words."""
        return self.answerer.assemble(drafted)

    async def _found(self, arguments: RetrievalArguments) -> SearchResult:
        if not arguments.sop:
            return _plain(await self.search(arguments.question, _NEAR))
        chosen = await asyncio.to_thread(self.answerer.shelf.sop, arguments.sop)
        return SearchResult(hits=(SopHit(sop=arguments.sop, title=one_line(chosen.title), score=1.0),))

    async def _answer(self, arguments: RetrievalArguments, ranking: SearchResult) -> ExpertResult:
        drafted = await self.answerer.draft(arguments.question, ranking, said=arguments.said)
        answer = await asyncio.to_thread(self.assemble, drafted)
        findings = await asyncio.to_thread(self._findings, answer)
        return ExpertResult(
            output=Retrieved(kind="answer", drafted=drafted, findings=findings).model_dump(mode="json"),
            text=findings.text(),
            sources=tuple(f"{answer.sop}:{step.lines.start}-{step.lines.end}" for step in answer.steps if step.chosen),
        )

    def _findings(self, answer: SopAnswer) -> RetrievedFindings:
        body = self.answerer.shelf.sop(answer.sop).body.split("\n")
        cited = sorted({line for sentence in answer.answer.sentences for line in sentence.lines})
        return findings_of(answer, [(line, body[line - 1]) for line in cited])

    def _choices(self, question: str, ranking: SearchResult) -> ExpertResult:
        listed = sorted((hit for hit in ranking.hits if hit.sop in ranking.twins), key=lambda hit: hit.title.casefold())
        drafted = Drafted(question=question, found=ranking, draft=AnswerDraft(), author=self.answerer.llm.name)
        return ExpertResult(
            output=Retrieved(kind="choices", drafted=drafted).model_dump(mode="json"),
            text="\n".join([one_line(ranking.separating), *(f"{hit.title} ({hit.sop})" for hit in listed)]),
            sources=tuple(hit.sop for hit in listed),
        )


def nearest(failure: StepFailure) -> list[SopHit]:
    """The nearest procedures from the detail of an `empty` failure."""
    return [SopHit.model_validate(hit) for hit in json.loads(failure.detail)] if failure.detail else []


def _plain(ranking: SearchResult) -> SearchResult:
    """The ranking without its explanations."""
    hits = tuple(
        SopHit(sop=hit.sop, title=one_line(hit.title), score=hit.score, begins=hit.begins) for hit in ranking.hits
    )
    plain = ranking.model_dump(include={"abstained", "doubtful", "separating", "twins", "judge"})
    return SearchResult(hits=hits, **plain)


def _nothing(question: str, ranking: SearchResult) -> StepFailure:
    detail = json.dumps([hit.model_dump() for hit in ranking.hits], ensure_ascii=False)
    return StepFailure(kind="empty", message=nothing_fits(question, ranking), detail=detail)


def sop_of(event: StepRecord) -> str:
    """The SOP id an event of this expert found; empty for none or several."""
    content = retrieved(event)
    return content.drafted.found.hits[0].sop if content and content.kind == "answer" else ""


def begins_at(event: StepRecord) -> str:
    """The id of the step that an answer begins with, at its card or by a model; empty for other events."""
    content = retrieved(event)
    return content.findings.first if content and content.findings else ""


def retrieved(event: StepRecord) -> Retrieved | None:
    """The stored output of an event of this expert; None for other events, and for those of an earlier turn."""
    if event.tool != NAME or event.status != "ok" or event.output is None:
        return None
    return Retrieved.model_validate(event.output)
