"""The search expert: searches the web when no procedure fits; its results are never shown as steps."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field, ValidationError

from soprag.tools.errors import SearchError
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, ToolProtocol, Work
from soprag.tools.search.engine import SearchEngine, SearchHit, SearchQuery
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line

NAME = "search"
_MOST = 5
_SNIPPET = 300  # characters


class SearchArguments(Frozen):
    """What to look for."""

    query: str = Field(min_length=2, max_length=400, description="a few words; nothing that only the plant knows")


class FoundPage(Frozen):
    """One page of the web, with the words the engine quoted from it."""

    title: str
    url: str
    snippet: str


class Searched(Frozen):
    """The first pages."""

    pages: tuple[FoundPage, ...]


PROTOCOL = ToolProtocol(
    name=NAME,
    purpose="Searches the web and names the first pages with what they say in short.",
    when_to_use="No procedure of the plant fits, and general knowledge may help a person to look further.",
    when_not="The plant has a procedure for it, or the question holds what must not leave the plant.",
    arguments=SearchArguments,
    response=Searched,
    side_effect="external",
    errors=("empty", "arguments", "unavailable"),
)


@dataclass(frozen=True)
class Search:
    """Queries one search engine; the query leaves the plant, so the graph may require approval first."""

    engine: SearchEngine

    @property
    def protocol(self) -> ToolProtocol:
        """Its contract."""
        return PROTOCOL

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        """The first pages for the query."""
        try:
            arguments = SearchArguments.model_validate(work.arguments)
            page = await self.engine.search(SearchQuery(text=arguments.query))
        except ValidationError as error:
            return StepFailure(kind="arguments", message=f"The query is not usable: {error.errors()[0]['msg']}")
        except SearchError as failure:
            return StepFailure(kind="unavailable", message=str(failure))
        if not page.hits:
            return StepFailure(kind="empty", message=f"{self.engine.name} found nothing for {arguments.query!r}.")
        return _result(arguments.query, page.hits[:_MOST])


def _result(query: str, hits: Sequence[SearchHit]) -> ExpertResult:
    pages = tuple(
        FoundPage(title=one_line(hit.title, _SNIPPET), url=one_line(hit.url), snippet=one_line(hit.snippet, _SNIPPET))
        for hit in hits
    )
    rows = [f"From the web, not from a procedure of this plant (searched for {one_line(query)!r}):"]
    rows += [f"- {page.title}\n  {page.url}\n  {page.snippet}".rstrip() for page in pages]
    return ExpertResult(
        output=Searched(pages=pages).model_dump(mode="json"),
        text="\n".join(rows),
        sources=tuple(page.url for page in pages),
    )
