"""What is to be seen at a block of a procedure: its kind and place, its wording, its neighbours and its section.

`benchmarks.quality.flow_fitting` fits the weights of these signs; `block_model` reads them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.blocks.heading_kinds import role
from soprag.tools.procedure.blocks.sections import Section, Topic, topic
from soprag.tools.procedure.nodes.composing import lead_condition, opens_outcome
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.lexicon import AMBIGUOUS, IMPERATIVES, announces, is_instruction, requires
from soprag.tools.procedure.wording.verbs import directs, forbids, is_check, opens_with_verb, permits

_JUDGED = ("paragraph", "item", "quote")
_VERBS = "|".join(sorted(IMPERATIVES - AMBIGUOUS))
_WORDINGS = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "somebody can": r"\b(?:you|we|one|users?|observers?|operators?)\s+(?:can|may|could|might)\b",
        "somebody must": r"\b(?:you|we|one|users?|observers?)\s+(?:must|should|will|need|have to|shall)\b",
        "can be done": r"\b(?:can|may)\s+(?:also\s+|then\s+)?be\s+\w+(?:ed|n|t)\b",
        "must be": r"\b(?:must|should|need to|needs to|has to|have to)\s+be\b",
        "opens with a purpose": r"^\W*(?:in order )?to\s+[a-z-]+\b",
        "opens with a thing": r"^\W*(?:the|this|these|it|there|a|an)\b",
        "opens with a time": r"^\W*(?:once|after|when|now|then|next|finally|first)\b",
        "opens with a condition": r"^\W*(?:if|in case|should|unless)\b",
        "states": r"\b(?:is|are|was|were|has|have|had)\b",
        "foretells": r"\bwill\b",
        "guesses": r"\b(?:might|may|could)\b",
        "shows": r"\b(?:example|e\.g\.|output|similar|looks? like|following (?:message|error|output|lines?))\b",
        "announces steps": r"\b(?:following|these|below)\b.*\b(?:steps?|procedure|instructions)\b",
        "verb behind a comma": rf",\s+(?:then\s+|please\s+)?(?:{_VERBS})\b",
        "verb behind and": rf"\band\s+(?:then\s+)?(?:{_VERBS})\b",
        "a program does": r"\b(?:script|system|controller|it)\s+(?:will|does|performs?|includes?|runs?)\b",
        "names a trouble": r"\b(?:alert|alarm|error|issue|problem)\b",
        "passive": r"\b(?:is|are)\s+\w+ed\b",
        "please": r"\bplease\b",
        "record": r"\blast modified|written by|contributors\b",
        "asks": r"\?",
        "digits": r"\d",
        "leads": r"[:;]\s*$",
    }.items()
}
_COMMAND = re.compile(
    r"^\s*(?:\$|#|>{2,}|\[[^\]]*\]\s*[$#]|\([\w-]+\)\s|sh-[\d.]+[$#]|[a-z][\w.-]*(?:\s+[\w./-]+)*\s+-{1,2}[a-z])",
    re.MULTILINE,
)
_ONLY_LINK = re.compile(r"(?:\W*!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])\W*)+")
_WORD = re.compile(r"[a-z]+")
_STEM = 6  # letters of a word that count
_LENGTHS = (4, 8, 15, 30, 60)  # words

Signs = dict[str, float]
Verdict = Literal["begins", "belongs", "other"]
Verdicts = dict[int, Verdict]  # first line of a block -> what the rules read there


@dataclass(frozen=True)
class ItemList:
    """The items that stand together, with what is counted over all of them once."""

    blocks: tuple[Block, ...] = ()

    def __len__(self) -> int:
        return len(self.blocks)

    @cached_property
    def directing(self) -> int:
        """Items that direct somebody."""
        return sum(directs(block.text) for block in self.blocks)

    @cached_property
    def opening(self) -> int:
        """Items that open with a verb."""
        return sum(opens_with_verb(block.text) for block in self.blocks)

    @cached_property
    def outcomes(self) -> int:
        """Items that open as an outcome."""
        return sum(opens_outcome(block.passage) for block in self.blocks)


NO_LIST = ItemList()


@dataclass(frozen=True)
class PlacedBlock:
    """A block with what stands around it."""

    block: Block
    section: Section
    about: Topic
    raw: str  # the source of its own lines
    depth: int = 0  # items around it
    parent: Block | None = None
    items: ItemList = NO_LIST  # the list it is an item of
    before: Block | None = None
    after: Block | None = None

    @property
    def kind(self) -> str:
        """The kind of the block; items with a number are another kind than bullets."""
        if self.block.kind != "item":
            return self.block.kind
        return "numbered" if self.block.number else "bullet"


def placed_blocks(section: Section, rows: list[str], outer: Topic = "acts") -> Iterator[PlacedBlock]:
    """The paragraphs, items and quotes of a section and the sections in it, in reading order."""
    about = topic(section.title, outer) if section.level > 1 else outer
    yield from _placed(section.blocks, section, about, rows, ())
    for part in section.parts:
        yield from placed_blocks(part, rows, about)


def _placed(
    blocks: list[Block], section: Section, about: Topic, rows: list[str], around: tuple[Block, ...]
) -> Iterator[PlacedBlock]:
    lists = _lists(blocks)
    for at, block in enumerate(blocks):
        if block.kind in _JUDGED and block.text:
            yield PlacedBlock(
                block,
                section,
                about,
                "\n".join(rows[line - 1] for line in own_lines(block)),
                len(around),
                around[-1] if around else None,
                lists[at],
                blocks[at - 1] if at else None,
                blocks[at + 1] if at + 1 < len(blocks) else None,
            )
        if block.kind == "item":
            yield from _placed(block.children, section, about, rows, (*around, block))


def own_lines(block: Block) -> list[int]:
    """The lines of a block that none of its children has."""
    inner = {line for child in block.children for line in child.lines} if block.kind == "item" else set()
    return [line for line in block.lines if line not in inner]


def verdicts(places: list[PlacedBlock], steps: Iterable[tuple[int, ...]]) -> Verdicts:
    """What a reading says of each block, from the lines of its steps."""
    held = list(steps)
    firsts, all_lines = {lines[0] for lines in held if lines}, {line for lines in held for line in lines}
    found: Verdicts = {}
    for place in places:
        own = set(own_lines(place.block))
        found[place.block.lines[0]] = "begins" if own & firsts else "belongs" if own & all_lines else "other"
    return found


def signs(places: Sequence[PlacedBlock], ruled: Verdicts) -> list[Signs]:
    """For each block of a document name -> value of everything that is to be seen at it; absent signs are 0."""
    begun = Counter(id(place.items) for place in places if ruled.get(place.block.lines[0]) == "begins")
    return [_signs(place, ruled, begun[id(place.items)]) for place in places]


def _signs(place: PlacedBlock, ruled: Verdicts, begun: int) -> Signs:
    text = place.block.text
    found = {"bias": 1.0, **_layout(place), **_section(place), **_neighbours(place), **_clauses(place)}
    found |= _ruled(place, ruled, begun)
    found |= {f"wording {name}": 1.0 for name in wordings(text)}
    words = _WORD.findall(text.lower())
    found |= {f"word {word[:_STEM]}": 0.3 for word in words}
    found |= {f"first {word[:_STEM]}": 1.0 for word in words[:1]}
    return found | {f"second {word[:_STEM]}": 1.0 for word in words[1:2]}


def wordings(text: str) -> list[str]:
    """The names of the wordings that a text has."""
    return [name for name, pattern in _WORDINGS.items() if pattern.search(text)]


def _ruled(place: PlacedBlock, ruled: Verdicts, begun: int) -> Signs:
    """What the rules read at a block and around it; in its list `begun` items begin a step."""
    own = ruled.get(place.block.lines[0], "other")
    found = {f"ruled {own}": 1.0, f"{place.kind} ruled {own}": 1.0, f"about {place.about} ruled {own}": 1.0}
    found[f"directs {directs(place.block.text)} ruled {own}"] = 1.0
    others = len(place.items) - 1
    if others > 0:
        found["others ruled begins"] = found[f"others begin ruled {own}"] = (begun - (own == "begins")) / others
    for name, block in (("around", place.parent), ("before", place.before), ("behind", place.after)):
        if block is not None and block.lines and block.lines[0] in ruled:
            found[f"{name} ruled {ruled[block.lines[0]]}"] = 1.0
    return found


def _layout(place: PlacedBlock) -> Signs:
    block, count = place.block, len(place.items)
    length = sum(len(_WORD.findall(block.text.lower())) >= bound for bound in _LENGTHS)
    found = {f"kind {place.kind}", f"depth {min(place.depth, 2)}", f"length {length}"}
    found |= {f"in a list of {'one' if count == 1 else 'few' if count < 4 else 'many'}"} if count else set()
    found |= {f"behind {place.before.kind if place.before else 'nothing'}"}
    found |= {f"above {place.after.kind if place.after else 'nothing'}"}
    kinds = {child.kind for child in block.children} if block.kind == "item" else set()
    marks = {
        "bold": bool(re.match(r"^\W*(?:\*\*|__)", place.raw.strip())),
        "link": "](" in place.raw or "][" in place.raw,
        "only a link": bool(_ONLY_LINK.fullmatch(place.raw.strip())),
        "code in it": "`" in place.raw,
        "first of a list": bool(count) and place.items.blocks[0] is block,
        "holds items": "item" in kinds,
        "holds code": "code" in kinds,
    }
    return dict.fromkeys((*found, *(name for name, holds in marks.items() if holds), *_command(place)), 1.0)


def _command(place: PlacedBlock) -> list[str]:
    """What the code below a block looks like."""
    below = place.block.children[0] if place.block.kind == "item" and place.block.children else place.after
    if below is None or below.kind != "code":
        return []
    named = "command below" if _COMMAND.search(below.code) else "other code below"
    return [named, *([f"{named} a lead-in"] if place.block.text.rstrip().endswith(":") else [])]


def _section(place: PlacedBlock) -> Signs:
    title = place.section.title
    found = [f"about {place.about}", f"{place.kind} about {place.about}", f"level {min(place.section.level, 4)}"]
    found += [f"heading {role(title)}", f"heading {announces(title)}"] if title else ["no heading"]
    found += [f"title {word[:_STEM]}" for word in _WORD.findall(title.lower())]
    return dict.fromkeys([*found, *(["preamble"] if place.section.level <= 1 else [])], 1.0)


def _neighbours(place: PlacedBlock) -> Signs:
    found: Signs = {}
    others, items = len(place.items) - 1, place.items
    if others > 0:
        found["others direct"] = (items.directing - directs(place.block.text)) / others
        found["others open with verbs"] = (items.opening - opens_with_verb(place.block.text)) / others
        found["others are outcomes"] = (items.outcomes - opens_outcome(place.block.passage)) / others
    for name, block in (("block around", place.parent), ("block before", place.before), ("block behind", place.after)):
        if block is not None and block.text:
            found[f"{name} directs"] = float(directs(block.text))
            found[f"{name} leads"] = float(block.text.rstrip().endswith(":"))
            found[f"{name} checks"] = float(is_check(block.text))
            found[f"{name} is a bare label"] = float(boxes.bare(block.text))
    return found


def _clauses(place: PlacedBlock) -> Signs:
    """What the verb rules say of a block."""
    text, told = place.block.text, clauses(place.block.passage)
    rules = {
        "opens with a verb": opens_with_verb(text),
        "permits": permits(text),
        "forbids": forbids(text),
        "checks": is_check(text),
        "requires": requires(text),
        "instructs": is_instruction(text),
        "warns": boxes.warns(text, boxed=place.block.kind != "paragraph"),
        "lead condition": bool(lead_condition(place.block.passage)),
        "outcome": opens_outcome(place.block.passage),
        "any condition": any(clause.condition for clause in told),
        "act under a condition": any(clause.condition and clause.form != "statement" for clause in told),
    }
    named = [name for name, holds in rules.items() if holds]
    if directs(text):
        named += ["directs", f"{place.kind} directs", f"directs about {place.about}"]
    if told:
        named += [f"first clause {told[0].form}", f"last clause {told[-1].form}", f"opener {told[0].opener or 'none'}"]
    acting = sum(clause.form != "statement" for clause in told) / max(1, len(told))
    return dict.fromkeys([*named, f"clauses {min(3, len(told))}"], 1.0) | {"share of acts": acting}


def _lists(blocks: list[Block]) -> list[ItemList]:
    """For each block the items that stand together with it; of other blocks none."""
    found: list[ItemList] = []
    for is_item, run in groupby(blocks, key=lambda block: block.kind == "item"):
        together = tuple(run)
        found += [ItemList(together) if is_item else NO_LIST] * len(together)
    return found
