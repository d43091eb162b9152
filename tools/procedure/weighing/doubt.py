"""Steps whose words speak of another way than the one that was read: they are marked, not guessed."""

import re

from soprag.tools.procedure.blocks.heading_kinds import number
from soprag.tools.procedure.blocks.sections import Section
from soprag.tools.procedure.drafting.block_opinions import BlockOpinions
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import DraftStep
from soprag.tools.procedure.settling.control import LinkedFlow
from soprag.tools.procedure.wording.conditions import form
from soprag.tools.procedure.wording.verbs import by_role, directs
from soprag.tools.sop import Unresolved

_RETURNS = re.compile(
    r"\b(?:repeat(?:ed|ing)?|redo|start(?:ing)? over|go(?:ing)? back|return(?:ing)? to (?:step|section|line|the start)|"
    r"(?:try|start|begin|measure|check|read|test|run|look|judge|do (?:it|this|so)) [\w ]{0,30}?again)\b",
    re.IGNORECASE,
)
# A repetition at a stated time ("check again after 30 minutes", "every hour") is done in the step; no way leads back.
_TIMED = re.compile(
    r"\b(?:after|every|each|within|in)\s+(?:(?:about|another|a few|some|\d[\d.,]*|an?|one|two|three|ten)\s+){0,2}"
    r"(?:second|minute|hour|day|week|shift)s?\b|\bthe (?:next|following) (?:day|morning|shift)\b",
    re.IGNORECASE,
)
# "If it is wrong, isolate again": what was done since the pump was isolated has to be done anew.
_AGAIN = re.compile(r"^\W*(?!wait\b|check\b|try\b)\w+(?:\s+(?:it|them|the\s+\w+))?\s+again\b", re.IGNORECASE)
_HALTS = re.compile(r"^\W*(?:stop|shut down|switch off|turn off|abort)\b[^.;,]*\W*$", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:steps?|lines?|sections?|items?)\s+(?:\d|[a-z]\b)|\bfrom the start\b", re.IGNORECASE)
_SKIPS = re.compile(r"\bskip(?:ped|ping)?\b|\bomit(?:ted)?\b|\bonly if\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"(?<!\bcheck)(?<!\bsee)(?<!\bverify)(?<!\bdetermine)(?<!\bask)(?<!\bknow)(?<!\bconfirm)(?<!\beven)(?<!\bas)"
    r"(?<!\binvestigate)(?<!\bidentify)(?<!\bsure)(?<!\btest)(?<!\bnote)\s(?:if|unless|otherwise)\b",
    re.IGNORECASE,
)


_REMEDIES = re.compile(
    r"^\W*(?:mitigations?|resolutions?|solutions?|remed(?:y|ies|iation)|workarounds?|fix(?:es)?|possible \w+|options?|"
    r"contingenc(?:y|ies)|troubleshooting)\b",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(
    r"^\W*(?:step|phase|part|stage|first|then|next|finally|after|before|verif\w+|validat\w+|confirm\w*|check\w*|clean\w*|"
    r"prepar\w+|support|escalat\w+|follow-up|prevent\w+)\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?:trouble-?shooting|alternative\b.{0,20}(?:procedure|method|way|steps)|known issues)\W*$",
    re.IGNORECASE,
)
_TOLD = "may only explain something: whether it is an act is not sure"
# A numbered item that only says what comes about by itself: "The lamp will go out after the start".
_FORETOLD = re.compile(r"^\W*(?!you\b|we\b)(?:[\w-]+\s+){1,4}will\s+(?!need\b|have\b)\w", re.IGNORECASE)
_EVEN = 0.3  # the chance below which a step of the rules is in doubt
_BESIDE = "the next section stands beside this one, and whether it follows or is another way is not said"

_KIND = re.compile(
    r"^\W*(?:(?:for|on|in|at)\s+(?:an?\s+|the\s+)?(?P<put>[\w-]+(?:\s[\w-]+){1,3}),|(?P<label>[\w-]+(?:\s[\w-]+){1,3}):)\s",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\d|^(?:first|second|third|fourth|fifth|last|next|other)\b|^\w+ing\b", re.IGNORECASE)
_NAMED = re.compile(r"^\W*(?P<name>[A-Z][\w-]*):\s+(?P<act>[A-Za-z]+)\b")
_ANEW = "the numbering begins anew behind it, and whether that list follows this one or is another way is not said"
_KINDS = "is for one kind of thing as the next act is for another, and whether one of them or both are done is not said"


def mark_doubts(draft: Draft, flow: LinkedFlow) -> None:
    """Lists steps with a single way whose words tell of a return, a skip or a condition that no way stands for."""
    begun: set[str] = set()
    for step in draft.steps:
        begun.add(step.id)
        ways = {target for source, target, _ in flow.edges if source == step.id}
        reason = _doubt(step, bool(ways & begun)) if len(ways) < 2 and step.kind != "end" else ""
        if reason:
            doubt = Unresolved(lines=tuple(step.lines[:1]), reason=reason, step=step.id, doubt=True)
            flow.unresolved.append(doubt)


def mark_kinds(draft: Draft, flow: LinkedFlow) -> None:
    """Lists acts for one kind each in a row ("Simplex strainer: ...", "Duplex strainer: ...")."""
    steps = {step.id: step for step in draft.steps}
    for source, target, when in flow.edges:
        if not when and target in steps and steps[source].scope == steps[target].scope:
            one, other = _kind(steps[source].text), _kind(steps[target].text)
            alike = one[:-1] != other[:-1] and one[-1:] == other[-1:]
            if alike or _same_act(steps[source].text, steps[target].text):
                lines = tuple(steps[source].lines[:1])
                flow.unresolved.append(Unresolved(lines=lines, reason=_KINDS, step=source, doubt=True))


def mark_restarts(draft: Draft, flow: LinkedFlow) -> None:
    """Lists the last step of a numbered list that another one of the same section follows, numbered from 1 again."""
    steps = {step.id: step for step in draft.steps}
    for source, target, when in flow.edges:
        one, other = steps[source], steps.get(target)
        if when or other is None or one.scope != other.scope or one.path != other.path or one.kind == "end":
            continue
        if one.number.isdigit() and other.number == "1" and other.lines[0] > one.lines[0]:
            doubt = Unresolved(lines=tuple(one.lines[:1]), reason=_ANEW, step=source, doubt=True)
            flow.unresolved.append(doubt)


def _kind(text: str) -> tuple[str, ...]:
    """The words of the kind of thing that an act is for, the thing last; empty without one."""
    found = _KIND.match(text)
    named = (found["put"] or found["label"]).lower() if found else ""
    return () if _COUNTED.search(named) or (found and found["label"] and directs(named)) else tuple(named.split())


def _same_act(text: str, other: str) -> bool:
    """Whether two steps order the same of two things that one word names ("Master: wait ...", "Worker: wait ...")."""
    one, two = _NAMED.match(text), _NAMED.match(other)
    if one is None or two is None or one["name"] == two["name"] or by_role(one["name"]) or by_role(two["name"]):
        return False
    return one["act"].lower() == two["act"].lower()


def mark_openings(draft: Draft, flow: LinkedFlow) -> None:
    """Lists steps that the rules see and the trained model rather does not."""
    for step in draft.steps:
        ways = {target for source, target, _ in flow.edges if source == step.id}
        if draft.opinions.begins.get(step.lines[0], 1.0) < _EVEN and not step.number and len(ways) < 2:
            doubt = Unresolved(lines=tuple(step.lines[:1]), reason=_TOLD, step=step.id, doubt=True)
            flow.unresolved.append(doubt)


def mark_siblings(draft: Draft, flow: LinkedFlow, sections: list[Section]) -> None:
    """Lists steps that lead from one remedy to the next, or on to troubleshooting: whether they follow is not said."""
    above = {inner.index: outer for outer in sections for inner in outer.parts}
    steps = {step.id: step for step in draft.steps}
    for source, target, when in flow.edges:
        if when or target not in steps or steps[source].kind == "end":
            continue
        one, other = _siblings(steps[source].scope, steps[target].scope, above, sections)
        if one is not other and _apart(one, other, above[one.index], draft.opinions):
            lines = tuple(steps[source].lines[:1])
            flow.unresolved.append(Unresolved(lines=lines, reason=_BESIDE, step=source, doubt=True))


def _apart(one: Section, other: Section, parent: Section, opinions: BlockOpinions) -> bool:
    """Whether the second of two neighbouring sections may be another way, and not what follows the first."""
    doubtful = bool(_REMEDIES.match(parent.title)) or opinions.parted(one.index, other.index)
    return (doubtful and not (_ordered(one) or _ordered(other))) or bool(_BEHIND.match(other.title))


def _siblings(one: int, other: int, above: dict[int, Section], sections: list[Section]) -> tuple[Section, Section]:
    """The neighbouring sections of one parent that hold two sections; twice the same for others."""
    first, second = _path(one, above, sections), _path(other, above, sections)
    for a, b in zip(first, second, strict=False):
        if a is not b:
            return a, b
    return first[0], first[0]


def _path(index: int, above: dict[int, Section], sections: list[Section]) -> list[Section]:
    path = [sections[index]]
    while path[0].index in above:
        path.insert(0, above[path[0].index])
    return path


def _ordered(section: Section) -> bool:
    """Whether a title tells the place of a section in an order."""
    numbered = section.heading is None or section.heading.number or number(section.title)
    return bool(numbered or _IN_ORDER.match(section.title))


def _doubt(step: DraftStep, returns: bool) -> str:
    """Why the single way of a step is in doubt; `returns` says that it leads back."""
    if not returns and _RETURNS.search(step.text) and (_PLACE.search(step.text) or not _TIMED.search(step.text)):
        return "speaks of a repetition, and where it begins or ends cannot be told"
    if step.half_told:
        return "says when to go on, and not what to do otherwise"
    if _SKIPS.search(step.text):
        return "speaks of a part that may be left out, and which cannot be told"
    return _optional_doubt(step) if step.only_if else _plain_doubt(step)


def _plain_doubt(step: DraftStep) -> str:
    """Why a step without a condition is in doubt."""
    told = form(step.text)
    if step.number and told == "statement" and _FORETOLD.match(step.text):
        return _TOLD
    if told != "check" and _CONDITION.search(step.text):
        return "holds a condition, and what it governs cannot be told"
    return ""


def _optional_doubt(step: DraftStep) -> str:
    """Why the way on from an act under a condition is in doubt."""
    if _AGAIN.search(step.text):
        return "does again what was done before, and from where the steps are done anew is not said"
    if _HALTS.match(step.text):
        return "stops something under a condition, and whether the steps behind it are done then is not said"
    return ""
