"""Reads an HTML page: title, text, language, licence, and the links to other pages. Time and memory are linear."""

import re
from typing import TYPE_CHECKING

from soprag.tools.sop import Frozen
from soprag.tools.web import urls
from soprag.tools.web.links import Link, collect_links, text_of
from soprag.tools.web.prose import prose

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_TITLE = 300  # characters
_LICENCES = re.compile(r"creativecommons\.org/(licenses|publicdomain)/[\w./-]+", re.IGNORECASE)
# Neither class contains its own delimiters, or a text of brackets would take quadratic time.
_MARKDOWN_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")


class PageLimits(Frozen):
    """How much of a page is used: characters of its text, and links."""

    max_text: int
    max_links: int


class HtmlPage(Frozen):
    """The content of an HTML page that the collector judges it by."""

    title: str = ""
    text: str = ""
    language: str = ""
    licence: str = ""
    linked: float = 0.0  # share of its characters that are links
    links: tuple[Link, ...] = ()


def read_html(data: bytes, url: str, charset: str, limits: PageLimits) -> HtmlPage:
    """The page of these bytes, fetched from `url`; a page that cannot be parsed is an empty one."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding=charset or _declared(data), remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, LookupError, AssertionError):
        return HtmlPage()
    base = next((node.get("href") for node in root.iter("base") if node.get("href")), "")
    text = prose(root, limits.max_text)
    return HtmlPage(
        title=_first_text(root, "title") or _first_text(root, "h1", "h2"),
        text=text,
        language=(root.get("lang") or "")[:2].lower(),
        licence=_licence(root),
        linked=_linked(text),
        links=tuple(collect_links(root, (urls.normalise(base, url) or url) if base else url, limits.max_links)),
    )


def _declared(data: bytes) -> str | None:
    """UTF-8 for valid UTF-8; otherwise None, for lxml to use the charset that the page declares."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _linked(text: str) -> float:
    """The share of the characters a reader sees that are in links."""
    anchors = sum(len(match[1]) for match in _MARKDOWN_LINK.finditer(text))
    visible = len(_MARKDOWN_LINK.sub(r"[\1", text))
    return round(anchors / max(1, visible), 3)


def _first_text(root: "HtmlElement", *tags: str) -> str:
    return next((text_of(node, _TITLE) for node in root.iter(*tags)), "")


def _licence(root: "HtmlElement") -> str:
    """The licence that the page links to; empty when there is none."""
    for node in root.iter("a", "link"):
        target = (node.get("href") or "")[:_TITLE]
        if "license" in (node.get("rel") or "")[:_TITLE].lower() or _LICENCES.search(target):
            return target
    return ""
