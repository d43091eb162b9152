"""Sections of a document: the tree that headings span, and what the title of a section says about its lines."""

import re
from dataclasses import dataclass, field
from typing import Literal

from soprag.tools.procedure.blocks.blocks import Block, numbered
from soprag.tools.procedure.wording.passage import SourcePassage

Topic = Literal["acts", "background", "states", "reference", "metadata", "notes"]
_TITLES: tuple[tuple[Topic, str], ...] = (
    (
        "metadata",
        r"(?:revisions?|version|change|document)?\s*(?:history|log|control|changes|revisions?)|"
        r"changes|sign[ -]?offs?|"
        r"approvals?|signatures?|records?(?: and .*)?|document (?:information|details)|distribution.*|authors?",
    ),
    (
        "reference",
        r"(?:see also|references?|related .*|further reading|links?|resources|documents|bibliography|source)",
    ),
    (
        "background",
        r"(?:when (?:not )?to use.*|use of this.*|overview|background|introduction|purpose|scope|"
        r"summary|meaning|impact|why.*|what this.*|about.*|"
        r"definitions?|glossary|abbreviations|acronyms|applicab.*|roles?\b.*|responsib.*|name|severity|description|"
        r"consequences?|(?:alert|problem|issue|error) (?:description|statement|summary)|"
        r"symptoms?|(?:probable |possible )?causes?|post-?\s?conditions?|"
        r"expected results?|(?:parts|tools|equipment|materials|you need|reagents|consumables|apparatus|"
        r"required (?:parts|tools|equipment|materials))\b.*|parameters|devices|examples?.*|contacts?|"
        r"limits(?: of \w+)?|"
        r"additional (?:resources|information)|objectives?|principle.*|theory.*|protective equipment.*|hazards?.*|"
        r"alarm codes.*|faq|outputs?|appendix.*|interval|frequency)",
    ),
    (
        "states",
        r"(?:(?:error|alarm|fault) (?:diagnosis|messages?)|pre-?\s?conditions?|pre-?\s?requisites?|"
        r"requirements?|entry(?: conditions?| criteria)?)",
    ),
    ("notes", r"(?:(?:additional |general |safety )?notes?|remarks?|tips?|contingency|safety)"),
)
_TOPICS = tuple(
    (name, re.compile(rf"^(?:[\W\d]|appendix\W+\w\b)*(?:{pattern})\W*$", re.IGNORECASE)) for name, pattern in _TITLES
)
_SAFETY = re.compile(
    r"^(?:[\W\d])*(?:(?:general|important|health and) )?(?:safety(?: (?:first|precautions|rules|information|"
    r"instructions|measures|requirements|warnings?|notes?))?|precautions|hazards?|dangers?|warnings?|cautions?)\W*$",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?P<word>if|when(?! (?:not )?to\b)|in case|case|option|variant|scenario|card|"
    r"alarm|cause|alternative|for(?= (?!(?:each|every|all|any|more|further|example|reference|information)\b))|"
    r"(?:procedure|method|approach|solution|workaround)(?=\s+(?:\d|[A-Z])\b))\b",
    re.IGNORECASE,
)


@dataclass
class Section:
    """A heading with the blocks and the sections under it; the root of a document has no heading."""

    heading: Block | None = None
    level: int = 0
    blocks: list[Block] = field(default_factory=list)
    parts: "list[Section]" = field(default_factory=list)
    index: int = 0

    @property
    def words(self) -> SourcePassage:
        """The heading without its number."""
        if self.heading is None:
            return SourcePassage("", ((0, 0),))
        found = numbered(self.heading.text)
        return self.heading.passage.cut(found.end() if found else 0, len(self.heading.text))

    @property
    def title(self) -> str:
        """The plain words of the heading."""
        return self.heading.text if self.heading else ""


def outline(blocks: list[Block]) -> Section:
    """The sections of a document as a tree; sections are numbered in reading order."""
    root = Section()
    open_ = [root]
    count = 0
    for block in blocks:
        if block.kind != "heading":
            open_[-1].blocks.append(block)
            continue
        count += 1
        while len(open_) > 1 and open_[-1].level >= block.level:
            open_.pop()
        section = Section(block, block.level, index=count)
        open_[-1].parts.append(section)
        open_.append(section)
    return root


def topic(title: str, outer: Topic = "acts") -> Topic:
    """What the lines under a heading are about; a title that says nothing leaves the topic of the section around it."""
    for name, pattern in _TOPICS:
        if pattern.match(title):
            return name
    return outer


def about_safety(title: str) -> bool:
    """Whether the bullets under a heading are warnings, however they are worded ("Safety", "2. Hazards")."""
    return bool(_SAFETY.match(title))


def case_word(title: str) -> str:
    """The word by which a heading opens one of several cases ("If", "Case", "Option"), in lower case, or nothing."""
    found = _CASE.match(title)
    return found["word"].lower() if found else ""
