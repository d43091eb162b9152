"""Links one hop away from a page that was read: those that point to the answer of a query."""

import re
from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

import numpy as np

from soprag.tools.embedding import Embedder
from soprag.tools.research.records import PageLink, WebSourceRecord
from soprag.tools.search.engine import SearchHit

_LEAST = 0.45  # cosine of a link's words with the query
_SHORT = 1500  # characters; a shorter page may only announce the document
_WHOLE = re.compile(
    r"\b(?:download|full|whole|complete|view all|show all|print|pdf|docx?|next|page \d)\b", re.IGNORECASE
)
_MOST = 200  # links of all pages that are compared


def answering_links(
    query: str, sources: Sequence[WebSourceRecord], read: Collection[str], embedder: Embedder, keep: int
) -> list[SearchHit]:
    """At most `keep` links whose words are close to the query, nearest first.

    A short page that is itself about the query counts with its title for links to the whole document.
    """
    candidates = [
        (source, link)
        for source in sources
        for link in source.links
        if link.url not in read and urlsplit(link.url).scheme in ("http", "https")
    ][:_MOST]
    if not candidates or not keep:
        return []
    texts = [_words(source, link) for source, link in candidates]
    nearness = embedder.embed(texts) @ embedder.embed([query])[0]
    hits: dict[str, SearchHit] = {}
    for index in np.argsort(-nearness, kind="stable").tolist():
        if nearness[index] < _LEAST or len(hits) == keep:
            break
        source, link = candidates[index]
        hit = SearchHit(url=link.url, title=texts[index], rank=1, engine=f"link of {source.url}")
        hits.setdefault(link.url, hit)
    return list(hits.values())


def _words(source: WebSourceRecord, link: PageLink) -> str:
    if _WHOLE.search(link.anchor) and len(source.text) < _SHORT:
        return source.title
    return link.anchor or source.title
