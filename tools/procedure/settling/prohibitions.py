"""What is forbidden under a condition and handed over: the way ends there, and does not lead to what is forbidden."""

import re

from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import DraftStep
from soprag.tools.procedure.settling.control import LinkedFlow
from soprag.tools.procedure.wording.verbs import hands_over, prohibits
from soprag.tools.sop import END, Unresolved

_FURTHER = re.compile(r"[.;,]\s+\w")
_FORBIDS = "forbids an act under a condition, and where that leads is not said"


def end_prohibited(draft: Draft, flow: LinkedFlow) -> None:
    """Ends the ways of acts such as "If it is wet, do not enter. Tell the lead.", and lists those without a call."""
    for step in draft.steps:
        jumps = any(source == step.id and when for source, _, when in flow.edges)
        if step.kind != "action" or jumps or not prohibits(step.text):
            continue
        calls = hands_over(step.text)
        outcome = not step.only_if and _is_outcome(step, flow)
        if calls and step.only_if:
            _part(step, flow)
        elif calls and outcome:
            step.kind = "end"
            flow.edges = [edge for edge in flow.edges if edge[0] != step.id] + [(step.id, END, "")]
        elif outcome or (step.only_if and not _FURTHER.search(step.text)):
            doubt = Unresolved(lines=tuple(step.lines[:1]), reason=_FORBIDS, step=step.id, doubt=True)
            flow.unresolved.append(doubt)


def _part(step: DraftStep, flow: LinkedFlow) -> None:
    """Makes a decision of an act under a condition that is passed by otherwise."""
    on = [(source, target, "otherwise") for source, target, _ in flow.edges if source == step.id]
    flow.edges = [edge for edge in flow.edges if edge[0] != step.id] + [(step.id, END, step.only_if), *on]
    step.kind, step.only_if = "decision", ""


def _is_outcome(step: DraftStep, flow: LinkedFlow) -> bool:
    """Whether only a stated condition leads to a step."""
    leading = [when for _, target, when in flow.edges if target == step.id]
    return bool(leading) and all(when not in ("", "otherwise") for when in leading)
