"""The knowledge expert: answers questions across procedures and documents by quoted lines that lead to each other."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import Field, ValidationError

from soprag.tools.errors import SopragError
from soprag.tools.history import StepFailure
from soprag.tools.knowledge.asking import KnowledgeReply
from soprag.tools.protocols import ExpertResult, ToolProtocol, Work
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line, sanitize

NAME = "knowledge"
_SHOWN = 12  # paths in the text


class KnowledgeArguments(Frozen):
    """The question, and how far a path may lead."""

    question: str = Field(min_length=3, description="what is to be known, in plain words, with tags and alarm codes")
    about: str = Field(default="", description="a name that the answer must be about; empty: whatever is named")
    hops: int = Field(default=3, ge=1, le=3, description="most quoted lines on a path")


class KnowledgeAnswered(Frozen):
    """The replies to the parts of the question; each path is a list of quoted lines."""

    replies: tuple[KnowledgeReply, ...]


PROTOCOL = ToolProtocol(
    name=NAME,
    purpose="Finds quoted lines of all procedures and documents that together answer a question, and how they connect.",
    when_to_use="A question across procedures: which of them touch a pump, which steps need a second person, what "
    "leads from one thing to another.",
    when_not="The steps of one procedure are wanted (use retrieval), or a calculation.",
    arguments=KnowledgeArguments,
    response=KnowledgeAnswered,
    side_effect="read",
    errors=("empty", "arguments", "unavailable"),
)


@dataclass(frozen=True)
class KnowledgeExpert:
    """Asks the graph with `ask(question, hops)`, which opens it when it is first needed."""

    ask: Callable[[str, int], Sequence[KnowledgeReply]]

    @property
    def protocol(self) -> ToolProtocol:
        """Its contract."""
        return PROTOCOL

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        """The paths; `empty` when no part of the question has one."""
        try:
            arguments = KnowledgeArguments.model_validate(work.arguments)
        except ValidationError as error:
            return StepFailure(kind="arguments", message=f"The question is not usable: {error.errors()[0]['msg']}")
        question = f"{arguments.question} {arguments.about}".strip()
        try:
            replies = tuple(await asyncio.to_thread(self.ask, question, arguments.hops))
        except SopragError as error:
            return StepFailure(kind="unavailable", message=str(error))
        if not any(reply.answered for reply in replies):
            reasons = " ".join(one_line(f"{reply.question}: {reply.reason}") for reply in replies)
            return StepFailure(kind="empty", message=f"No quoted lines answer this. {reasons}")
        return _result(replies)


def _result(replies: Sequence[KnowledgeReply]) -> ExpertResult:
    parts = ["\n".join([*([reply.question] if len(replies) > 1 else []), *_paths(reply)]) for reply in replies]
    lines = [line for reply in replies for path in reply.paths for line in path.lines]
    return ExpertResult(
        output=KnowledgeAnswered(replies=tuple(replies)).model_dump(mode="json"),
        text=sanitize("\n\n".join(parts)),
        sources=tuple(dict.fromkeys(f"{line.document}:{line.line}-{line.line}" for line in lines)),
    )


def _paths(reply: KnowledgeReply) -> list[str]:
    if not reply.paths:
        return [f"No path: {reply.reason}"]
    return [path.text() for path in reply.paths[:_SHOWN]]
