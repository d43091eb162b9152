"""Text of an HTML page as plain Markdown: headings, lists, tables and links in reading order.

For judging a page, not for storing it: menus are left out, and layout tables are resolved into their blocks.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_INVISIBLE = {"script", "style", "noscript", "template", "svg", "head", "nav", "iframe", "object", "form", "button"}
_HEADINGS = {"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "h5": "##### ", "h6": "###### "}
_BLOCKS = {
    "p", "div", "section", "article", "main", "header", "footer", "aside", "li", "dd", "dt", "blockquote", "pre", "td",
    "th", "figcaption", "caption", "address", "summary", "details", "center", "body", "fieldset", "label",
}  # fmt: skip
_INSIDE = {"p", "div", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "article", "section"}
_MENU = 3  # least number of links in a menu ...
_SHORT = 20  # ... and the largest average length of their anchors, in characters
_MANY = 3  # more blocks than this in one cell make a layout table


def prose(root: "HtmlElement") -> str:
    """The Markdown of the page below `root`, blocks separated by blank lines."""
    lines = list(_blocks(root, ""))
    return "\n\n".join(line for line in lines if line.strip())


def _blocks(node: "HtmlElement", mark: str) -> Iterator[str]:
    """The blocks of `node` in document order; `mark` precedes the first one."""
    line = [mark + (node.text or "")]
    for child in node:
        if not isinstance(child.tag, str) or child.tag in _INVISIBLE or is_menu(child):
            line.append(child.tail or "")
            continue
        if child.tag in _BLOCKS or child.tag in _HEADINGS or child.tag in ("table", "ul", "ol", "hr", "tr", "tbody"):
            yield _line(line)
            yield from _block(child)
            line = [child.tail or ""]
        else:
            line += [_inline(child), child.tail or ""]
    yield _line(line)


def _block(node: "HtmlElement") -> Iterator[str]:
    if node.tag in _HEADINGS:
        yield _HEADINGS[node.tag] + _line([_inline(node)])
    elif node.tag == "table" and not _lays_out(node):
        yield _table(node)
    elif node.tag == "ol":
        for number, item in enumerate(node.iterchildren("li"), _start(node)):
            yield from _blocks(item, f"{number}. ")
    elif node.tag == "ul":
        for item in node.iterchildren("li"):
            yield from _blocks(item, "- ")
    else:
        yield from _blocks(node, "")


def _inline(node: "HtmlElement") -> str:
    if node.tag == "br":
        return "\x00"
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


def is_menu(node: "HtmlElement") -> bool:
    """Whether a block consists mostly of a few short links."""
    anchors = [len(" ".join(link.text_content().split())) for link in node.iter("a") if link is not node]
    if node.tag not in _BLOCKS | {"ul", "ol"} or len(anchors) < _MENU:
        return False
    length = len(" ".join(node.text_content().split()))
    return sum(anchors) >= 0.6 * length and sum(anchors) <= _SHORT * len(anchors)


def _lays_out(table: "HtmlElement") -> bool:
    """Whether a table only lays out the page: its cells hold several blocks, or it contains another table."""
    if any(True for inner in table.iter("table") if inner is not table):
        return True
    cells = list(table.iter("td", "th"))
    rows = len(list(table.iter("tr")))
    blocks = max((sum(1 for _ in cell.iter(*_INSIDE)) for cell in cells), default=0)
    return blocks > _MANY or (rows <= 1 and blocks > 1)


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
    return int(start) if start.isdigit() else 1


def _line(pieces: list[str]) -> str:
    return "\n".join(" ".join(line.split()) for line in "".join(pieces).split("\x00") if line.strip())
