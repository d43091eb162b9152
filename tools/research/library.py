"""The embedded library as a search engine and as a place to fetch from: research without any network."""

from dataclasses import dataclass
from importlib.resources import files

from soprag.tools.embedding import Embedder
from soprag.tools.search.engine import Kind, ResultPage, SearchHit, SearchQuery
from soprag.tools.search.library import LICENCE, CatalogueEntry, catalogue
from soprag.tools.text.terms import terms
from soprag.tools.web.outcome import Fetched

SCHEME = "library:"
_MOST = 10  # hits of one page
_THRESHOLD = 0.2
_WORDS = 0.3  # what it adds to the cosine when all words of the query occur


@dataclass(frozen=True)
class LibraryEngine:
    """Documents of the embedded library by what their title and opening say, in meaning and in words.

    An opening says little about a long manual, so the threshold is low; whether a document has anything on the question
    is decided by its lines.
    """

    embedder: Embedder
    name: str = "library"
    kinds: frozenset[Kind] = frozenset({"web"})

    async def search(self, query: SearchQuery) -> ResultPage:
        """The nearest documents; costs nothing and asks nobody."""
        import asyncio

        return await asyncio.to_thread(self._search, query)

    def _search(self, query: SearchQuery) -> ResultPage:
        entries = catalogue()
        texts = [f"{entry.domain.replace('-', ' ')}: {entry.title}. {entry.opening}" for entry in entries]
        close = (self.embedder.embed(texts) @ self.embedder.embed([query.text])[0]).tolist()
        query_stems = set(terms(query.text))
        share = [len(query_stems & set(terms(text))) / max(len(query_stems), 1) for text in texts]
        scores = [near + _WORDS * overlap for near, overlap in zip(close, share, strict=True)]
        ranked = sorted(zip(scores, entries, strict=True), key=lambda pair: -pair[0])
        near = [(score, entry) for score, entry in ranked if score >= _THRESHOLD]
        page = near[(query.page - 1) * _MOST : query.page * _MOST]
        hits = tuple(self._hit(entry, rank) for rank, (_, entry) in enumerate(page, 1))
        return ResultPage(hits=hits, more=len(near) > query.page * _MOST)

    def _hit(self, entry: CatalogueEntry, rank: int) -> SearchHit:
        url, facts = f"{SCHEME}{entry.location}", {"licence": LICENCE}
        return SearchHit(url=url, title=entry.title, snippet=entry.opening, rank=rank, engine=self.name, facts=facts)


class LibraryFetcher:
    """Fetches `library:` addresses, and nothing else."""

    async def fetch(self, url: str) -> Fetched:
        """The document's bytes."""
        import asyncio

        return await asyncio.to_thread(self._fetch, url)

    def _fetch(self, url: str) -> Fetched:
        location = url.removeprefix(SCHEME)
        if not url.startswith(SCHEME) or location not in {entry.location for entry in catalogue()}:
            return Fetched(url=url, kind="bad_url", reason=f"{url!r} is no document of the embedded library.")
        data = (files("soprag.examples") / "library" / location).read_bytes()
        suffix = "." + location.rpartition(".")[2].lower()
        return Fetched(url=url, kind="ok", final_url=url, status=200, suffix=suffix, data=data)
