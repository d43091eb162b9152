"""Reads an HTML page: title, text, language, licence, and the links to other documents."""

import re
from typing import TYPE_CHECKING, Any

from soprag.tools.sop import Frozen
from soprag.tools.web import urls
from soprag.tools.web.prose import prose

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MOST = 400
_LONGEST = 200_000  # characters of its text
_REFRESH = re.compile(r"^\s*\d+\s*[;,]\s*url\s*=\s*['\"]?([^'\">]+)", re.IGNORECASE)
_MENUS = {"nav", "header", "footer", "aside"}
_MENU_WORDS = re.compile(r"\b(nav|navbar|menu|footer|header|sidebar|breadcrumbs?|cookie\w*|share|social)\b")
_BLOCKS = {"li", "p", "td", "tr", "dd", "dt", "div", "section", "article", "figure"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend", "dt"}
_LICENCES = re.compile(r"creativecommons\.org/(licenses|publicdomain)/[\w./-]+", re.IGNORECASE)


class Link(Frozen):
    """A link of a page, with its anchor text and the text of the block around it."""

    url: str
    anchor: str = ""
    around: str = ""
    menu: bool = False
    embedded: bool = False


class HtmlPage(Frozen):
    """The content of an HTML page that the collector judges it by."""

    title: str = ""
    text: str = ""
    language: str = ""
    licence: str = ""
    linked: float = 0.0  # the share of its text that is links
    links: tuple[Link, ...] = ()


def read_html(data: bytes, url: str, charset: str = "") -> HtmlPage:
    """The page of these bytes; a page that cannot be read is an empty one."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding=charset or _declared(data), remove_comments=True, huge_tree=False)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, LookupError, AssertionError):
        return HtmlPage()
    base = next((node.get("href") for node in root.iter("base") if node.get("href")), "")
    links = _links(root, urls.normalise(base, url) or url if base else url)
    text = prose(root)[:_LONGEST]
    return HtmlPage(
        title=_line(root.findtext(".//title") or "") or _first_heading(root),
        text=text,
        language=(root.get("lang") or "")[:2].lower(),
        licence=_licence(root),
        linked=_linked(text),
        links=tuple(links)[:_MOST],
    )


def _declared(data: bytes) -> str | None:
    """UTF-8 when it is UTF-8; else what the page says of itself, which lxml finds."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _links(root: "HtmlElement", base: str) -> list[Link]:
    found: dict[str, Link] = {}
    for node in root.iter("a", "area", "iframe", "frame", "embed", "object", "link", "meta"):
        target = _target(node)
        url = urls.normalise(target, base) if target and not target.startswith("#") else ""
        if not url or urls.key(url) == urls.key(base):
            continue
        link = _link(node, url)
        known = found.get(url)
        if known is None or len(link.anchor) > len(known.anchor):
            found[url] = link
    return list(found.values())


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
            feed = "rss" in attributes.get("type", "") or "atom" in attributes.get("type", "")
            return str(attributes.get("href", "")).strip() if alternate and not feed else ""
        case _:
            refresh = attributes.get("http-equiv", "").lower() == "refresh"
            match = _REFRESH.match(attributes.get("content", "")) if refresh else None
            return match[1].strip() if match else ""


def _link(node: "HtmlElement", url: str) -> Link:
    anchor = _line(node.text_content()) or _line(node.get("title") or node.get("aria-label") or "")
    if not anchor:
        anchor = _line(" ".join(image.get("alt") or "" for image in node.iter("img")))
    embedded = node.tag in ("iframe", "frame", "embed", "object", "meta")
    return Link(url=url, anchor=anchor[:200], around=_around(node), menu=_in_menu(node), embedded=embedded)


def _around(node: "HtmlElement") -> str:
    """The words of the block the link stands in, and the heading above it."""
    block = next((up for up in node.iterancestors() if up.tag in _BLOCKS), None)
    said = _line(block.text_content())[:300] if block is not None else ""
    heading = ""
    for before in node.iterancestors():
        earlier = next((side for side in before.itersiblings(preceding=True) if side.tag in _HEADINGS), None)
        if earlier is not None:
            heading = _line(earlier.text_content())[:120]
            break
    return f"{heading}. {said}".strip(". ")


def _in_menu(node: "HtmlElement") -> bool:
    for up in node.iterancestors():
        words = f"{up.get('class') or ''} {up.get('id') or ''} {up.get('role') or ''}".lower()
        if up.tag in _MENUS or (up.tag != "body" and _MENU_WORDS.search(words)):
            return True
    return False


def _linked(text: str) -> float:
    """Of the signs a reader sees, how many stand in links."""
    anchors = re.findall(r"\[([^\]]*)\]\([^)]*\)", text)
    seen = len(re.sub(r"\]\([^)]*\)", "", text))
    return round(sum(map(len, anchors)) / max(1, seen), 3)


def _first_heading(root: "HtmlElement") -> str:
    return next((_line(node.text_content()) for node in root.iter("h1", "h2")), "")


def _licence(root: "HtmlElement") -> str:
    """What the page says about its licence, in its links."""
    for node in root.iter("a", "link"):
        target = node.get("href") or ""
        if "license" in (node.get("rel") or "").lower() or _LICENCES.search(target):
            return target[:300]
    return ""


def _line(text: str) -> str:
    return " ".join(text.split())
