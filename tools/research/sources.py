"""The sources of one run: each address is read once and kept whole, under the hash of its bytes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, Protocol

from soprag.tools.errors import DocumentError
from soprag.tools.parsing import ParsedDocument
from soprag.tools.research.records import PageLink, WebSourceRecord
from soprag.tools.search.engine import SearchHit
from soprag.tools.sop import Frozen, digest
from soprag.tools.store.run_folder import RunFolder, write_whole
from soprag.tools.tasks.picture import Picture
from soprag.tools.text.sanitize import one_line, sanitize
from soprag.tools.web.html_page import HtmlPage
from soprag.tools.web.html_reader import HtmlReader
from soprag.tools.web.outcome import Fetched, OutcomeKind

# What may be otherwise next time is not kept as the answer for good.
_PASSING: frozenset[OutcomeKind] = frozenset(
    {"budget", "timeout", "deadline", "network", "robots_unreachable", "paused"}
)
_FEWEST = 4  # words a search result must have to stand as a source itself


How = Literal["page", "procedure", "search result", "caption", "metadata"]
_LINKS = 100  # links kept of one page


class Fetches(Protocol):
    """Who gets pages; whatever a page does, this raises nothing."""

    async def fetch(self, url: str) -> Fetched:
        """The page, or why not."""
        ...


class Parses(Protocol):
    """Who turns bytes into Markdown; raises `DocumentError`."""

    async def parse(self, source: bytes, name: str) -> ParsedDocument:
        """The document as Markdown."""
        ...


class Address(Frozen):
    """What was read at one address: the id of its source, empty when there is none."""

    url: str
    source: str
    note: str = ""


@dataclass(frozen=True)
class Got:
    """A source, if there is one, and why the page itself could not be read; `budget` when that was the reason."""

    source: WebSourceRecord | None = None
    note: str = ""
    budget: bool = False


Work = Callable[[], Awaitable[tuple[Got, bool]]]


@dataclass(frozen=True)
class Sources:
    """Fetches, parses and keeps pages and pictures; without `html_reader` all pages are parsed, and no links kept."""

    run: RunFolder
    fetcher: Fetches
    parser: Parses
    html_reader: HtmlReader | None = None
    locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def page(self, hit: SearchHit, query: str) -> Got:
        """The page of a hit; where it cannot be read, what the engine showed of it."""
        return await self._once(hit.url, lambda: self._read_page(hit, query))

    async def procedure(self, hit: SearchHit, query: str, text: str) -> WebSourceRecord:
        """A procedure of a local index as a source, with its whole Markdown."""
        source = _source(hit, query, text.encode(), text=sanitize(text), read="procedure")
        return await asyncio.to_thread(self._keep, source, text.encode())

    async def described(self, hit: SearchHit, query: str, sentences: list[str], how: How) -> WebSourceRecord:
        """A picture in words, as a source: `how` is `caption` or `metadata`."""
        text = "\n\n".join(one_line(sentence) for sentence in sentences)
        source = _source(hit, query, text.encode(), text=text, read=how)
        return await asyncio.to_thread(self._keep, source, text.encode())

    async def picture(self, hit: SearchHit) -> Picture | str:
        """The picture of a hit for a model that sees, or why there is none."""
        url = hit.facts.get("image") or hit.facts.get("thumbnail") or hit.url
        fetched = await self.fetcher.fetch(url)
        if fetched.kind != "ok":
            return fetched.reason or fetched.kind
        picture = Picture.of(fetched.data, fetched.mime)
        if picture is None:
            return f"It is {fetched.mime or 'unknown'} of {len(fetched.data):,} bytes, which models are not shown."
        await asyncio.to_thread(write_whole, self.run.raw(digest(fetched.data), fetched.suffix), fetched.data)
        return picture

    async def read(self, id: str) -> WebSourceRecord:
        """A stored source."""
        return await asyncio.to_thread(self.run.read, "sources", id, WebSourceRecord)

    async def _once(self, url: str, work: Work) -> Got:
        """`work` for this address, once per run; two that ask at the same time share it."""
        key = digest(_key(url))[:16]
        async with self.locks.setdefault(key, asyncio.Lock()):
            if await asyncio.to_thread(self.run.has, "addresses", key):
                address_record = await asyncio.to_thread(self.run.read, "addresses", key, Address)
                return Got(
                    await self.read(address_record.source) if address_record.source else None, address_record.note
                )
            got, passing = await work()
            if not passing:
                address = Address(url=url, source=got.source.id if got.source else "", note=got.note)
                await asyncio.to_thread(self.run.write, "addresses", key, address)
            return got

    async def _read_page(self, hit: SearchHit, query: str) -> tuple[Got, bool]:
        fetched = await self.fetcher.fetch(hit.url)
        if fetched.kind != "ok":
            note = one_line(f"{hit.url} was not read: {fetched.reason or fetched.kind}", 300)
            return await self._shown(hit, query, note, fetched.kind == "budget"), fetched.kind in _PASSING
        html = await self._html(fetched)
        try:
            # The reader of HTML leaves menus and furniture out, which would be read as steps.
            markdown = html.text or (await self.parser.parse(fetched.data, f"page{fetched.suffix}")).markdown
        except DocumentError as fault:
            note = one_line(f"{hit.url} was fetched but cannot be read: {fault}", 300)
            return await self._shown(hit, query, note, False), False
        source = _source(hit, query, fetched.data, text=sanitize(markdown), read="page").model_copy(
            update={
                "mime": fetched.mime,
                "suffix": fetched.suffix,
                "fetched": datetime.now(UTC).isoformat(),
                "links": _outside_menus(html),
            }
        )
        return Got(await asyncio.to_thread(self._keep, source, fetched.data)), False

    async def _html(self, fetched: Fetched) -> HtmlPage:
        """The text and the links of an HTML page; an empty one for everything else."""
        if self.html_reader is None or "html" not in fetched.mime:
            return HtmlPage()
        charset = fetched.headers.get("content-type", "").lower().partition("charset=")[2].strip("\"' ")
        try:
            return await self.html_reader.read(fetched.data, fetched.final_url or fetched.url, charset)
        except DocumentError:
            return HtmlPage()

    async def _shown(self, hit: SearchHit, query: str, note: str, budget: bool) -> Got:
        """What the search engine showed of a page stands for it, and says so."""
        text = one_line(hit.snippet).lstrip("#>*+- ")  # it is no Markdown
        if len(text.split()) < _FEWEST:
            return Got(None, note, budget)
        source = _source(hit, query, text.encode(), text=text, read="search result").model_copy(update={"note": note})
        return Got(await asyncio.to_thread(self._keep, source, text.encode()), note, budget)

    def _keep(self, source: WebSourceRecord, data: bytes) -> WebSourceRecord:
        """Keep bytes and record; the same bytes from another address keep the first one's record."""
        if self.run.has("sources", source.id):
            return self.run.read("sources", source.id, WebSourceRecord)
        write_whole(self.run.raw(source.id, source.suffix), data)
        self.run.write("sources", source.id, source)
        return source


def _outside_menus(page: HtmlPage) -> tuple[PageLink, ...]:
    links = [link for link in page.links if not link.menu and not link.embedded]
    return tuple(
        PageLink(url=link.url, anchor=one_line(link.anchor, 200), around=one_line(link.around, 300))
        for link in links[:_LINKS]
    )


def _key(url: str) -> str:
    from soprag.tools.web import urls

    return urls.key(url) if urls.normalise(url) else url


def _source(hit: SearchHit, query: str, data: bytes, text: str, read: How) -> WebSourceRecord:
    title = one_line(hit.title, 300) or one_line(hit.url, 300)
    return WebSourceRecord(
        id=digest(data), url=hit.url, title=title, engine=hit.engine, query=query, rank=hit.rank, read=read, text=text
    )
