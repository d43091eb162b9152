"""Rules that are exact where they answer: a model is not asked then. They answer None where a model may know better."""

from collections.abc import Callable, Mapping
from typing import Any

from soprag.tools.flow import choice_reply
from soprag.tools.flow.message_intent import is_guide_request
from soprag.tools.rules import planning
from soprag.tools.rules.calculation import calculation
from soprag.tools.tasks.calculate import MathAsk, MathChoice
from soprag.tools.tasks.troubleshoot import (
    ActionAsk,
    ActionPlan,
    ChoiceReply,
    Past,
    Repair,
    RepairAsk,
    ReplyAsk,
    ToolArgument,
)


def plan(ask: ActionAsk) -> ActionPlan | None:
    """What the words settle: the guided run that is asked for, a calculation that a rule does, a question to look up.

    Whatever comes after other results, within a run or in a conversation about a procedure is left to the model. The
    patterns are English. In other languages a set of procedures is looked up like one; the model that judges the
    candidates answers then that no single one fits, and plans anew.
    """
    guided = None if ask.run else planning.guide(ask)
    if guided or ask.run:
        return guided
    if ask.history:
        return _calculate_with(ask, ask.history[-1])
    if planning.is_calculation(ask.question):
        return _calculate(ask)
    if ask.procedure or ask.before or not planning.is_to_look_up(ask.question):
        return None
    found = planning.retrieve(ask)
    if not is_guide_request(ask.question):
        return found.model_copy(update={"last": True})
    return found.model_copy(update={"arguments": [*found.arguments, ToolArgument(name="said", value="false")]})


def _calculate_with(ask: ActionAsk, found: Past) -> ActionPlan | None:
    """The calculation that is asked for, with the values of the procedure that was just found for it."""
    if [past.tool for past in ask.history] != [planning.RETRIEVAL] or found.kind != "answer":
        return None
    if found.status != "ok" or planning.MATH not in {tool.name for tool in ask.tools}:
        return None
    if not planning.names_value(ask.question):
        return None
    return ActionPlan(tool=planning.MATH, step=ask.question, uses=[found.step], last=True)


def _calculate(ask: ActionAsk) -> ActionPlan | None:
    """A calculation, when a law, a conversion or a property uses every quantity of the question."""
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


def repair(ask: RepairAsk) -> Repair | None:
    """No repair of a first search whose candidates a model refused: the next plan may put it in other words."""
    alone = [suspect.tool for suspect in ask.suspects] == [planning.RETRIEVAL]
    if ask.kind != "empty" or not alone or not ask.detail:
        return None
    return Repair(step=ask.failed, cause=ask.message, fix="")


EXACT: Mapping[str, Callable[[Any], Any]] = {"plan": plan, "math": choose, "reply": reply, "repair": repair}
