"""Sizes of every subtree of an HTML page, computed bottom-up in one pass, so that each question about one is O(1)."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_BLOCKS_IN_CELLS = {
    "p", "div", "table", "ul", "ol", "dl", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "article",
    "section",
}  # fmt: skip


class CollapsedLength(NamedTuple):
    """The length of a text whose runs of white space count as one; whether it starts and ends with white space."""

    length: int = 0
    starts: bool = False
    ends: bool = False

    @property
    def stripped(self) -> int:
        """The length without white space at both ends."""
        return max(0, self.length - self.starts - self.ends)

    def join(self, right: "CollapsedLength") -> "CollapsedLength":
        """The length of this text followed by `right`."""
        if not self.length or not right.length:
            return self if self.length else right
        length = self.length + right.length - (self.ends and right.starts)
        return CollapsedLength(length, self.starts, right.ends)


class SubtreeSize(NamedTuple):
    """What a subtree contains, its root included."""

    text: CollapsedLength = CollapsedLength()
    links: int = 0
    link_characters: int = 0
    tables: int = 0
    rows: int = 0
    blocks: int = 0
    most_blocks_in_a_cell: int = 0


def measure(root: "HtmlElement", limit: int) -> dict["HtmlElement", SubtreeSize]:
    """The size of each element below `root`; a page of more than `limit` elements is measured up to there."""
    from lxml import etree

    sizes: dict[HtmlElement, SubtreeSize] = {}
    path: list[tuple[HtmlElement, SubtreeSize]] = []
    for count, (event, node) in enumerate(etree.iterwalk(root, events=("start", "end"))):
        if event == "end":
            _close(path, sizes)
        elif count >= 2 * limit:
            break
        else:
            path.append((node, SubtreeSize(_length(node.text))))
    while path:
        _close(path, sizes)
    return sizes


def _close(path: list[tuple["HtmlElement", SubtreeSize]], sizes: dict["HtmlElement", SubtreeSize]) -> None:
    """Take the innermost open element from `path`, store its size and add it to its parent."""
    node, content = path.pop()
    size = sizes[node] = _with_element(content, node.tag)
    if path:
        parent, sum_so_far = path[-1]
        path[-1] = (parent, _add(sum_so_far, size, _length(node.tail)))


def _length(text: str | None) -> CollapsedLength:
    if not text:
        return CollapsedLength()
    tokens = text.split()
    if not tokens:
        return CollapsedLength(1, True, True)
    starts, ends = text[0].isspace(), text[-1].isspace()
    return CollapsedLength(sum(map(len, tokens)) + len(tokens) - 1 + starts + ends, starts, ends)


def _with_element(size: SubtreeSize, tag: str) -> SubtreeSize:
    """`size` of the content, with the element itself counted."""
    if tag == "a":
        return size._replace(links=size.links + 1, link_characters=size.text.stripped)
    if tag in ("td", "th"):
        return size._replace(most_blocks_in_a_cell=max(size.most_blocks_in_a_cell, size.blocks))
    if tag == "tr":
        return size._replace(rows=size.rows + 1)
    if tag in _BLOCKS_IN_CELLS:
        return size._replace(blocks=size.blocks + 1, tables=size.tables + (tag == "table"))
    return size


def _add(parent: SubtreeSize, child: SubtreeSize, tail: CollapsedLength) -> SubtreeSize:
    return SubtreeSize(
        parent.text.join(child.text).join(tail),
        parent.links + child.links,
        parent.link_characters + child.link_characters,
        parent.tables + child.tables,
        parent.rows + child.rows,
        parent.blocks + child.blocks,
        max(parent.most_blocks_in_a_cell, child.most_blocks_in_a_cell),
    )
