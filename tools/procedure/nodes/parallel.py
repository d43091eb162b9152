"""Neighbouring blocks of one section that hold for different cases: lead-ins over lists, versions, numbered cases."""

import re
from dataclasses import dataclass
from itertools import pairwise

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.nodes.composing import lead_condition
from soprag.tools.procedure.wording.clauses import sentences
from soprag.tools.procedure.wording.conditions import OPENING, read_clause
from soprag.tools.procedure.wording.outcome_labels import compares
from soprag.tools.procedure.wording.verbs import directs

_FOR = re.compile(
    r"^\W*(?:for|on|in|with|using|under)\s+(?!each\b|every\b|all\b|any\b)(?P<case>(?:[^,.;:]|\.(?=\d)){3,80}),\s",
    re.IGNORECASE,
)
_FOR_ITEM = re.compile(
    r"^\W*for\s+(?!each\b|every\b|all\b|any\b|more\b|further\b|example\b)"
    r"(?P<case>(?:[^,.;:]|\.(?=\d)){3,80}?)(?:[,:]|\s+while\b)",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^\W*(?P<case>(?P<kind>case|option|variant|scenario|method|alternative|situation|alarm|fault|cause)\s+"
    r"(?:\d{1,3}|[A-Z])\b[^:.]{0,60})[:.]\s+\S",
    re.IGNORECASE,
)
_OPENS = re.compile(r"^\W*(?:if|in case|should|in the event)\b", re.IGNORECASE)
_YES_NO = re.compile(r"^\W*(?:yes|no)\b(?:,[^.:;]{1,40})?[\W_]*$", re.IGNORECASE)  # a line of its own over a list
_CAUSE = re.compile(
    r"^\W*(?:(?:\w+ )?cause|problem|issue|symptom|reason)\W*:\W*(?P<cause>\S.*)$", re.IGNORECASE | re.DOTALL
)
_REMEDY = re.compile(
    r"^\W*(?:mitigation|solution|fix|resolution|remedy|action|workaround|what to do)\W*:", re.IGNORECASE
)
_WORD = re.compile(r"[a-z0-9.]+")
_CHOOSE = re.compile(
    r"\b(?:one of (?:the following|these|two|three)|either of (?:the following|these)|"
    r"(?:two|three|four|several|these|the following|following) (?:\w+ )?(?:options|alternatives|ways|methods|"
    r"possibilities|choices)|choose (?:one|between|from)|options?:)",
    re.IGNORECASE,
)
_MATCHES = re.compile(
    r"\b(?:that|which) (?:matches|applies|fits|corresponds)\b|\bdepending on (?:the|what|which|whether|your|its)\b|"
    r"\b(?:based on|according to) (?:the )?(?:\w+ )?(?:cause|results?|findings?|diagnosis|outcome|type|"
    r"status|state|kind)\b|"
    r"\bone of the procedures\b",
    re.IGNORECASE,
)
_PARTED = re.compile(
    r"\bdepends? (?:up)?on\b|\b(?:differs?|var(?:y|ies)) (?:by|from|with|between)\b|\baccording to\b|"
    r"\b(?:decides?|determines?) (?:how|what|which|where)\b",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"^\W*(?:for\s+)?(?:the\s+)?(?:models?|types?|variants?|versions?|makes?)\s+(?:[A-Z][\w-]*|\d[\w-]*)", re.IGNORECASE
)
_MODEL = re.compile(r"^\W*[A-Z]{1,4}-?\d{1,4}[A-Z]?\b")
_SEVERAL = re.compile(r"\b(?:any or all|some or all|one or (?:more|both)|all of|both of|and/or)\b", re.IGNORECASE)
_TITLE = 6  # words
_COMMON_END = 4  # letters
_UNLIKE = ("following example",)


@dataclass(frozen=True)
class Group:
    """A block that says when it holds, with the blocks under it."""

    case: str
    lead: Block
    body: list[Block]


def conditional_groups(blocks: list[Block], start: int) -> list[Group]:
    """Lead-ins such as "If the node is down:" from `start` on, each with the list and the code under it."""
    groups: list[Group] = []
    at = start
    while at < len(blocks) and _is_lead(blocks, at):
        kinds = ("item", "code") if blocks[at + 1].kind == "item" else ("paragraph", "item", "code", "quote")
        end = _end(blocks, at + 1, kinds)
        case = _condition(blocks[at], blocks[at + 1].kind == "item")
        groups.append(Group(case, blocks[at], blocks[at + 1 : end]))
        at = end
    return groups


def titled_groups(blocks: list[Block], start: int) -> list[Group]:
    """Lines in bold from `start` on, each with the blocks below it, up to the end of the section; empty for one."""
    groups: list[Group] = []
    at = start
    while at < len(blocks) and blocks[at].kind == "paragraph" and blocks[at].title:
        end = next((i for i in range(at + 1, len(blocks)) if blocks[i].title), len(blocks))
        groups.append(Group(blocks[at].text.strip(" .:"), blocks[at], blocks[at + 1 : end]))
        at = end
    return groups if len(groups) > 1 and all(group.body for group in groups) else []


def names_kind(group: Group) -> bool:
    """Whether a bold name says for which model or kind of thing its blocks are ("Model GN-30 (gas)", "Type 2")."""
    return bool(_KIND.match(group.case))


def names_model(group: Group) -> bool:
    """Whether a bold name is that of a model or a type ("C450", "Model GN-30 (gas)")."""
    return bool(_KIND.match(group.case) or _MODEL.match(group.case))


def version_groups(blocks: list[Block], start: int) -> list[Group]:
    """Neighbouring paragraphs for one version, model or case each ("For clusters at 4.13, ...")."""
    for pattern in (_FOR, _LABELLED):
        groups: list[Group] = []
        at = start
        while at < len(blocks) and (case := _case(blocks[at], pattern)):
            if groups and pattern is _FOR and not _alike(groups[0].case, case):
                break
            end = _end(blocks, at + 1, ("code",) if pattern is _FOR else ("code", "item"))
            groups.append(Group(case, blocks[at], blocks[at + 1 : end]))
            at = end
        if len(groups) > 1:
            return groups
    return []


def remedied_causes(items: list[Block]) -> list[str]:
    """The causes that items are labelled with, each over nothing but its remedies; empty for other items."""
    causes = [found["cause"].strip() for item in items if (found := _CAUSE.match(item.text))]
    remedied = all(item.children and all(_REMEDY.match(child.text) for child in item.children) for item in items)
    return causes if remedied and len(causes) == len(items) else []


def item_cases(items: list[Block]) -> list[str]:
    """The cases of items that are for one version, model or kind each ("For PV-Pool stores, ..."); empty for others."""
    cases = [_item_case(item) for item in items]
    return cases if all(cases) and all(_alike(a, b) or _ends_alike(a, b) for a, b in pairwise(cases)) else []


def offers_choice(text: str) -> bool:
    """Whether words announce alternatives of which one is taken ("you can do one of the following:")."""
    excluded = any(word in text for word in _UNLIKE) or bool(_SEVERAL.search(text))
    return text.rstrip().endswith(":") and bool(_CHOOSE.search(text)) and not excluded


def matches_case(text: str) -> bool:
    """Whether words tell to do what fits the case, as the lines below state it ("apply what matches the cause:")."""
    return text.rstrip().endswith(":") and bool(_MATCHES.search(text))


def parts_ways(text: str) -> bool:
    """Whether the last sentence of a text says that what is done depends on something ("What you see decides ...")."""
    return bool(_PARTED.search(re.split(r"(?<=[.!?])\s+", text.strip())[-1]))


def supposed(block: Block) -> bool:
    """Whether a paragraph says what is done in one case ("If the motor stays silent, ...")."""
    return block.kind == "paragraph" and not block.title and bool(_OPENS.match(block.text))


def is_case(item: Block) -> bool:
    """Whether an item states a case: a label that is no order, or a condition behind its label."""
    label, colon, rest = item.text.partition(":")
    if not colon:
        return bool(read_clause(item.passage).condition)
    return not directs(label) or bool(OPENING.match(rest))


def span(groups: list[Group]) -> int:
    """How many blocks the groups take."""
    return sum(1 + len(group.body) for group in groups)


def _item_case(item: Block) -> str:
    found = _FOR_ITEM.match(item.text)
    return found["case"].strip() if found else ""


def _is_lead(blocks: list[Block], at: int) -> bool:
    block = blocks[at]
    answers = _names_case(block)
    if block.kind != "paragraph" or block.number or not (answers or block.text.rstrip().endswith(":")):
        return False
    following = blocks[at + 1] if at + 1 < len(blocks) else None
    if following is None or following.kind not in ("item", "paragraph"):
        return False
    return bool(_condition(block, following.kind == "item"))


def _names_case(block: Block) -> bool:
    """Whether a line of its own over a list is an answer, or in bold a compared value ("**Over 95 %**")."""
    valued = block.title and compares(block.text) and len(block.text.split()) <= _TITLE and not directs(block.text)
    return bool(_YES_NO.match(block.text)) or valued


def _condition(block: Block, listed: bool) -> str:
    """The condition of the sentence that ends a lead-in; `listed`: the list below tells how its act is done."""
    if _names_case(block):
        return block.text.strip(" .:")
    found = sentences(block.passage)
    last = found[-1][0] if found else block.passage
    if not _OPENS.match(last.text):
        return ""
    return lead_condition(last) or (read_clause(last).condition if listed else "")


def _case(block: Block, pattern: re.Pattern[str]) -> str:
    found = pattern.match(block.text) if block.kind in ("paragraph", "item") else None
    return found["case"].strip() if found else ""


def _end(blocks: list[Block], at: int, kinds: tuple[str, ...]) -> int:
    first = at
    while at < len(blocks) and blocks[at].kind in kinds and (at == first or not _is_lead(blocks, at)):
        at += 1
    return at


def _ends_alike(one: str, other: str) -> bool:
    """Whether two names differ before a common end ("MTCamHexapod", "MTM2Hexapod")."""
    return one != other and one[-_COMMON_END:] == other[-_COMMON_END:]


def _alike(one: str, other: str) -> bool:
    """Whether two cases are values of one thing: half of their words in common, and some not."""
    first, second = set(_WORD.findall(one.lower())), set(_WORD.findall(other.lower()))
    return first != second and len(first & second) / max(1, min(len(first), len(second))) >= 0.5
