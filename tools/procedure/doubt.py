"""Steps whose words speak of another way than the one that was read: they are marked, not guessed."""

import re

from soprag.tools.procedure.conditions import form
from soprag.tools.procedure.control import LinkedFlow
from soprag.tools.procedure.draft import Draft
from soprag.tools.procedure.tree import DraftStep
from soprag.tools.procedure.verbs import forbids
from soprag.tools.sop import Unresolved

_RETURNS = re.compile(
    r"\b(?:repeat(?:ed|ing)?|redo|start(?:ing)? over|go(?:ing)? back|return(?:ing)? to (?:step|section|line|the start)|"
    r"(?:try|start|begin|measure|check|read|test|run|look|judge|do (?:it|this|so)) [\w ]{0,30}?again)\b",
    re.IGNORECASE,
)
_SKIPS = re.compile(r"\bskip(?:ped|ping)?\b|\bomit(?:ted)?\b|\bonly if\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"(?<!\bcheck)(?<!\bsee)(?<!\bverify)(?<!\bdetermine)(?<!\bask)(?<!\bknow)(?<!\bconfirm)(?<!\beven)(?<!\bas)"
    r"(?<!\binvestigate)(?<!\bidentify)(?<!\bsure)(?<!\btest)(?<!\bnote)\s(?:if|unless|otherwise)\b",
    re.IGNORECASE,
)


def mark_doubts(draft: Draft, flow: LinkedFlow) -> None:
    """Lists steps with a single way whose words tell of a return, a skip or a condition that no way stands for."""
    for step in draft.steps:
        ways = {target for source, target, _ in flow.edges if source == step.id}
        reason = _doubt(step) if len(ways) < 2 and step.kind != "end" else ""
        if reason:
            doubt = Unresolved(lines=tuple(step.lines[:1]), reason=reason, step=step.id, doubt=True)
            flow.unresolved.append(doubt)


def _doubt(step: DraftStep) -> str:
    if _RETURNS.search(step.text):
        return "speaks of a repetition, and where it begins or ends cannot be told"
    if _SKIPS.search(step.text):
        return "speaks of a part that may be left out, and which cannot be told"
    if step.only_if and forbids(step.text) and not re.search(r"[.;,]\s+\w", step.text):
        return "forbids an act under a condition, and where that leads is not said"
    if not step.only_if and form(step.text) != "check" and _CONDITION.search(step.text):
        return "holds a condition, and what it governs cannot be told"
    return ""
