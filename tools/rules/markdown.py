"""The structure of a Markdown text: which blocks it has, and on which of its lines each of them stands.

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

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tools.rules.inline import is_bold, labelled, plain, section_number
from tools.rules.tables import html_rows
from tools.sop import Span

Kind = Literal["heading", "paragraph", "item", "table", "code", "html", "rule", "matter"]
Rows = tuple[tuple[str, ...], ...]

_NOWHERE = Span(start=1, end=1)
_NESTING = 60  # deeper lists and quotes are read as plain paragraphs
_MATTER = re.compile(r"(-{3}|\+{3})[ \t]*\n(?:[^\n]*\n){0,80}?\1[ \t]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the text.

    `item` is the first paragraph of a list entry, or a paragraph that begins with a printed step label; `html` is
    inline HTML other than a table; `rule` is a thematic break; `matter` is front matter.
    """

    kind: Kind
    lines: Span = _NOWHERE
    text: str = ""  # without markup and label; of code: verbatim; of a table: its cells
    source: str = ""  # the same words with their markup
    level: int = 0  # of a heading, 1 is the highest
    label: str = ""  # the number of an item as printed, such as "2.1" or "b)"; empty for a bullet
    depth: int = 0  # how many lists it stands in
    quoted: bool = False  # inside a block quote
    rows: Rows = ()  # of a table, its head first

    @property
    def bold(self) -> bool:
        """Is the whole block in bold, as a heading that lost its style would be?"""
        return is_bold(self.source)


@dataclass(frozen=True)
class Section:
    """A heading with everything under it, down to the next heading of its level or above."""

    heading: Block
    lines: Span
    own: tuple[Block, ...]  # the blocks before its first sub-heading
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
class Page:
    """A Markdown text, its lines and its blocks; line 1 is the first."""

    lines: tuple[str, ...]
    blocks: tuple[Block, ...] = field(repr=False)

    def text(self, span: Span) -> str:
        """The lines of `span`, verbatim."""
        return "\n".join(self.lines[span.start - 1 : span.end])

    @cached_property
    def headings(self) -> tuple[Block, ...]:
        """Every heading, in order."""
        return tuple(block for block in self.blocks if block.kind == "heading")

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """One section for each heading, in order; a sub-section also lies inside its parents."""
        ends = _section_ends(self.headings, len(self.lines))
        found: list[Section] = []
        open_: list[Block] = []
        own = self._own_blocks()
        for heading, end in zip(self.headings, ends, strict=True):
            while open_ and open_[-1].level >= heading.level:
                open_.pop()
            above = tuple(parent.text for parent in open_)
            open_.append(heading)
            span = Span(start=heading.lines.start, end=end)
            found.append(Section(heading, span, own[heading.lines.start], above))
        return tuple(found)

    def within(self, span: Span) -> tuple[Block, ...]:
        """The blocks that begin inside `span`."""
        return tuple(block for block in self.blocks if span.start <= block.lines.start <= span.end)

    def _own_blocks(self) -> dict[int, tuple[Block, ...]]:
        own: dict[int, list[Block]] = {}
        current: list[Block] = []
        for block in self.blocks:
            if block.kind == "heading":
                current = own.setdefault(block.lines.start, [])
            else:
                current.append(block)
        return {line: tuple(blocks) for line, blocks in own.items()}


def read(markdown: str) -> Page:
    """The structure of `markdown`; never fails, and every line with a word on it belongs to a block."""
    markdown = markdown.replace("\r\n", "\n").replace("\r", "\n")
    lines = tuple(markdown.split("\n"))
    matter = _MATTER.match(markdown)
    skipped = matter[0].count("\n") if matter else 0
    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table")
    # Inline markup is read by `plain`, which is faster and linear in the length of the line.
    parser.disable("inline")
    tokens = parser.parse("\n" * skipped + "\n".join(lines[skipped:]))
    blocks = [Block("matter", Span(start=1, end=skipped))] if skipped else []
    for block in _Walk(lines).blocks(tokens):
        blocks.append(block)
    return Page(lines, _relevelled(_with_gaps(blocks, lines)))


@dataclass
class _Walk:
    """Turns the token list into blocks, keeping only what nesting needs."""

    lines: tuple[str, ...]
    depth: int = 0
    quotes: int = 0
    fresh: str | None = None  # label of a list item whose first paragraph is still to come

    def blocks(self, tokens: list[Token]) -> Iterator[Block]:
        place = 0
        while place < len(tokens):
            token = tokens[place]
            if token.type == "table_open":
                last = next(at for at in range(place, len(tokens)) if tokens[at].type == "table_close")
                yield self._table(tokens[place:last])
                place = last
            elif token.type in ("heading_open", "paragraph_open"):
                yield from self._words(token, tokens[place + 1].content)
            else:
                yield from self._other(token)
            place += 1

    def _other(self, token: Token) -> Iterator[Block]:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self.depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.depth -= 1
        elif token.type == "list_item_open":
            self.fresh = token.info + (")" if token.info and token.markup == ")" else "")
        elif token.type in ("blockquote_open", "blockquote_close"):
            self.quotes += token.nesting
        elif token.type in ("fence", "code_block"):
            yield self._here(token, Block("code", text=token.content, source=token.info))
        elif token.type == "html_block":
            rows = html_rows(token.content)
            kind: Kind = "table" if rows else "html"
            text = _cells(rows) or plain(token.content)
            yield self._here(token, Block(kind, text=text, source=token.content, rows=rows))
        elif token.type == "hr":
            yield self._here(token, Block("rule"))

    def _table(self, tokens: list[Token]) -> Block:
        rows: list[list[str]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(plain(token.content))
        cells = tuple(tuple(row) for row in rows)
        return self._here(tokens[0], Block("table", text=_cells(cells), rows=cells))

    def _words(self, token: Token, source: str) -> Iterator[Block]:
        if token.type == "heading_open":
            level = int(token.tag[1])
            yield self._here(token, Block("heading", text=plain(source), source=source, level=level))
            return
        if self.fresh is not None:
            label, self.fresh = self.fresh, None
            yield from self._entry(token, source, label)
        else:
            yield from self._paragraph(token, source)

    def _entry(self, token: Token, source: str, label: str) -> Iterator[Block]:
        # "- 2.1 Open ..." and "- [ ] Open ...": the printed label is the one people call it by.
        inner = labelled(source)
        if inner:
            label, source = inner.label or label, inner.rest
        yield self._here(token, Block("item", text=plain(source), source=source, label=label))

    def _paragraph(self, token: Token, source: str) -> Iterator[Block]:
        """A paragraph is one block, or one for each of its lines that begins with a printed label."""
        start = _start(token)
        rows = source.split("\n")
        firsts = [place for place, row in enumerate(rows) if labelled(row)]
        for first, past in pairwise(sorted({0, *firsts, len(rows)})):
            words = "\n".join(rows[first:past])
            found = labelled(words)
            span = Span(start=start + first, end=start + past - 1)
            yield Block(
                kind="item" if found else "paragraph",
                lines=span,
                text=plain(found.rest if found else words),
                source=found.rest if found else words,
                label=found.label if found else "",
                depth=self.depth,
                quoted=self.quotes > 0,
            )

    def _here(self, token: Token, block: Block) -> Block:
        """`block` with the place of `token`: its lines and what it stands in."""
        start, end = _start(token), (token.map or [0, 1])[1]
        while end > start and not self.lines[end - 1].strip():
            end -= 1
        return replace(block, lines=Span(start=start, end=end), depth=self.depth, quoted=self.quotes > 0)


def _start(token: Token) -> int:
    return (token.map or [0, 1])[0] + 1


def _cells(rows: Rows) -> str:
    return "\n".join(" | ".join(row) for row in rows)


def _with_gaps(blocks: list[Block], lines: tuple[str, ...]) -> list[Block]:
    """Lines the parser made nothing of (link definitions, too deep nesting) become paragraphs of their own."""
    whole: list[Block] = []
    line = 1
    for block in [*blocks, None]:
        stop = block.lines.start if block else len(lines) + 1
        gap = [number for number in range(line, stop) if lines[number - 1].strip()]
        for number in gap:
            text = lines[number - 1]
            whole.append(Block("paragraph", Span(start=number, end=number), plain(text), text))
        if block:
            whole.append(block)
            line = max(line, block.lines.end + 1)
    return whole


def _section_ends(headings: tuple[Block, ...], last: int) -> list[int]:
    """For each heading, the line before the next heading of its level or above; one pass from the back."""
    ends = [last] * len(headings)
    waiting: list[int] = []
    for place, heading in enumerate(headings):
        while waiting and headings[waiting[-1]].level >= heading.level:
            ends[waiting.pop()] = heading.lines.start - 1
        waiting.append(place)
    return ends


def _relevelled(blocks: list[Block]) -> tuple[Block, ...]:
    """Headings with decimal numbers stand below the heading whose number they continue (4 above 4.1)."""
    levels: dict[tuple[int, ...], int] = {}
    whole: list[Block] = []
    for block in blocks:
        if block.kind != "heading":
            whole.append(block)
            continue
        number = section_number(block.text)
        above = levels.get(number[:-1], 0) if len(number) > 1 else 0
        levels[number] = max(block.level, above + 1)
        whole.append(replace(block, level=levels[number]))
    return tuple(whole)
