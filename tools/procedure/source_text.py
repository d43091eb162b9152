"""Verbatim text of an SOP by line numbers: steps, warnings, headings, and search for quoted text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.outline import ListItem, OutlineBlock, read
from soprag.tools.procedure.blocks.boxes import boxed_html
from soprag.tools.procedure.blocks.callouts import kind_at, last_block
from soprag.tools.procedure.blocks.step_tables import Row, cells_of, table_of
from soprag.tools.procedure.wording.printed_labels import normal, printed
from soprag.tools.procedure.wording.safety_labels import inside, is_label_alone, kind_of
from soprag.tools.sop import Span, WarningKind

_QUOTE = re.compile(r"^\s{0,3}>\s?")
_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)")
_HASHES = re.compile(r"^\s{0,3}#{1,6}\s+|\s+#+\s*$")
_CHECKBOX = re.compile(r"^\[[ xX]?\]\s+")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TARGET = re.compile(r"(?<=\])\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)|(?<=\])\[[^\]\n]*\]")
_ROW = re.compile(r"</?(?:td|tr|th)\b")
_MARKUP = re.compile(r"[<&\[(]")
# A picture, the mark that a converter leaves in its place, and its caption.
_PICTURE = re.compile(
    r"\[figure:(?:[^\[\]]|\[[^\]]*\])*\]|<figcaption.*?</figcaption>|!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?|<[^>]*>",
    re.IGNORECASE | re.DOTALL,
)
_NOT_WORD = re.compile(r"[\W_]+")


def letters_of(text: str) -> str:
    """The letters and digits of `text` in lower case, for comparison regardless of markup and line breaks."""
    return _NOT_WORD.sub("", text).lower()


@dataclass(frozen=True)
class SourceRemark:
    """A safety remark or a note by its lines."""

    kind: WarningKind
    start: int
    end: int


@dataclass(frozen=True)
class SourceText:
    """The body of one SOP; line 1 is its first."""

    body: str

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, as they are."""
        return self.body.split("\n")

    @cached_property
    def _items(self) -> dict[int, ListItem]:
        return {block.item.start: block.item for block in read(self.body) if block.item}

    @cached_property
    def _rows(self) -> dict[int, int]:
        """First line of a table row -> first line of its table."""
        tables = [block for block in read(self.body) if block.kind == "table"]
        return {line: block.start for block in tables for line in range(block.start, block.end + 1)}

    @cached_property
    def _html_labels(self) -> dict[int, str]:
        """First line of an HTML table row -> the number printed in it."""
        tables = [table_of(block) for block in read(self.body) if block.kind == "html" and block.info == "table"]
        rows = [row for table in tables if table for row in table.rows if row.label]
        return {line: row.label for row in rows for line in range(row.start, row.end + 1)}

    @cached_property
    def headings(self) -> list[OutlineBlock]:
        """Its headings, in order."""
        return [block for block in read(self.body) if block.kind == "heading"]

    def sections(self, starts: list[int]) -> list[str]:
        """For each of the ascending lines, the headings above it joined with ' / '."""
        paths: list[str] = []
        above: list[tuple[int, str]] = []
        headings = iter(self.headings)
        coming = next(headings, None)
        for line in starts:
            while coming and coming.start < line:
                while above and above[-1][0] >= coming.level:
                    above.pop()
                above.append((coming.level, coming.words))
                coming = next(headings, None)
            paths.append(" / ".join(heading for _, heading in above))
        return paths

    @cached_property
    def _leads(self) -> dict[ListItem, OutlineBlock]:
        """List item -> its first block."""
        found: dict[ListItem, OutlineBlock] = {}
        for block in read(self.body):
            if block.item and block.start == block.item.start:
                found.setdefault(block.item, block)
        return found

    def leads(self, line: int, itself: bool = False) -> list[tuple[int, str]]:
        """First line and words of the list items around the item that stands on a line, outermost first."""
        around = [(b.start - b.end, b) for b in read(self.body) if b.item and b.start <= line <= b.end]
        item = max(around, key=lambda one: one[0])[1].item if around else None
        item = item if itself or item is None else item.parent
        found: list[tuple[int, str]] = []
        while item:
            lead = self._leads.get(item)
            found += [(lead.start, lead.words)] if lead else []
            item = item.parent
        return found[::-1]

    def leaf(self, line: int) -> tuple[int, int]:
        """First and last line of the paragraph, list item or table row that stands on a line."""
        if line in self._rows:
            return line, line
        around = [(b.start, b.end) for b in read(self.body) if b.start <= line <= b.end and b.kind != "table"]
        return min(around, key=lambda span: span[1] - span[0], default=(line, line))

    def remarks(self) -> Iterator[SourceRemark]:
        """The labelled safety remarks and notes, and the quotes, in order."""
        blocks = read(self.body)
        index = 0
        while index < len(blocks):
            first = blocks[index]
            kind = kind_at(first) or _boxed(first) or ("note" if first.quote and first.kind == "paragraph" else None)
            if first.kind in ("table", "rule") or kind is None or (first.kind == "heading" and not _is_label(first)):
                index += 1
                continue
            last = _closing(blocks, index) if _boxed(first) else last_block(blocks, index, first.kind == "heading")
            if not _pictures("\n".join(self.lines[first.start - 1 : blocks[last].end])):
                yield SourceRemark(kind, first.start, blocks[last].end)
            index = last + 1

    def step(self, start: int, end: int, taken: list[Span]) -> tuple[str, str]:
        """The label and the text of a step: its lines without the list marker and without the `taken` lines."""
        if start in self._rows:
            return self._row(start, end)
        gone = {line for span in taken for line in range(max(span.start, start), min(span.end, end) + 1)}
        rows = [self.lines[line - 1] for line in range(start, end + 1) if line not in gone]
        item = self._items.get(start)
        rows = _outdented(rows) if item else dedented(rows)
        first = rows[0] if rows else ""
        bare = _MARKER.sub("", first, count=1) if item else _HASHES.sub("", first)
        bare = _CHECKBOX.sub("", bare.lstrip())
        label = item.label if item else self._html_labels.get(start, "")
        mark = None if label else printed(bare)
        if mark and mark.label and mark.rest.strip():
            label, bare = mark.label, mark.rest
        text = tidy([bare, *rows[1:]])
        return label, _without_tags(text) if _ROW.search(first) else text

    def _row(self, start: int, end: int) -> tuple[str, str]:
        row = Row(start, end, cells_of(self.lines[start - 1]))
        first = plain(row.cells[0]) if row.cells else ""
        if (
            len(row.cells) > 1
            and normal(first)
            and len(first) <= 8
            and re.match(r"^\W*(?:step\s*)?(?:\d|[a-z]\b)", first, re.I)
        ):
            row.label = first.rstrip(".")
        return row.label, row.text

    def remark(self, start: int, end: int) -> str:
        """The text of a warning: its lines without quote marks; from its label on when that is in mid-line."""
        rows = dedented(self.lines[start - 1 : end])
        text = tidy(rows)
        if not kind_of(text):
            label_span = inside(text)
            bare = _MARKER.sub("", rows[0], count=1) if rows else ""
            text = text[label_span[1] :] if label_span else tidy([bare, *dedented(rows[1:])])
        return _without_tags(text) if _ROW.search(text) or boxed_html(text) else text

    # finding words --------------------------------------------------------------------------------------------------

    @cached_property
    def _stream(self) -> tuple[str, list[int]]:
        """All letters and digits of the body in lower case, and the offset of each line in them."""
        text = _TAG.sub("", _TARGET.sub("", self.body))
        begins, parts, size = [], [], 0
        for line in text.split("\n"):
            begins.append(size)
            parts.append(letters_of(line))
            size += len(parts[-1])
        return "".join(parts), begins

    def find(self, text: str, near: int = 1) -> Span | None:
        """The lines of `text`, ignoring markup, case and line breaks, first searched from line `near` on; else None."""
        stream, begins = self._stream
        needle = letters_of(plain(text) if _MARKUP.search(text) else text)
        if not needle:
            return None
        hint = begins[min(max(near, 1), len(begins)) - 1]
        offset = stream.find(needle, hint)
        offset = stream.find(needle) if offset < 0 else offset
        if offset < 0:
            return None
        return Span(start=_line(begins, offset), end=_line(begins, offset + len(needle) - 1))


def _pictures(text: str) -> bool:
    """Whether nothing but pictures and their captions stands in lines."""
    left, count = _PICTURE.subn("", text)
    return count > 0 and not letters_of(left)


def _line(begins: list[int], offset: int) -> int:
    low, high = 0, len(begins)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if begins[middle] <= offset else (low, middle)
    return low


def dedented(lines: list[str]) -> list[str]:
    """The lines without the quote marks that all share, and without the indentation that all but the first share."""
    while lines:
        rest = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
        cut = min(rest, default=0)
        lines = [lines[0].lstrip(), *(line[cut:] for line in lines[1:])]
        if not lines[0] or not all(_QUOTE.match(line) for line in lines if line.strip()):
            break
        lines = [_QUOTE.sub("", line, count=1) for line in lines]
    return lines


def _outdented(lines: list[str]) -> list[str]:
    """The lines of a list item without the indentation that its marker asks for; one that lacks it stays as it is."""
    marker = _MARKER.match(lines[0]) if lines else None
    if not marker:
        return dedented(lines)
    width = len(marker[0].expandtabs(4))
    rest = [line[: len(line) - len(line.lstrip())].expandtabs(4)[width:] + line.lstrip() for line in lines[1:]]
    return [lines[0].lstrip(), *rest]


def tidy(lines: list[str]) -> str:
    """The lines as text, without blank lines at its ends and with one blank line where there were several."""
    return re.sub(r"\n\s*\n(?:\s*\n)+", "\n\n", "\n".join(lines)).strip()


def _without_tags(text: str) -> str:
    return " ".join(plain(text).split())


def _boxed(block: OutlineBlock) -> WarningKind | None:
    """The kind of remark that an HTML block with the class of a warning opens."""
    if block.kind != "html" or not boxed_html(block.text):
        return None
    kinds: tuple[WarningKind, ...] = ("danger", "caution", "note")
    return next((kind for kind in kinds if kind in block.text.partition(">")[0].lower()), "warning")


def _closing(blocks: tuple[OutlineBlock, ...], index: int) -> int:
    """The index of the block that closes an HTML box."""
    for position in range(index, len(blocks)):
        if "</" in blocks[position].text and blocks[position].kind == "html":
            return position
    return index


def _is_label(heading: OutlineBlock) -> bool:
    return is_label_alone(heading.words)
