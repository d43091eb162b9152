"""SerpAPI's answers as pages of hits: each engine names its results, and counts its pages, in its own way."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from soprag.tools.search.engine import ResultPage, SearchHit

Item = Mapping[str, Any]


@dataclass(frozen=True)
class Form:
    """How one engine counts pages: page 1 has `first`, each one after it `step` more; `amount` asks for big pages."""

    offset: str
    first: int
    step: int
    then: int = 0  # step after the second page, where it differs
    amount: dict[str, str] = field(default_factory=dict)
    key: str = "organic_results"

    def at(self, page: int) -> dict[str, str]:
        """The parameter that asks for this page; none for the first."""
        if page == 1:
            return {}
        return {self.offset: str(self.first + self.step + (page - 2) * (self.then or self.step))}


FORMS: dict[str, Form] = {
    "google": Form("start", 0, 10),
    "google_light": Form("start", 0, 10),
    "bing": Form("first", 1, 10),
    "duckduckgo": Form("start", 0, 35, 50),
    "google_scholar": Form("start", 0, 20, amount={"num": "20"}),
    "google_patents": Form("page", 1, 1, amount={"num": "20"}),
    "google_images": Form("ijn", 0, 1, key="images_results"),
}


def read(engine: str, answer: Mapping[str, Any]) -> ResultPage:
    """The page of an answer; items without an address, and repeated addresses, are left out."""
    items = answer.get(FORMS[engine].key) or []
    parsed = [_hit(engine, item) for item in items if isinstance(item, Mapping)]
    unique = {hit.url: hit for hit in reversed(parsed) if hit}
    hits = [hit for hit in parsed if hit and unique[hit.url] is hit]
    ranked = tuple(hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(hits, 1))
    # The address of the next page is not followed, only seen: it would be sent the key, whatever host it names.
    more = bool(hits) and "next" in (answer.get("serpapi_pagination") or {})
    return ResultPage(hits=ranked, more=more, credits=1)


def _hit(engine: str, item: Item) -> SearchHit | None:
    facts = {name: value for name, value in _FACTS.get(engine, _web)(item).items() if value}
    url = _unwrap(_text(item.get("link")) or _text(item.get("patent_link")) or facts.get("pdf", ""))
    if not url.startswith(("http://", "https://")):
        return None
    title, snippet = _text(item.get("title")), _text(item.get("snippet"))
    return SearchHit(url=url, title=title or url, snippet=snippet, rank=1, engine=f"serpapi:{engine}", facts=facts)


def _web(item: Item) -> dict[str, str]:
    return {"date": _text(item.get("date")), "source": _text(item.get("source"))}


def _image(item: Item) -> dict[str, str]:
    size = [_text(item.get(name)) for name in ("original_width", "original_height")]
    return {
        "image": _text(item.get("original")),
        "thumbnail": _text(item.get("thumbnail")),
        "source": _text(item.get("source")),
        "size": "x".join(size) if all(size) else "",
    }


def _paper(item: Item) -> dict[str, str]:
    publication = _map(item.get("publication_info"))
    names = [_text(author.get("name")) for author in _maps(publication.get("authors"))]
    files = [
        resource for resource in _maps(item.get("resources")) if _text(resource.get("file_format")).upper() == "PDF"
    ]
    return {
        "authors": ", ".join(filter(None, names)),
        "publication": _text(publication.get("summary")),
        "cited_by": _text(_map(_map(item.get("inline_links")).get("cited_by")).get("total")),
        "pdf": _text(files[0].get("link")) if files else "",
    }


def _patent(item: Item) -> dict[str, str]:
    publication = _map(item.get("publication_info"))
    return {
        "number": _text(item.get("publication_number")),
        "authors": _text(item.get("inventor")),
        "assignee": _text(item.get("assignee")),
        "date": _text(item.get("publication_date")) or _text(publication.get("summary")),
        "pdf": _text(item.get("pdf")),
    }


_FACTS: dict[str, Callable[[Item], dict[str, str]]] = {
    "google_images": _image,
    "google_scholar": _paper,
    "google_patents": _patent,
}


def _unwrap(url: str) -> str:
    """The address a Bing redirect stands for, when it says so openly; others stay as they are."""
    parts = urlsplit(url)
    if (parts.hostname or "").endswith("bing.com") and parts.path.startswith("/ck/a"):
        return _decoded(parse_qs(parts.query).get("u", [""])[0]) or url
    return url


def _decoded(mark: str) -> str:
    """`a1` and the address in URL-safe base64."""
    import base64
    import binascii

    if not mark.startswith("a1"):
        return ""
    try:
        return base64.urlsafe_b64decode(mark[2:] + "=" * (-len(mark[2:]) % 4)).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _text(value: object) -> str:
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


def _map(value: object) -> Item:
    return value if isinstance(value, Mapping) else {}


def _maps(value: object) -> list[Item]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
