"""The lines of a text that look like headings: Markdown headings, bold lines, lines of capitals, document numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from soprag.tools.markdown.inline import is_bold, plain
from soprag.tools.markdown.page import MarkdownBlock, MarkdownPage
from soprag.tools.procedure.blocks import heading_kinds
from soprag.tools.procedure.wording.safety_labels import kind_of

_CAPITALS, _BOLD = 7, 8  # levels below those of Markdown headings
_LONGEST = 100  # characters of a line that is not marked as a heading
# Comments, anchors and directives directly above a heading belong to its section.
_LEFTOVER = re.compile(r"\s*(?:$|<!--.*-->\s*$|<a\b[^>]*>\s*(?:</a>)?\s*$|\.\. .*|\[//\]:.*|\{#[^}]*\}\s*$)|<style.*")
_SERIES = re.compile(r"\W*(?P<kind>[^\W\d_]{3,}) (?:no\.? )?(?P<place>\d{1,3}|[A-Z])(?=\W|$)", re.IGNORECASE)
_DECORATION = re.compile(r"^[\W_]*[=*#~_+-]{2,}[\W_]*|[\W_]*[=*#~_+-]{2,}[\W_]*$")


@dataclass(frozen=True)
class TitleLine:
    """A line that may be the title of a procedure or of a section.

    `line` holds its words. `level` is 1 to 6 for Markdown headings, 7 for capitals, 8 for bold. `begin` is the first of
    the rule, comments, anchors and directives directly above `line` that belong to it.
    """

    text: str
    line: int
    level: int
    begin: int

    @cached_property
    def name(self) -> str:
        """Its words without a chapter number, for comparison."""
        return heading_kinds.name(self.text).rstrip(":.").casefold()

    @cached_property
    def role(self) -> heading_kinds.Role:
        """Its role in a procedure."""
        return heading_kinds.role(self.text)

    @cached_property
    def number(self) -> tuple[int, ...]:
        """The decimal number it begins with."""
        return heading_kinds.number(self.text)

    @cached_property
    def count(self) -> tuple[str, int] | None:
        """Its place in a series: `("part", 2)` for `Part B: Restart`, `("", 3)` for `3. Restart`; None without."""
        if self.number:
            return ("", self.number[0]) if len(self.number) == 1 else None
        series = _SERIES.match(self.text)
        if not series:
            return None
        place = series["place"]
        return series["kind"].casefold(), int(place) if place.isdigit() else ord(place.upper()) - ord("A") + 1


def title_lines(page: MarkdownPage) -> list[TitleLine]:
    """Every heading-like line of `page` outside quotes and code, in order."""
    return [title for block in page.blocks if not block.quoted for title in _of(page, block)]


def first_line(lines: Sequence[str], line: int) -> int:
    """The first of the comments, anchors and directives directly above `line`; `line` when there are none."""
    begin = line
    while line > 1 and _LEFTOVER.match(lines[line - 2]):
        line -= 1
        if lines[line - 1].strip():
            begin = line
    return begin


def _of(page: MarkdownPage, block: MarkdownBlock) -> Iterator[TitleLine]:
    if block.kind == "heading":
        text = _DECORATION.sub("", block.text).strip()
        if text and not block.depth:
            rows = range(block.lines.start, block.lines.end + 1)
            line = next((row for row in rows if _DECORATION.sub("", page.lines[row - 1]).strip()), rows[0])
            yield TitleLine(text, line, block.level, first_line(page.lines, rows[0]))
    elif block.kind in ("paragraph", "item"):
        first = 0 if block.kind == "paragraph" and not block.depth else 1
        for line in range(block.lines.start + first, block.lines.end + 1):
            level = _level(page.lines[line - 1])
            if level:
                text = _DECORATION.sub("", plain(page.lines[line - 1])).strip()
                yield TitleLine(text, line, level, first_line(page.lines, line))


def _level(source: str) -> int:
    """The level of a line that is no Markdown heading; 0 when it does not look like a title."""
    if len(source) > _LONGEST or not source[:1].strip() or kind_of(source):
        return 0
    if is_bold(source):
        return _BOLD
    if heading_kinds.numbered_document(source):
        return _CAPITALS
    letters = [sign for sign in source if sign.isalpha()]
    shouted = len(letters) > 2 and all(sign.isupper() for sign in letters) and len(letters) > len(source) / 2
    return _CAPITALS if shouted and source[-1] not in ".,;|" else 0
