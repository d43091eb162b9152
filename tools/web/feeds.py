"""Reads lists of pages that are made for programs: sitemaps, sitemap indexes, RSS and Atom, also packed by gzip.

Format: sitemaps.org protocol 0.9, RSS 2.0, RFC 4287 (Atom), RFC 5005 (paged feeds). And links in the text of documents.
"""

import re
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from soprag.tools.errors import DocumentError
from soprag.tools.sop import Frozen
from soprag.tools.web import urls
from soprag.tools.web.links import Link

if TYPE_CHECKING:
    from lxml.etree import _Element

_HEAD = 2000  # bytes in which the root element is looked for
_ROOT = re.compile(rb"<(?:\w+:)?(urlset|sitemapindex|rss|feed|RDF)[\s>]")
_GZIP = b"\x1f\x8b"
_TEXT = 300  # characters
_URI_ACTION = re.compile(rb"/URI\s*\((https?://[^()\s]{4,1000})\)")  # link annotation of a PDF
_URL = re.compile(r"https?://[^\s<>()\[\]\"'|]{4,1000}")


class FeedLimits(Frozen):
    """How much of a feed is used: links, and bytes after unpacking."""

    max_links: int
    max_bytes: int


def read_feed(data: bytes, url: str, limits: FeedLimits) -> tuple[Link, ...] | None:
    """The entries of a sitemap or feed fetched from `url`; None for anything else.

    Raises `DocumentError` when it is larger than the limit or no XML.
    """
    if data.startswith(_GZIP):
        data = _unpack(data, limits.max_bytes)
    if not _ROOT.search(data[:_HEAD]):
        return None
    root = _parse(data)
    entries: dict[str, Link] = {}
    for link in _entries(root, url):
        entries.setdefault(link.url, link)
        if len(entries) >= limits.max_links:
            break
    return tuple(entries.values())


def document_links(data: bytes, markdown: str, limit: int) -> tuple[Link, ...]:
    """The web addresses in a document that is not HTML: those of its text, and the link annotations of a PDF."""
    targets = [match[0].rstrip(".,;:") for match in _URL.finditer(markdown)]
    targets += [match[1].decode("ascii", "replace") for match in _URI_ACTION.finditer(data)]
    normal = dict.fromkeys(filter(None, (urls.normalise(target) for target in targets[: 4 * limit])))
    return tuple(Link(url=url, anchor=path_title(url)) for url in list(normal)[:limit])


def path_title(url: str) -> str:
    """The words of the last segments of a path, in place of a title."""
    path = unquote(urlsplit(url).path).rstrip("/")
    stem = re.sub(r"\.\w{1,5}$", "", path.rpartition("/")[2])
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])|[-_+.]+", " ", stem).split())


def _unpack(data: bytes, limit: int) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(data, limit)
    except zlib.error as error:
        raise DocumentError(f"The gzip file is damaged: {error}.") from error
    if unpacker.unconsumed_tail:
        raise DocumentError(f"It unpacks to more than {limit:,} bytes.")
    return text


def _parse(data: bytes) -> "_Element":
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(data.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DocumentError(f"The feed is no XML: {error}.") from error
    if root is None:
        raise DocumentError("The feed is no XML.")
    return root


def _entries(root: "_Element", base: str) -> Iterator[Link]:
    for node in root.iter():
        match _name(node):
            case "url":
                yield from _link(_child(node, "loc"), "", "", base)
            case "sitemap":
                yield from _link(_child(node, "loc"), "", "", base, feed=True)
            case "item" | "entry":
                target = _child(node, "link") or _href(node) or _child(node, "guid")
                about = _child(node, "description") or _child(node, "summary")
                yield from _link(target, _child(node, "title"), about, base)
            case "link" if node.get("rel") in ("next", "prev-archive", "previous", "last"):
                yield from _link(node.get("href") or "", "next page", "", base, feed=True)


def _link(target: str, title: str, about: str, base: str, *, feed: bool = False) -> Iterator[Link]:
    url = urls.normalise(target, base) if target else ""
    if url:
        around = re.sub(r"<[^>]*>", " ", about)[:_TEXT]
        yield Link(url=url, anchor=title or path_title(url), around=around, feed=feed)


def _name(node: "_Element") -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _child(node: "_Element", name: str) -> str:
    """The text of the first child of this name, with single spaces."""
    text = next((child.text for child in node if _name(child) == name and child.text), "")
    return " ".join((text or "").split())[:_TEXT]


def _href(node: "_Element") -> str:
    """The target of an Atom entry."""
    links = [child for child in node if _name(child) == "link" and child.get("rel", "alternate") == "alternate"]
    return next((child.get("href") or "" for child in links), "")
