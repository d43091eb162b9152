"""Searching the web: what is asked of an engine and what it gives; one protocol for SerpAPI and the keyless ones."""

from typing import Literal, Protocol

from pydantic import Field

from soprag.tools.sop import Frozen

Kind = Literal["web", "images", "scholar", "patents", "wiki", "answers"]


class SearchQuery(Frozen):
    """One page of one search; pages are counted from 1."""

    text: str
    kind: Kind = "web"
    page: int = Field(default=1, ge=1)
    language: str = Field(default="en", description="ISO 639-1 code")


class SearchHit(Frozen):
    """One result, as the engine gave it; `rank` is counted from 1 over the page."""

    url: str
    title: str
    snippet: str = ""
    rank: int = Field(ge=1)
    engine: str = Field(description="who found it, such as `serpapi:google`")
    facts: dict[str, str] = Field(
        default_factory=dict, description="what only some kinds have: authors, date, image, thumbnail, pdf, publication"
    )


class ResultPage(Frozen):
    """One page of results; `credits` is what it cost, 0 when it came from the cache."""

    hits: tuple[SearchHit, ...] = ()
    more: bool = False
    credits: int = Field(default=0, ge=0)
    cached: bool = False


class SearchEngine(Protocol):
    """Someone who answers queries."""

    @property
    def name(self) -> str:
        """Such as `serpapi:google`; stands in provenance and in records."""
        ...

    @property
    def kinds(self) -> frozenset[Kind]:
        """What it can look for."""
        ...

    async def search(self, query: SearchQuery) -> ResultPage:
        """One page; no results is an empty page.

        Raises `ConfigError` (key missing or wrong), `CreditsSpent`, `Throttled`, `SearchError` (anything else).
        """
        ...
