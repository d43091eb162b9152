"""The heading tree of a document, with counts over the blocks under each heading."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from soprag.tools.markdown.inline import labelled, plain
from soprag.tools.markdown.page import MarkdownBlock, MarkdownPage, section_ends
from soprag.tools.procedure.blocks import heading_kinds
from soprag.tools.procedure.wording.instructions import directs
from soprag.tools.procedure.wording.safety_labels import kind_of

_LEAD = re.compile(r"(?:\*\*|__)([^*_\n]{2,40}?):?(?:\*\*|__)")
_FORM = re.compile(
    r"(?:applies to|alarms?|ppe|frequency|duration|time|trigger|purpose|scope|who|when|tools?|equipment|location|owner|"
    r"responsible|persons?|permit|risk|hazards?|precondition\w*|prerequisites?|symptoms?|materials?|document no\.?|"
    r"asset|safety|interval|role|priority|required|doc\.? no)\b"
)
_FIRSTS = ("1", "a", "i", "step 1", "①", "1.1", "01")


@dataclass
class Title:
    """A heading with its subheadings; `end` is the last line of its section."""

    text: str
    level: int
    start: int
    end: int
    language: str
    blocks: tuple[MarkdownBlock, ...]  # everything under it, sub-headings too
    children: list["Title"] = field(default_factory=list)

    @property
    def role(self) -> heading_kinds.Role:
        """The role of the heading in a procedure; a `Part 2` with a form of its own counts as `named`."""
        role = heading_kinds.role(self.text)
        return "named" if role == "inner" and heading_kinds.ordinal(self.text) and self.forms > 1 else role

    @cached_property
    def orders(self) -> int:
        """Number of instruction blocks under it; tables count by row."""
        order_count = sum(1 for b in self.blocks if b.kind in ("item", "paragraph") and directs(b.text, self.language))
        rows = (row for block in self.blocks for row in block.rows)
        return order_count + sum(1 for row in rows if any(_order(cell, self.language) for cell in row))

    @cached_property
    def forms(self) -> int:
        """Number of different form parts of a procedure: sections (Purpose, Steps) and leads (Applies to:)."""
        sections = {heading_kinds.name(t.text).casefold() for t in self.walk() if t is not self and _is_form(t.text)}
        return len(sections | {lead for block in self.blocks for lead in _leads(block)})

    @property
    def formed(self) -> bool:
        """Whether it has subheadings that are form parts of a procedure, such as Purpose or Mitigation."""
        return any(_is_form(title.text) for title in self.children)

    @property
    def warns(self) -> bool:
        """Whether a remark stronger than a note is under it."""
        return any(kind_of(block.source) not in (None, "note") for block in self.blocks)

    @cached_property
    def restarts(self) -> bool:
        """Whether its step numbering restarts at 1, a) or its section number followed by .1."""
        labels = [block.label for block in self.blocks if block.kind == "item" and block.label]
        labels += [row[0] for block in self.blocks for row in block.rows if row and row[0].strip(".)").isalnum()]
        section_number = ".".join(map(str, heading_kinds.number(self.text)))
        return any(label.lower().strip("().") in (*_FIRSTS, f"{section_number}.1") for label in labels[:2])

    def walk(self) -> Iterator["Title"]:
        """This heading and all below it, depth first in document order."""
        waiting = [self]
        while waiting:
            title = waiting.pop()
            yield title
            waiting += reversed(title.children)


def outline(page: MarkdownPage, language: str) -> list[Title]:
    """The top-level headings of `page` with their subtrees; without headings, lone bold lines serve as headings."""
    roots: list[Title] = []
    above: list[Title] = []
    for title in _titles(page, language):
        while above and above[-1].level >= title.level:
            above.pop()
        (above[-1].children if above else roots).append(title)
        above.append(title)
    return roots


def adopt(titles: list[Title]) -> list[Title]:
    """Regroup siblings of one level: a named heading adopts the Purpose, Steps, References ... that follow it.

    Needed where a converter puts all headings at one level, so that a procedure's sections are siblings of its title.
    """
    grouped: list[Title] = []
    for title in titles:
        if grouped and title.role != "named" and not (title.children and grouped[-1].formed):
            parent = grouped[-1]
            both = parent.blocks + title.blocks
            children = [*parent.children, title]
            grouped[-1] = Title(parent.text, parent.level, parent.start, title.end, parent.language, both, children)
        else:
            grouped.append(title)
    return grouped


def _titles(page: MarkdownPage, language: str) -> list[Title]:
    """Every heading with its last line and its blocks."""
    heads = list(page.headings) or [block for block in page.blocks if _could_be_heading(block)]
    ends = section_ends(heads, len(page.lines))
    starts = [block.lines.start for block in page.blocks]
    titles: list[Title] = []
    for head, end in zip(heads, ends, strict=True):
        section_blocks = page.blocks[bisect_right(starts, head.lines.start) : bisect_right(starts, end)]
        titles.append(Title(head.text, head.level or 7, head.lines.start, end, language, section_blocks))
    return titles


def _could_be_heading(block: MarkdownBlock) -> bool:
    if block.kind != "paragraph" or block.quoted or block.depth or len(block.text) > 100 or kind_of(block.source):
        return False
    return block.bold or heading_kinds.numbered_document(block.text)


def _is_form(heading: str) -> bool:
    return heading_kinds.role(heading) in ("opening", "inner")


def _leads(block: MarkdownBlock) -> Iterator[str]:
    """Parts of the form named by bold words or by the head and the first column of a table: `**Applies to:** P-101`."""
    leads = [plain(lead) for lead in _LEAD.findall(block.source)]
    leads += [row[0] for row in block.rows if row] + list(block.rows[0] if block.rows else ())
    for word in leads:
        match = _FORM.match(word.casefold())
        if match:
            yield match[0]


def _order(cell: str, language: str) -> bool:
    entry = labelled(cell)
    return len(cell.split()) > 2 and directs(entry.rest if entry else cell, language)
