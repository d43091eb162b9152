"""The form in which each of SerpAPI's engines gives its results."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from soprag.benchmarks.miniweb.index import Result

Item = dict[str, Any]


@dataclass(frozen=True)
class Form:
    """How one engine names things and counts pages."""

    title: str
    key: str
    usual: int
    most: int
    offset: str
    amount: str = ""  # the parameter for the page size, where there is one
    kind: str = "web"

    def size(self, parameters: dict[str, str]) -> int:
        """Results on one page."""
        wish = parameters.get(self.amount, "") if self.amount else ""
        return min(int(wish), self.most) if wish.isdecimal() else self.usual

    def start(self, parameters: dict[str, str]) -> int:
        """How many results stand before this page."""
        offset = int(parameters.get(self.offset) or (1 if self.offset in ("page", "first") else 0))
        match self.offset:
            case "page":
                return (offset - 1) * self.size(parameters)
            case "ijn":
                return offset * self.size(parameters)
            case "first":
                return offset - 1
        return offset

    def following(self, parameters: dict[str, str]) -> int:
        """The offset of the next page."""
        start, size = self.start(parameters), self.size(parameters)
        return {"page": start // size + 2, "ijn": start // size + 1, "first": start + size + 1}.get(
            self.offset, start + size
        )


ENGINES = {
    "google": Form("Google", "organic_results", 10, 10, "start"),
    "google_light": Form("Google", "organic_results", 10, 10, "start"),
    "google_scholar": Form("Google", "organic_results", 10, 20, "start", "num", "scholar"),
    "google_patents": Form("Google Patents", "organic_results", 10, 100, "page", "num", "patent"),
    "google_images": Form("Google", "images_results", 100, 100, "ijn", kind="image"),
    "duckduckgo": Form("DuckDuckGo", "organic_results", 35, 50, "start", "m"),
    "bing": Form("Bing", "organic_results", 10, 10, "first"),
}


def shape(engine: str, position: int, result: Result) -> Item:
    """One result as this engine writes it."""
    host = urlsplit(result.url).netloc
    item: Item = {"position": position, "title": result.title, "link": result.url, "snippet": result.snippet}
    match engine:
        case "google_images":
            return _image(item, result, host)
        case "google_scholar":
            return item | _paper(result, host, position)
        case "google_patents":
            return _patent(item, position)
        case "duckduckgo":
            return item | {"favicon": "https://external-content.duckduckgo.com/ip3/x.ico"}
        case "bing":
            return item | {"displayed_link": host}
    google = "https://www.google.com/url?url=" + quote(result.url, safe="")
    return item | {"displayed_link": host, "redirect_link": google, "source": host}


def _image(item: Item, result: Result, host: str) -> Item:
    page = result.url.rsplit("/", 1)[0] + "/"
    return {
        "position": item["position"], "title": item["title"], "link": page, "original": result.url,
        "thumbnail": result.url, "source": host, "original_width": 640, "original_height": 480, "is_product": False,
    }  # fmt: skip


def _paper(result: Result, host: str, position: int) -> Item:
    summary = f"A Author, B Writer - Journal, {1990 + position} - {host}"
    return {
        "result_id": f"r{position}",
        "type": "Pdf",
        "publication_info": {
            "summary": summary,
            "authors": [{"name": "A Author"}],
        },
        "resources": [{"title": host, "file_format": "PDF", "link": result.url}],
        "inline_links": {"cited_by": {"total": 100 - position}},
    }


def _patent(item: Item, position: int) -> Item:
    number = f"US{9_000_000 + position}B2"
    return {
        "position": position, "rank": position - 1, "patent_id": f"patent/{number}/en", "patent_link": item["link"],
        "title": item["title"], "snippet": item["snippet"], "priority_date": "2018-01-01", "filing_date": "2019-01-01",
        "grant_date": "2020-01-01", "publication_date": "2020-01-01", "inventor": "A Inventor", "assignee": "Acme",
        "publication_number": number, "language": "en", "pdf": item["link"],
    }  # fmt: skip
