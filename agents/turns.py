"""Interpreting an operator's message: new question, reply to a pending question, or an addition to the question."""

import logging
from collections.abc import Sequence

from pydantic import Field

from tools.errors import ModelError
from tools.llm.task import Llm
from tools.llm.tasks.troubleshoot import REPLY, Reply, ReplyAsk
from tools.rules import replies
from tools.sop import Frozen

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


class Reading(Frozen):
    """The question of this turn; with `sop` the operator has chosen the procedure."""

    question: str
    sop: str = Field(default="", description="id of the procedure to answer from")


async def read(llm: Llm, text: str, pending: Pending | None) -> Reading:
    """Interpret the message; an ambiguous reply repeats the pending question."""
    if pending is None:
        return Reading(question=text)
    request = ReplyAsk(asked=pending.asked, choices=_titles(pending.choices), reply=text)
    reply = await _reply(llm, request) if pending.open else Reply(choice=replies.place(request), kind="other")
    if 1 <= reply.choice <= len(pending.choices):
        return Reading(question=pending.asked, sop=pending.choices[reply.choice - 1].sop)
    if reply.kind == "unclear":
        return Reading(question=pending.asked)
    return Reading(question=f"{pending.asked} {text}" if reply.kind == "more" else text)


async def _reply(llm: Llm, request: ReplyAsk) -> Reply:
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
