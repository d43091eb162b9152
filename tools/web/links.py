"""Collects the links of an HTML page with their anchor text and context, in one pass over the page."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from soprag.tools.sop import Frozen
from soprag.tools.web import urls

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_ELEMENTS = 50_000  # elements of a page that are read
_TARGETS = 4  # distinct targets that are looked at, per link that is returned
_REPEATS = 4  # links that are looked at, per target
_HREF = 4000  # characters; longer targets are no links
_PIECES, _PIECE = 300, 600  # text nodes, and characters of each, that a text is taken from
_IMAGES = 20  # images whose alternative texts make an anchor
_FEED = re.compile(r"rss|atom")
_REFRESH = re.compile(r"^\s*\d+\s*[;,]\s*url\s*=\s*['\"]?([^'\">]+)", re.IGNORECASE)
_MENUS = {"nav", "header", "footer", "aside"}
_MENU_WORDS = re.compile(r"\b(nav|navbar|menu|footer|header|sidebar|breadcrumbs?|cookie\w*|share|social)\b")
_BLOCKS = {"li", "p", "td", "tr", "dd", "dt", "div", "section", "article", "figure"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend", "dt"}
_LINKS = {"a", "area", "iframe", "frame", "embed", "object", "link", "meta"}
_EMBEDDED = {"iframe", "frame", "embed", "object", "meta"}


class Link(Frozen):
    """A link of a page, with its anchor text and the text of the block around it."""

    url: str
    anchor: str = ""
    around: str = ""
    menu: bool = False
    embedded: bool = False
    feed: bool = False  # RSS, Atom or a sitemap


@dataclass
class _Context:
    """What an open element passes on to the links inside it."""

    heading: "HtmlElement | None" = None  # the nearest one before this element, on its level or above
    last_heading: "HtmlElement | None" = None  # the last one among its children so far
    block: "HtmlElement | None" = None
    menu: bool = False

    def child(self, node: "HtmlElement") -> "_Context":
        return _Context(
            heading=self.last_heading if self.last_heading is not None else self.heading,
            block=node if node.tag in _BLOCKS else self.block,
            menu=self.menu or _is_menu(node),
        )


@dataclass
class _Collector:
    base: str
    limit: int
    links: dict[str, Link] = field(default_factory=dict)
    _urls: dict[str, str] = field(default_factory=dict)  # target as written → URL, empty when it is no other page
    _texts: dict["HtmlElement", str] = field(default_factory=dict)
    _base_key: str = field(init=False)
    _examined: int = 0

    def __post_init__(self) -> None:
        self._base_key = urls.key(self.base)

    def add(self, node: "HtmlElement", context: _Context) -> None:
        """Take the link `node`; of links with the same URL the one with the longest anchor is returned."""
        target = _target(node)
        url = self._url(target) if target and not target.startswith("#") and len(target) <= _HREF else ""
        self._examined += bool(url)
        if not url or self._examined > self.limit * _TARGETS * _REPEATS:
            return
        anchor = _anchor(node)
        if url not in self.links or len(anchor) > len(self.links[url].anchor):
            around = self._around(context)
            embedded = node.tag in _EMBEDDED
            feed = node.tag == "link" and bool(_FEED.search(node.get("type") or ""))
            self.links[url] = Link(
                url=url, anchor=anchor, around=around, menu=context.menu and not feed, embedded=embedded, feed=feed
            )

    def _url(self, target: str) -> str:
        if target not in self._urls:
            if len(self._urls) >= self.limit * _TARGETS:
                return ""
            url = urls.normalise(target, self.base)
            self._urls[target] = url if url and urls.key(url) != self._base_key else ""
        return self._urls[target]

    def _around(self, context: _Context) -> str:
        """The text of the block that contains the link, after the heading above it."""
        heading = self._text(context.heading)[:120]
        return f"{heading}. {self._text(context.block)}".strip(". ")

    def _text(self, node: "HtmlElement | None") -> str:
        if node is None:
            return ""
        if node not in self._texts:
            self._texts[node] = text_of(node, 300)
        return self._texts[node]


def collect_links(root: "HtmlElement", base: str, limit: int) -> list[Link]:
    """The links to other pages than `base`, the URL of this one; beyond `limit` those in menus are left out first."""
    from lxml import etree

    collector = _Collector(base, limit)
    stack = [_Context()]
    for count, (event, node) in enumerate(etree.iterwalk(root, events=("start", "end"))):
        if count >= 2 * _ELEMENTS:
            break
        if event == "end":
            stack.pop()
            if node.tag in _HEADINGS:
                stack[-1].last_heading = node
            continue
        if node.tag in _LINKS:
            collector.add(node, stack[-1])
        stack.append(stack[-1].child(node))
    links = list(collector.links.values())
    return links if len(links) <= limit else sorted(links, key=lambda link: link.menu)[:limit]


def text_of(node: "HtmlElement", limit: int) -> str:
    """The text of `node` with single spaces, at most `limit` characters; long white space is not searched through."""
    pieces: list[str] = []
    length = 0
    for count, piece in enumerate(node.itertext()):
        pieces.append(piece[:_PIECE])
        length += len(piece.strip())
        if length > 2 * limit or count >= _PIECES:
            break
    return " ".join("".join(pieces).split())[:limit]


def _anchor(node: "HtmlElement") -> str:
    anchor = text_of(node, 200) or " ".join((node.get("title") or node.get("aria-label") or "").split())
    if not anchor:
        images = [image.get("alt") or "" for image, _ in zip(node.iter("img"), range(_IMAGES), strict=False)]
        anchor = " ".join(" ".join(images).split())
    return anchor[:200]


def _target(node: "HtmlElement") -> str:
    attributes: Any = node.attrib
    match node.tag:
        case "a" | "area":
            return str(attributes.get("href", "")).strip()
        case "iframe" | "frame" | "embed":
            return str(attributes.get("src", "")).strip()
        case "object":
            return str(attributes.get("data", "")).strip()
        case "link":
            alternate = "alternate" in attributes.get("rel", "").lower().split()
            return str(attributes.get("href", "")).strip() if alternate else ""
        case _:
            refresh = attributes.get("http-equiv", "").lower() == "refresh"
            match = _REFRESH.match(attributes.get("content", "")) if refresh else None
            return match[1].strip() if match else ""


def _is_menu(node: "HtmlElement") -> bool:
    labels = " ".join((node.get(name) or "")[:_PIECE] for name in ("class", "id", "role")).lower()
    return node.tag in _MENUS or (node.tag != "body" and bool(_MENU_WORDS.search(labels)))
