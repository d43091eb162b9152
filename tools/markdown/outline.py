"""The blocks of an SOP in reading order, with their lines and the list items and quotes that contain them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

from markdown_it.token import Token

from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.tokens import parse, span, trimmed_span, without_matter

Kind = Literal["heading", "paragraph", "code", "table", "html", "rule"]

_HTML_TABLE = re.compile(r"<table\b.*?</table\s*>", re.IGNORECASE | re.DOTALL)
_HERE = "<!---->"  # placeholder for an HTML table, so that lists and paragraphs end at the same line
_LONE_RETURN = re.compile(r"\r(?!\n)")
_LABEL_ONLY_QUOTE = re.compile(r"^>\s*[*_]*[A-Z]{4,9}:?[*_]*:?\s*$")
_LIST_ITEM = re.compile(r"^(\s*)(?:[-*+]|\d{1,9}[.)])(\s+)\S")
_LEAVES: dict[str, Kind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "table_open": "table",
    "html_block": "html",
    "hr": "rule",
}


@dataclass(frozen=True)
class ListItem:
    """A list item: its list, the item around that list, and the number it is printed with."""

    list: int
    parent: "ListItem | None"
    label: str
    start: int
    end: int

    @property
    def ordered(self) -> bool:
        """Whether its list is numbered."""
        return bool(self.label)


@dataclass(frozen=True)
class OutlineBlock:
    """One leaf of the document tree; lines are counted from 1 and both ends are included."""

    kind: Kind
    start: int
    end: int
    text: str = ""
    level: int = 0
    info: str = ""
    item: ListItem | None = None
    quote: int = 0

    @cached_property
    def words(self) -> str:
        """Its text without markup, on one line."""
        return plain(self.text)


@dataclass
class _Walk:
    """The state of a traversal: the open list items and quotes, and a number for every list."""

    items: list[ListItem] = field(default_factory=list)
    lists: list[list[int]] = field(default_factory=list)  # its number, how many items so far, the number of the first
    quotes: list[int] = field(default_factory=list)
    count: int = 0

    def enter(self, token: Token) -> None:
        """Update the state for a container token."""
        kind = token.type
        if kind in ("ordered_list_open", "bullet_list_open"):
            self.count += 1
            self.lists.append([self.count, 0, 0])
        elif kind in ("ordered_list_close", "bullet_list_close"):
            self.lists.pop()
        elif kind == "list_item_open":
            start, end = span(token)
            label = self._label(token)
            self.items.append(ListItem(self.lists[-1][0], self.items[-1] if self.items else None, label, start, end))
        elif kind == "list_item_close":
            self.items.pop()
        elif kind == "blockquote_open":
            self.count += 1
            self.quotes.append(self.count)
        elif kind == "blockquote_close":
            self.quotes.pop()

    def _label(self, token: Token) -> str:
        """The printed number; where every item repeats the first number (`1. 1. 1.`), the number when rendered."""
        if not token.info:
            return ""
        counters = self.lists[-1]
        printed = int(token.info)
        if not counters[1]:
            counters[2] = printed
        number = printed if printed != counters[2] else counters[2] + counters[1]
        counters[1] += 1
        return f"{number}{')' * (token.markup == ')')}"


@lru_cache(maxsize=8)
def read(body: str) -> tuple[OutlineBlock, ...]:
    """The blocks of `body`, in order."""
    text, _ = without_matter(_LONE_RETURN.sub(" ", body))
    text, tables = _without_html_tables(_mend(text))
    lines = text.split("\n")
    blocks = [block for block in _blocks(parse(text), lines) if block.text.strip() != _HERE] + tables
    return tuple(sorted(blocks, key=lambda block: block.start))


def _blocks(tokens: list[Token], lines: list[str]) -> Iterator[OutlineBlock]:
    walk = _Walk()
    table = False
    for index, token in enumerate(tokens):
        walk.enter(token)
        kind = _LEAVES.get(token.type)
        if kind and not table:
            start, end = trimmed_span(token, lines)
            text = tokens[index + 1].content if kind in ("heading", "paragraph") else token.content
            if kind == "table":
                text = "\n".join(lines[start - 1 : end])
            level = int(token.tag[1]) if kind == "heading" else 0
            item = walk.items[-1] if walk.items else None
            quote = walk.quotes[-1] if walk.quotes else 0
            yield OutlineBlock(kind, start, end, text, level, token.info, item, quote)
        table = token.type != "table_close" and (table or token.type == "table_open")


def _without_html_tables(text: str) -> tuple[str, list[OutlineBlock]]:
    """`text` with HTML tables replaced by placeholders, and the tables: Markdown would split them at blank lines."""
    tables: list[OutlineBlock] = []

    def blank(match: re.Match[str]) -> str:
        start = text.count("\n", 0, match.start()) + 1
        height = match[0].count("\n")
        tables.append(OutlineBlock("html", start, start + height, match[0], info="table"))
        return _HERE + "\n" * height

    return (_HTML_TABLE.sub(blank, text), tables) if "<table" in text.lower() else (text, tables)


def _mend(text: str) -> str:
    """Put a label-only quote such as `> **NOTE:**` back into the list item whose indented text goes on after it.

    Converters drop its indentation, which would end the list and turn the rest of the item into code.
    """
    lines = text.split("\n")
    inside = 0  # content column of the innermost list item that is still open
    for index, line in enumerate(lines):
        marker = _LIST_ITEM.match(line)
        if marker:
            inside = len(line) - len(line[marker.end() - 1 :])
        elif inside and _LABEL_ONLY_QUOTE.match(line):
            following = next((later for later in lines[index + 1 : index + 4] if later.strip()), "")
            indent = len(following) - len(following.lstrip())
            if indent >= inside and not _LIST_ITEM.match(following):
                lines[index] = " " * indent + line
            else:
                inside = 0
        elif line.strip() and not line[0].isspace():
            inside = 0
    return "\n".join(lines)
