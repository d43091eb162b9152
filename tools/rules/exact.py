"""Rules that are exact where they answer: a model is not asked then. They answer None where a model may know better."""

from collections.abc import Callable, Mapping
from typing import Any

from soprag.tools.flow import choice_reply
from soprag.tools.rules import planning
from soprag.tools.rules.calculation import calculation
from soprag.tools.tasks.calculate import MathAsk, MathChoice
from soprag.tools.tasks.troubleshoot import ActionAsk, ActionPlan, ChoiceReply, ReplyAsk


def plan(ask: ActionAsk) -> ActionPlan | None:
    """A calculation, when a law, a conversion or a property uses every quantity of the question."""
    if ask.history or ask.run or not planning.is_calculation(ask.question):
        return None
    if planning.MATH not in {tool.name for tool in ask.tools} or choose(MathAsk(task=ask.question)) is None:
        return None
    return ActionPlan(tool=planning.MATH, step=ask.question, last=True)


def choose(ask: MathAsk) -> MathChoice | None:
    """The call that uses every quantity of the sub-task, unless a call for it failed before."""
    choice = None if ask.failed else calculation.choose(ask)
    return choice if choice is not None and choice.call is not None else None


def reply(ask: ReplyAsk) -> ChoiceReply | None:
    """The choice that a reply names by its number or its title."""
    read = choice_reply.read(ask)
    return read if read.kind == "choice" else None


EXACT: Mapping[str, Callable[[Any], Any]] = {"plan": plan, "math": choose, "reply": reply}
