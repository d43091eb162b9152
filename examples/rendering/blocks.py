"""What a Markdown body is made of: the few block kinds every output format can show."""

from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode


@dataclass(frozen=True)
class Run:
    """A stretch of text in one face."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False


Text = tuple[Run, ...]


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the document title."""

    level: int
    text: Text


@dataclass(frozen=True)
class Paragraph:
    """One paragraph."""

    text: Text


@dataclass(frozen=True)
class Notice:
    """A danger, warning, caution or note: a block quote in the source."""

    paragraphs: tuple[Text, ...]


@dataclass(frozen=True)
class Listing:
    """A list; an ordered one counts from `start`, each item is a sequence of blocks."""

    ordered: bool
    start: int
    items: tuple[tuple["Block", ...], ...]


@dataclass(frozen=True)
class Table:
    """A table whose first row is its header."""

    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True)
class PageBreak:
    """A thematic break in the source: a new page where the format has pages."""


Block = Heading | Paragraph | Notice | Listing | Table | PageBreak


def markdown() -> MarkdownIt:
    """The dialect of the sources: CommonMark and pipe tables, no raw HTML."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def read_blocks(body: str) -> tuple[Block, ...]:
    """Parse a Markdown body; a construct without a block kind of its own is an error."""
    return tuple(_block(node) for node in SyntaxTreeNode(markdown().parse(body)).children)


def plain(text: Text) -> str:
    """The words without their faces."""
    return "".join(run.text for run in text)


def _block(node: SyntaxTreeNode) -> Block:
    match node.type:
        case "heading":
            return Heading(int(node.tag[1:]), _text(node))
        case "paragraph":
            return Paragraph(_text(node))
        case "blockquote":
            return Notice(tuple(_text(child) for child in node.children))
        case "ordered_list" | "bullet_list":
            return _listing(node)
        case "table":
            rows = (row for part in node.children for row in part.children)
            return Table(tuple(tuple(_text(cell) for cell in row.children) for row in rows))
        case "hr":
            return PageBreak()
    raise ValueError(f"the example library does not use {node.type!r} (line {node.map}); write it otherwise")


def _listing(node: SyntaxTreeNode) -> Listing:
    items = tuple(tuple(_block(child) for child in item.children) for item in node.children)
    return Listing(node.type == "ordered_list", int(node.attrs.get("start", 1)), items)


def _text(node: SyntaxTreeNode) -> Text:
    return tuple(run for inline in node.children for run in _runs(inline, Run("")))


def _runs(node: SyntaxTreeNode, face: Run) -> Iterator[Run]:
    match node.type:
        case "strong":
            face = Run("", bold=True, italic=face.italic)
        case "em":
            face = Run("", bold=face.bold, italic=True)
        case "softbreak":
            yield Run(" ", face.bold, face.italic)
        case "hardbreak":
            yield Run("\n", face.bold, face.italic)
        case "text":
            yield Run(node.content, face.bold, face.italic)
        case "code_inline":
            yield Run(node.content, face.bold, face.italic, code=True)
    for child in node.children:
        yield from _runs(child, face)
