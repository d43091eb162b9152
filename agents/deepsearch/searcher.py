"""The searching agent: search phrases, hits, sources, nearest lines, and claims that cite them.

Web, wiki, scholar and patent agents differ by their capability document and by what they search; the image agent also
by how it reads a hit (`image.py`). Paper 001, Algorithm 1, lines 10-11 and 15-47.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np

from soprag.agents.deepsearch.capabilities import Capability
from soprag.agents.deepsearch.restating import CitingStatement, supported
from soprag.agents.deepsearch.source_reader import SourceReader
from soprag.configs.settings import ResearchSettings
from soprag.tools.embedding import Embedder
from soprag.tools.llm import Llm
from soprag.tools.research.lines import SourceSentence, lines_of
from soprag.tools.research.records import Claim, Quote, Subtask, SubtaskEvidence, WebSourceRecord
from soprag.tools.research.search_log import Searches
from soprag.tools.search.engine import SearchHit
from soprag.tools.tasks import deepsearch as tasks
from soprag.tools.text.language import detect
from soprag.tools.text.terms import terms

_AHEAD = 2  # times as many lines as are kept are looked at once more with their headings
_LINE_OVERHEAD = 6  # characters of the id before a line
_HEADING = 0.25  # how much the heading counts: a line says little by what it stands under


@dataclass(frozen=True)
class Assignment:
    """What an agent is called with: instructions and query, which the subtask holds, and the context."""

    subtask: Subtask
    context: str


@dataclass(frozen=True)
class Placed:
    """A line with the source it stands in."""

    source: WebSourceRecord
    line: SourceSentence

    @property
    def passage(self) -> str:
        """The line under its heading."""
        return f"{self.above} {self.line.text}"

    @property
    def above(self) -> str:
        """The heading above the line, or the title of the source."""
        return self.line.heading or self.source.title


@dataclass(frozen=True)
class SearchingAgent:
    """One of the five; `reader` turns a hit into a source.

    `room` is the most characters of whole pages that a summary is written from; 0 shows the nearest lines only.
    """

    capability: Capability
    llm: Llm
    embedder: Embedder
    searches: Searches
    reader: SourceReader
    settings: ResearchSettings
    room: int = 0

    async def investigate(self, assignment: Assignment) -> SubtaskEvidence:
        """Collect the evidence on a subtask; raises `SearchError` or `BudgetSpent` when every search failed."""
        phrases = await self._phrases(assignment)
        hits, notes = await self._search(phrases, assignment)
        readings = await asyncio.gather(*(self.reader.read(hit, assignment.subtask.query) for hit in hits))
        notes += [reading.note for reading in readings if reading.note]
        sources = list({reading.source.id: reading.source for reading in readings if reading.source}.values())
        claims, more = await self._claims(assignment, sources)
        used = {quote.source for claim in claims for quote in claim.quotes}
        return SubtaskEvidence(
            subtask=assignment.subtask.id,
            agent=self.capability.name,
            queries=tuple(phrases),
            sources=tuple(source.id for source in sources if source.id in used),
            claims=claims,
            notes=tuple(dict.fromkeys([*notes, *more])),
            cut=any(reading.budget for reading in readings),
        )

    async def _phrases(self, assignment: Assignment) -> list[str]:
        ask = tasks.PhrasesAsk(
            query=assignment.subtask.query,
            instructions=assignment.subtask.instructions,
            context=assignment.context,
            looking_for=self.capability.kind,
        )
        phrases = (await self.llm.ask(tasks.PHRASE_SEARCH, ask)).phrases
        return list(dict.fromkeys(" ".join(phrase.split()) for phrase in phrases))

    async def _search(self, phrases: list[str], assignment: Assignment) -> tuple[list[SearchHit], list[str]]:
        """The nearest hits of all phrases; a phrase that fails after another brought hits is only a note."""
        language = detect(assignment.subtask.query)
        searches = (self.searches.find(self.capability.kind, phrase, language) for phrase in phrases)
        outcomes = await asyncio.gather(*searches, return_exceptions=True)
        failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        notes = [outcome.note for outcome in outcomes if not isinstance(outcome, BaseException) and outcome.note]
        hits = {
            hit.url: hit
            for outcome in outcomes
            if not isinstance(outcome, BaseException)
            for hit in reversed(outcome.hits)
        }
        if failed and not hits:
            raise failed[0]
        notes += [f"One search failed: {error}" for error in failed]
        return await asyncio.to_thread(self._nearest, list(hits.values()), assignment), notes

    def _nearest(self, hits: list[SearchHit], assignment: Assignment) -> list[SearchHit]:
        """The pages worth reading: by the cosine of title and snippet, and not all from one site."""
        if not hits:
            return []
        query_vector = self.embedder.embed([assignment.subtask.query])[0]
        nearness = self.embedder.embed([f"{hit.title}. {hit.snippet}" for hit in hits]) @ query_vector
        ranked = [hits[index] for index in np.argsort(-nearness, kind="stable")[: self.settings.results]]
        counts: Counter[str] = Counter()
        spread: list[SearchHit] = []
        rest: list[SearchHit] = []
        for hit in ranked:
            host = urlsplit(hit.url).netloc
            counts[host] += 1
            (spread if not host or counts[host] <= self.settings.pages_per_host else rest).append(hit)
        return [*spread, *rest][: self.settings.pages]

    async def _claims(
        self, assignment: Assignment, sources: list[WebSourceRecord]
    ) -> tuple[tuple[Claim, ...], list[str]]:
        lines = await asyncio.to_thread(self._lines, assignment.subtask.query, sources)
        if not lines:
            return (), []
        ask = tasks.SummaryAsk(
            query=assignment.subtask.query,
            instructions=assignment.subtask.instructions,
            context=assignment.context,
            lines=[line for line, _ in lines.values()],
            keep=self.settings.claims,
        )
        drafts = (await self.llm.ask(tasks.SUMMARISE_LINES, ask)).claims[: self.settings.claims]
        places = {id: placed for id, (_, placed) in lines.items()}
        prefix = f"{assignment.subtask.id}-{self.capability.name}"
        named = {f"c{n}": dict.fromkeys(draft.lines) for n, draft in enumerate(drafts)}
        cited = {id: [places[line] for line in lines if line in places] for id, lines in named.items()}
        statements = {
            f"c{n}": CitingStatement(" ".join(draft.text.split()), [line.passage for line in cited[f"c{n}"]])
            for n, draft in enumerate(drafts)
        }
        texts = await supported(self.llm, assignment.subtask.query, statements)
        lost = len(statements) - len(texts)
        notes = [f"{lost} statements were left out, for the lines they cite do not carry them."] if lost else []
        numbered = enumerate((id for id in statements if id in texts), 1)
        return tuple(_claim(f"{prefix}-{number}", texts[id], cited[id]) for number, id in numbered), notes

    def _lines(self, query: str, sources: list[WebSourceRecord]) -> dict[str, tuple[tasks.RankedSentence, Placed]]:
        """The lines nearest to the query, under short ids, in the order of their sources."""
        limit = self.settings.max_characters
        lines = [Placed(source, line) for source in sources for line in lines_of(source.text, limit)]
        placed = _likely(query, lines, self.settings.embedded_lines)
        if not placed:
            return {}
        query_vector = self.embedder.embed([query])[0]
        near = self.embedder.embed([candidate.line.text for candidate in placed]) @ query_vector
        first = np.argsort(-near, kind="stable")[: _AHEAD * self.settings.lines]
        under = (
            self.embedder.embed([f"{placed[index].above}: {placed[index].line.text}" for index in first]) @ query_vector
        )
        near[first] = (1 - _HEADING) * near[first] + _HEADING * under
        chosen = sorted(first[np.argsort(-near[first], kind="stable")][: self.settings.lines].tolist())
        closeness = {placed[index]: float(near[index]) for index in range(len(placed))}
        shown = self._with_whole_pages(lines, [placed[index] for index in chosen], closeness)
        return {f"L{number}": (_ranked(f"L{number}", line, closeness), line) for number, line in enumerate(shown, 1)}

    def _with_whole_pages(
        self, lines: list[Placed], chosen: list[Placed], closeness: dict[Placed, float]
    ) -> list[Placed]:
        """The nearest lines, and all other lines of their sources as far as these fit into `room` whole."""
        if not self.room:
            return chosen
        sources = {placed.source.id for placed in chosen}
        near: dict[str, float] = {}
        for placed, value in closeness.items():
            near[placed.source.id] = max(near.get(placed.source.id, -1.0), value)
        whole = set(_whole([placed for placed in lines if placed.source.id in sources], near, self.room))
        return [placed for placed in lines if placed in whole or placed in chosen]


def _ranked(id: str, placed: Placed, closeness: dict[Placed, float]) -> tasks.RankedSentence:
    return tasks.RankedSentence(
        id=id,
        source=placed.source.title,
        heading=placed.above,
        text=placed.line.text,
        closeness=round(closeness.get(placed, 0.0), 3),
    )


def _likely(query: str, placed: list[Placed], limit: int) -> list[Placed]:
    """Of more than `limit` lines, those that share most stems with the query, in the text or the heading."""
    if len(placed) <= limit:
        return placed
    query_stems = set(terms(query))
    shared = [
        2 * len(query_stems & set(terms(candidate.line.text))) + len(query_stems & set(terms(candidate.above)))
        for candidate in placed
    ]
    chosen = sorted(sorted(range(len(placed)), key=lambda index: -shared[index])[:limit])
    return [placed[index] for index in chosen]


def _claim(id: str, text: str, cited: list[Placed]) -> Claim:
    quotes = tuple(Quote(source=placed.source.id, lines=placed.line.lines, text=placed.line.text) for placed in cited)
    return Claim(id=id, text=text, quotes=quotes)


def _whole(lines: list[Placed], near: dict[str, float], room: int) -> list[Placed]:
    """All lines of the sources that fit into `room` characters whole, the nearest sources first; in page order."""
    sizes: Counter[str] = Counter()
    for placed in lines:
        sizes[placed.source.id] += len(placed.line.text) + _LINE_OVERHEAD
    chosen: set[str] = set()
    for source in sorted(sizes, key=lambda id: -near.get(id, 0.0)):
        if sizes[source] <= room:
            room -= sizes[source]
            chosen.add(source)
    return [placed for placed in lines if placed.source.id in chosen]
