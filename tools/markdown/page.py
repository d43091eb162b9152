"""The structure of a Markdown text: its blocks and sections with their line spans.

    page = read(markdown)
    for section in page.sections:        # a heading and what stands under it
        section.title, section.level, section.lines
    for block in page.blocks:            # headings, items, paragraphs, tables, quotes, code, in the order of the text
        block.kind, block.label, block.text, block.lines
    page.text(block.lines)               # the verbatim lines

The view is flat: nesting is a number (`depth`), so deep lists cost no recursion. It copes with what a PDF or Word
parser leaves behind: bold headings, inline HTML tables, printed bullets, `2.1 Open the valve` as a bare paragraph,
`Step 4:`, and headings all of one level that are told apart by their numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from soprag.tools.markdown.blocks import Kind, MarkdownBlock, blocks
from soprag.tools.markdown.tokens import parse, without_matter
from soprag.tools.sop import Span

__all__ = ["HeadingSection", "Kind", "MarkdownBlock", "MarkdownPage", "read", "section_ends"]


@dataclass(frozen=True)
class HeadingSection:
    """A heading with everything under it, down to the next heading of its level or above."""

    heading: MarkdownBlock
    lines: Span
    direct_blocks: tuple[MarkdownBlock, ...]  # the blocks before its first sub-heading
    above: tuple[str, ...]  # the titles it stands under, highest first

    @property
    def title(self) -> str:
        """The words of its heading."""
        return self.heading.text

    @property
    def level(self) -> int:
        """1 is the highest."""
        return self.heading.level


@dataclass(frozen=True)
class MarkdownPage:
    """A Markdown text, its lines and its blocks; line 1 is the first."""

    lines: tuple[str, ...]
    blocks: tuple[MarkdownBlock, ...] = field(repr=False)

    def text(self, span: Span) -> str:
        """The lines of `span`, verbatim."""
        return "\n".join(self.lines[span.start - 1 : span.end])

    @cached_property
    def headings(self) -> tuple[MarkdownBlock, ...]:
        """Every heading, in order."""
        return tuple(block for block in self.blocks if block.kind == "heading")

    @cached_property
    def sections(self) -> tuple[HeadingSection, ...]:
        """One section for each heading, in order; a sub-section also lies inside its parents."""
        ends = section_ends(self.headings, len(self.lines))
        sections: list[HeadingSection] = []
        open_: list[MarkdownBlock] = []
        direct = self._own_blocks()
        for heading, end in zip(self.headings, ends, strict=True):
            while open_ and open_[-1].level >= heading.level:
                open_.pop()
            above = tuple(parent.text for parent in open_)
            open_.append(heading)
            span = Span(start=heading.lines.start, end=end)
            sections.append(HeadingSection(heading, span, direct[heading.lines.start], above))
        return tuple(sections)

    def within(self, span: Span) -> tuple[MarkdownBlock, ...]:
        """The blocks that begin inside `span`."""
        return tuple(block for block in self.blocks if span.start <= block.lines.start <= span.end)

    def _own_blocks(self) -> dict[int, tuple[MarkdownBlock, ...]]:
        direct: dict[int, list[MarkdownBlock]] = {}
        current: list[MarkdownBlock] = []
        for block in self.blocks:
            if block.kind == "heading":
                current = direct.setdefault(block.lines.start, [])
            else:
                current.append(block)
        return {line: tuple(blocks) for line, blocks in direct.items()}


def read(markdown: str) -> MarkdownPage:
    """The structure of `markdown`; never fails, and every line with a word on it belongs to a block."""
    markdown = markdown.replace("\r\n", "\n").replace("\r", "\n")
    lines = tuple(markdown.split("\n"))
    body, skipped = without_matter(markdown)
    front = [MarkdownBlock("matter", Span(start=1, end=skipped))] if skipped else []
    return MarkdownPage(lines, (*front, *blocks(parse(body), lines, skipped)))


def section_ends(headings: Sequence[MarkdownBlock], last: int) -> list[int]:
    """For each heading, the last line of what stands under it: `last`, or the line before the next of its level."""
    ends = [last] * len(headings)
    waiting: list[int] = []
    for index, heading in enumerate(headings):
        while waiting and headings[waiting[-1]].level >= heading.level:
            ends[waiting.pop()] = heading.lines.start - 1
        waiting.append(index)
    return ends
