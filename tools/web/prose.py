"""Text of an HTML page as plain Markdown: headings, lists, tables and links in reading order.

For judging a page, not for storing it: menus and notices about cookies are left out, and layout tables are resolved
into their blocks. Time is linear in the page: sizes of subtrees come from one pass over it (`subtree_sizes`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soprag.tools.web.subtree_sizes import SubtreeSize, measure

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_INVISIBLE = {"script", "style", "noscript", "template", "svg", "head", "nav", "iframe", "object", "form", "button"}
_HEADINGS = {"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "h5": "##### ", "h6": "###### "}
_BLOCKS = {
    "p", "div", "section", "article", "main", "header", "footer", "aside", "li", "dd", "dt", "blockquote", "pre", "td",
    "th", "figcaption", "caption", "address", "summary", "details", "center", "body", "fieldset", "label",
}  # fmt: skip
_BREAKS = _BLOCKS | _HEADINGS.keys() | {"table", "ul", "ol", "hr", "tr", "tbody"}
_MENUS = _BLOCKS | {"ul", "ol"}
_BOLD = {"b", "strong"}
_WRAPPERS = {"font", "span", "u", "i", "em", "big"}
_BOLD_HEADING = "### "  # their level is not known
_TITLE_WORDS = 15  # of a block in bold that is a heading, at most
_LINE_BREAK = "\x00"
_ELEMENTS = 50_000  # elements of a page that are read
_LEAST_LINKS = 3  # in a menu ...
_LINK_SHARE = 0.6  # ... whose text is links for this share at least ...
_LINK_LENGTH = 20  # ... of this average length in characters at most
_CONSENT = re.compile(r"cookie|consent|gdpr", re.IGNORECASE)  # how sites and their services name the notice
_BLOCKS_IN_A_CELL = 3  # more make a table a layout table


def prose(root: "HtmlElement", limit: int) -> str:
    """The Markdown of the page below `root`, blocks separated by blank lines; at most `limit` characters."""
    blocks: list[str] = []
    length = 0
    for block in _Renderer(measure(root, _ELEMENTS)).blocks(root, ""):
        if block.strip():
            blocks.append(block)
            length += len(block) + 2
        if length > limit:
            break
    return "\n\n".join(blocks)[:limit]


@dataclass(frozen=True)
class _Renderer:
    sizes: dict["HtmlElement", SubtreeSize]

    def blocks(self, node: "HtmlElement", mark: str) -> Iterator[str]:
        """The blocks of `node` in document order; `mark` precedes the first one."""
        line = [mark + (node.text or "")]
        for child in node:
            if child not in self.sizes or child.tag in _INVISIBLE or self.is_menu(child) or _asks_consent(child):
                line.append(child.tail or "")
            elif child.tag in _BREAKS or self._wraps_blocks(child):
                yield _line(line)
                yield from self._block(child)
                line = [child.tail or ""]
            else:
                line += [_inline(child), child.tail or ""]
        yield _line(line)

    def is_menu(self, node: "HtmlElement") -> bool:
        """Whether a block consists mostly of a few short links."""
        size = self.sizes[node]
        if node.tag not in _MENUS or size.links < _LEAST_LINKS:
            return False
        return _LINK_SHARE * size.text.stripped <= size.link_characters <= _LINK_LENGTH * size.links

    def _wraps_blocks(self, node: "HtmlElement") -> bool:
        """Whether an inline element contains blocks, as `<font>` and `<b>` do on old pages; a link stays one."""
        return node.tag != "a" and self.sizes[node].blocks > 0

    def _block(self, node: "HtmlElement") -> Iterator[str]:
        heading = _HEADINGS.get(node.tag) or (_BOLD_HEADING if _is_bold_title(node) else "")
        if heading:
            yield heading + _line([_inline(node)])
        elif node.tag == "pre" and not self.sizes[node].links:
            yield f"```\n{node.text_content().strip()}\n```"
        elif node.tag == "table" and not self._lays_out(node):
            yield _table(node)
        elif node.tag == "ol":
            for number, item in enumerate(node.iterchildren("li"), _start(node)):
                yield from self.blocks(item, f"{number}. ")
        elif node.tag == "ul":
            for item in node.iterchildren("li"):
                yield from self.blocks(item, "- ")
        else:
            yield from self.blocks(node, "")

    def _lays_out(self, table: "HtmlElement") -> bool:
        """Whether a table only lays out the page: it contains another table, or cells with several blocks."""
        size = self.sizes[table]
        most = size.most_blocks_in_a_cell
        return size.tables > 1 or most > _BLOCKS_IN_A_CELL or (size.rows <= 1 and most > 1)


def _asks_consent(node: "HtmlElement") -> bool:
    """Whether a block is the notice about cookies."""
    return node.tag in _BLOCKS - {"body", "main", "article"} and bool(
        _CONSENT.search(f"{node.get('id', '')} {node.get('class', '')}")
    )


def _is_bold_title(node: "HtmlElement") -> bool:
    """Whether a block is one short text in bold: pages without heading elements mark their headings so."""
    while len(node) == 1 and not (node.text or "").strip() and not (node[0].tail or "").strip():
        node = node[0]
        if node.tag in _BOLD:
            return len(node) == 0 and 0 < len((node.text or "").split()) <= _TITLE_WORDS
        if node.tag not in _WRAPPERS:
            return False
    return False


def _inline(node: "HtmlElement") -> str:
    if node.tag == "br":
        return _LINE_BREAK
    if node.tag == "input":
        return "[ ] " if node.get("type") == "checkbox" else ""
    text = (node.text or "") + "".join(
        _inline(child) + (child.tail or "")
        if isinstance(child.tag, str) and child.tag not in _INVISIBLE
        else child.tail or ""
        for child in node
    )
    href = node.get("href") if node.tag == "a" else None
    return f"[{text.strip()}]({href})" if href and text.strip() else text


def _table(table: "HtmlElement") -> str:
    rows = [
        [_line([_inline(cell)]).replace("\n", " ") for cell in row if cell.tag in ("td", "th")]
        for row in table.iter("tr")
    ]
    lines = [f"| {' | '.join(cells)} |" for cells in rows if cells]
    if lines:
        lines.insert(1, "|" + "---|" * max(len(cells) for cells in rows))
    return "\n".join(lines)


def _start(node: "HtmlElement") -> int:
    start = node.get("start", "1")
    return int(start) if start.isdecimal() and len(start) < 10 else 1


def _line(pieces: list[str]) -> str:
    return "\n".join(" ".join(line.split()) for line in "".join(pieces).split(_LINE_BREAK) if line.strip())
