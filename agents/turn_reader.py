"""Interpreting an operator's message: new question, reply to a pending question, or an addition to the question."""

from collections.abc import Sequence

from pydantic import Field

from soprag.tools.flow import choice_reply
from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Llm
from soprag.tools.tasks.troubleshoot import REPLY, ChoiceReply, ReplyAsk


class Offered(Frozen):
    """A procedure that was offered."""

    sop: str
    title: str


class Pending(Frozen):
    """The pending question to the operator and its choices; not `open`: procedures were only listed."""

    asked: str
    choices: tuple[Offered, ...] = ()
    open: bool = True


class TurnReading(Frozen):
    """The question of this turn; with `sop` the operator has chosen the procedure."""

    question: str
    sop: str = Field(default="", description="id of the procedure to answer from")


async def read(llm: Llm, text: str, pending: Pending | None) -> TurnReading:
    """Interpret the message; an ambiguous reply repeats the pending question."""
    if pending is None:
        return TurnReading(question=text)
    request = ReplyAsk(asked=pending.asked, choices=_titles(pending.choices), reply=text)
    listed = ChoiceReply(choice=choice_reply.place(request), kind="other")
    reply = await _reply(llm, request) if pending.open else listed
    if 1 <= reply.choice <= len(pending.choices):
        return TurnReading(question=pending.asked, sop=pending.choices[reply.choice - 1].sop)
    if reply.kind == "unclear":
        return TurnReading(question=pending.asked)
    return TurnReading(question=f"{pending.asked} {text}" if reply.kind == "more" else text)


async def _reply(llm: Llm, request: ReplyAsk) -> ChoiceReply:
    """Interpret the reply by rule where the rule is certain, else by the model."""
    by_rule = choice_reply.read(request)
    return by_rule if by_rule.kind == "choice" else await llm.ask(REPLY, request)


def _titles(choices: Sequence[Offered]) -> list[str]:
    return [choice.title for choice in choices]
