"""The words of an HTML page as plain Markdown: headings, steps, tables and links where a reader sees them.

Made for judging a page, not for keeping it: menus are left out, and tables that only lay the page out are taken apart.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_UNSEEN = {"script", "style", "noscript", "template", "svg", "head", "nav", "iframe", "object", "form", "button"}
_HEADINGS = {"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "h5": "##### ", "h6": "###### "}
_BLOCKS = {
    "p", "div", "section", "article", "main", "header", "footer", "aside", "li", "dd", "dt", "blockquote", "pre", "td",
    "th", "figcaption", "caption", "address", "summary", "details", "center", "body", "fieldset", "label",
}  # fmt: skip
_INSIDE = {"p", "div", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "article", "section"}
_MENU = 3  # links, at least ...
_SHORT = 20  # ... of so many signs on average
_MANY = 3  # blocks inside one cell: nobody writes data like that


def prose(root: "HtmlElement") -> str:
    """The page below `root`, block by block."""
    lines = list(_blocks(root, ""))
    return "\n\n".join(line for line in lines if line.strip())


def _blocks(node: "HtmlElement", mark: str) -> Iterator[str]:
    """Every block of `node`, in order; `mark` stands before the first one."""
    line = [mark + (node.text or "")]
    for child in node:
        if not isinstance(child.tag, str) or child.tag in _UNSEEN or is_menu(child):
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
        for at, item in enumerate(node.iterchildren("li"), _start(node)):
            yield from _blocks(item, f"{at}. ")
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
    said = (node.text or "") + "".join(
        _inline(child) + (child.tail or "")
        if isinstance(child.tag, str) and child.tag not in _UNSEEN
        else child.tail or ""
        for child in node
    )
    href = node.get("href") if node.tag == "a" else None
    return f"[{said.strip()}]({href})" if href and said.strip() else said


def is_menu(node: "HtmlElement") -> bool:
    """Whether a block is little more than a few short links."""
    anchors = [len(" ".join(link.text_content().split())) for link in node.iter("a") if link is not node]
    if node.tag not in _BLOCKS | {"ul", "ol"} or len(anchors) < _MENU:
        return False
    said = len(" ".join(node.text_content().split()))
    return sum(anchors) >= 0.6 * said and sum(anchors) <= _SHORT * len(anchors)


def _lays_out(table: "HtmlElement") -> bool:
    """Whether its cells hold whole parts of the page, or it holds another table."""
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
    said = node.get("start", "1")
    return int(said) if said.isdigit() else 1


def _line(pieces: list[str]) -> str:
    return "\n".join(" ".join(line.split()) for line in "".join(pieces).split("\x00") if line.strip())
