"""Markdown blocks read from the parser's tokens, with repairs for common converter errors."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from markdown_it.token import Token

from soprag.tools.markdown.html_tables import html_rows
from soprag.tools.markdown.inline import is_bold, labelled, plain, section_number
from soprag.tools.markdown.tokens import span, trimmed_span
from soprag.tools.sop import Span

Kind = Literal["heading", "paragraph", "item", "table", "code", "html", "rule", "reference", "matter"]
Rows = tuple[tuple[str, ...], ...]

_NOWHERE = Span(start=1, end=1)
_DEFINITION = re.compile(r"\s{0,3}\[[^\]]{1,200}\]:\s*\S")
_SENTENCE = re.compile(r"[.;]$|(?:\S+\s+){13}")  # too long for a heading, or ended like a sentence


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """One block of the text.

    `item` is the first paragraph of a list entry, or a paragraph that begins with a printed step label; `html` is
    inline HTML other than a table; `rule` is a thematic break; `reference` is a link definition such as
    `[1]: https://...`; `matter` is front matter.
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
        """Whether the whole block is bold, as a heading that lost its style is."""
        return is_bold(self.source)


def blocks(tokens: list[Token], lines: tuple[str, ...], skipped: int = 0) -> tuple[MarkdownBlock, ...]:
    """The blocks of `tokens`, parsed from `lines`, in order; the first `skipped` lines (front matter) are excluded."""
    return _relevelled(_with_gaps(list(_Walk(lines).blocks(tokens)), lines, skipped))


@dataclass
class _Walk:
    """Converts the token list into blocks in one pass; its state is the nesting depth and a pending item label."""

    lines: tuple[str, ...]
    depth: int = 0
    quotes: int = 0
    fresh: str | None = None  # label of a list item whose first paragraph is still to come

    def blocks(self, tokens: list[Token]) -> Iterator[MarkdownBlock]:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "table_open":
                last = next(
                    position for position in range(index, len(tokens)) if tokens[position].type == "table_close"
                )
                yield self._table(tokens[index:last])
                index = last
            elif token.type in ("heading_open", "paragraph_open"):
                yield from self._words(token, tokens[index + 1].content)
            else:
                yield from self._other(token)
            index += 1

    def _other(self, token: Token) -> Iterator[MarkdownBlock]:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self.depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.depth -= 1
        elif token.type == "list_item_open":
            self.fresh = token.info + (")" if token.info and token.markup == ")" else "")
        elif token.type in ("blockquote_open", "blockquote_close"):
            self.quotes += token.nesting
        elif token.type in ("fence", "code_block"):
            yield self._here(token, MarkdownBlock("code", text=token.content, source=token.info))
        elif token.type == "html_block":
            rows = tuple(row.texts for row in html_rows(token.content))
            kind: Kind = "table" if rows else "html"
            text = _cells(rows) or plain(token.content)
            yield self._here(token, MarkdownBlock(kind, text=text, source=token.content, rows=rows))
        elif token.type == "hr":
            yield self._here(token, MarkdownBlock("rule"))

    def _table(self, tokens: list[Token]) -> MarkdownBlock:
        rows: list[list[str]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(plain(token.content))
        cells = tuple(tuple(row) for row in rows)
        return self._here(tokens[0], MarkdownBlock("table", text=_cells(cells), rows=cells))

    def _words(self, token: Token, source: str) -> Iterator[MarkdownBlock]:
        if token.type == "heading_open":
            level = int(token.tag[1])
            yield self._here(token, MarkdownBlock("heading", text=plain(source), source=source, level=level))
            return
        if self.fresh is not None:
            label, self.fresh = self.fresh, None
            yield from self._entry(token, source, label)
        else:
            yield from self._paragraph(token, source)

    def _entry(self, token: Token, source: str, label: str) -> Iterator[MarkdownBlock]:
        # "- 2.1 Open ..." and "- [ ] Open ...": the printed label is the one people call it by.
        inner = labelled(source)
        if inner:
            label, source = inner.label or label, inner.rest
        yield self._here(token, MarkdownBlock("item", text=plain(source), source=source, label=label))

    def _paragraph(self, token: Token, source: str) -> Iterator[MarkdownBlock]:
        """A paragraph is one block, or one for each of its lines that begins with a printed label."""
        start, _ = span(token)
        rows = source.split("\n")
        firsts = [index for index, row in enumerate(rows) if labelled(row)]
        for first, past in pairwise(sorted({0, *firsts, len(rows)})):
            paragraph = "\n".join(rows[first:past])
            item = labelled(paragraph)
            yield MarkdownBlock(
                kind="item" if item else "paragraph",
                lines=Span(start=start + first, end=start + past - 1),
                text=plain(item.rest if item else paragraph),
                source=item.rest if item else paragraph,
                label=item.label if item else "",
                depth=self.depth,
                quoted=self.quotes > 0,
            )

    def _here(self, token: Token, block: MarkdownBlock) -> MarkdownBlock:
        """`block` with the line span of `token`, its list depth and whether it is quoted."""
        start, end = trimmed_span(token, self.lines)
        return replace(block, lines=Span(start=start, end=end), depth=self.depth, quoted=self.quotes > 0)


def _cells(rows: Rows) -> str:
    return "\n".join(" | ".join(row) for row in rows)


def _with_gaps(parsed: list[MarkdownBlock], lines: tuple[str, ...], skipped: int) -> list[MarkdownBlock]:
    """Add a paragraph for every line without a block (link definitions, lists nested too deep)."""
    complete: list[MarkdownBlock] = []
    line = skipped + 1
    for block in [*parsed, None]:
        stop = block.lines.start if block else len(lines) + 1
        gap = [number for number in range(line, stop) if lines[number - 1].strip()]
        for number in gap:
            text = lines[number - 1]
            kind: Kind = "reference" if _DEFINITION.match(text) else "paragraph"
            complete.append(MarkdownBlock(kind, Span(start=number, end=number), plain(text), text))
        if block:
            complete.append(block)
            line = max(line, block.lines.end + 1)
    return complete


def _relevelled(parsed: list[MarkdownBlock]) -> tuple[MarkdownBlock, ...]:
    """Correct heading levels from decimal numbers: one level below the parent number, equal among siblings.

    4.1 goes below 4 and 6 beside 5, whatever levels the parser reported. A numbered sentence formatted as a heading
    becomes an item.
    """
    levels: dict[tuple[int, ...], int] = {}
    relevelled: list[MarkdownBlock] = []
    for block in parsed:
        if block.kind != "heading":
            relevelled.append(block)
            continue
        number = section_number(block.text)
        step = labelled(block.text)
        if step and len(number) > 1 and _SENTENCE.search(step.rest):
            relevelled.append(replace(block, kind="item", level=0, label=step.label, text=step.rest))
            continue
        if not number and block.level == 1:
            levels.clear()
        level = _level(block.level, number, levels)
        if number:
            levels[number] = level
        relevelled.append(replace(block, level=level))
    return tuple(relevelled)


def _level(level: int, number: tuple[int, ...], levels: dict[tuple[int, ...], int]) -> int:
    if not number:
        return level
    beside = levels.get((*number[:-1], number[-1] - 1))
    above = levels.get(number[:-1], 0) if len(number) > 1 else 0
    return beside if beside is not None and beside > above else max(level, above + 1)
