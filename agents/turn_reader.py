"""Interpreting an operator's message: new question, reply to a pending question, or an addition to the question."""

import logging
from collections.abc import Sequence

from pydantic import Field

from soprag.tools.errors import ModelError
from soprag.tools.rules import replies
from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Llm
from soprag.tools.tasks.troubleshoot import REPLY, ChoiceReply, ReplyAsk

_log = logging.getLogger(__name__)


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
    reply = await _reply(llm, request) if pending.open else ChoiceReply(choice=replies.place(request), kind="other")
    if 1 <= reply.choice <= len(pending.choices):
        return TurnReading(question=pending.asked, sop=pending.choices[reply.choice - 1].sop)
    if reply.kind == "unclear":
        return TurnReading(question=pending.asked)
    return TurnReading(question=f"{pending.asked} {text}" if reply.kind == "more" else text)


async def _reply(llm: Llm, request: ReplyAsk) -> ChoiceReply:
    """Interpret the reply by rule where the rule is certain, else by the model."""
    by_rule = replies.read(request)
    if by_rule.kind == "choice":
        return by_rule
    try:
        return await llm.ask(REPLY, request)
    except ModelError as error:
        _log.warning("The model did not read the reply: %s", error)
        return by_rule


def _titles(choices: Sequence[Offered]) -> list[str]:
    return [choice.title for choice in choices]
