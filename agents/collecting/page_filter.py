"""The page classifier: reads a fetched page and judges it, by rules first and by the model where they are unsure."""

import asyncio
import re
from dataclasses import dataclass
from math import log
from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from soprag.agents.archivist import Archivist
from soprag.agents.collecting.topic_similarity import Topic
from soprag.configs.settings import CollectSettings
from soprag.tools.errors import DocumentError
from soprag.tools.llm import Llm
from soprag.tools.procedure.filtering import document_filter
from soprag.tools.sop import Frozen, digest
from soprag.tools.tasks.benchmark import FilterAnswer, MarkdownAsk
from soprag.tools.tasks.collecting import WANTED, Wanted, WantedAsk
from soprag.tools.text import language
from soprag.tools.text.terms import terms
from soprag.tools.web.budget import RunBudget
from soprag.tools.web.feeds import FeedLimits, document_links, read_feed
from soprag.tools.web.html_page import HtmlPage
from soprag.tools.web.html_reader import HtmlReader
from soprag.tools.web.links import Link
from soprag.tools.web.outcome import Fetched

_RULES = "rules"
_LISTED = 3  # headings or items that are links, of a page that is a list
_LINK_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[[^\[\]]*\]\([^()]*\)\W*")
_SURE = 0.999
_SHORT = 60  # words of a page that may be one of the site itself, such as a sign-in page


class PageJudgement(Frozen):
    """The verdict on one page; `close` and `meaning` are the fields of its `TopicSimilarity`."""

    kind: Literal["document", "other", "unread", "missed"]
    reason: str
    title: str = ""
    name: str = ""
    text: str = ""
    close: float = 0.0
    meaning: tuple[float, ...] = ()
    on_topic: bool | None = None  # what a model said; none when it was not asked
    form: float | None = None  # log-odds that it is a procedure, by its wording; none when a model said
    links: tuple[Link, ...] = ()
    sha256: str = ""
    size: int = 0
    mime: str = ""
    final_url: str = ""
    language: str = ""
    licence: str = ""


@dataclass(frozen=True)
class PageFilter:
    """Judges each page on its own, independent of the other pages of the crawl."""

    topic: Topic
    archivist: Archivist
    llm: Llm
    budget: RunBudget
    reader: HtmlReader
    settings: CollectSettings
    limits: FeedLimits

    async def judge(self, page: Fetched, link_name: str, announced: str = "") -> PageJudgement:
        """Classify a page; raises only model and storage errors.

        `link_name` is its title in search results, `announced` that of all links to it.
        """
        if page.kind != "ok":
            return PageJudgement(kind="missed", reason=page.reason, final_url=page.final_url)
        name = file_name(page)
        try:
            if (entries := read_feed(page.data, page.final_url, self.limits)) is not None:
                return self._feed(page, entries)
            html = await self._read(page)
        except DocumentError as unread:
            return PageJudgement(kind="unread", reason=str(unread), title=link_name or name, final_url=page.final_url)
        reading = PageJudgement(
            kind="unread", reason="", title=html.title or name, name=name, links=html.links, sha256=digest(page.data),
            size=len(page.data), mime=page.mime, final_url=page.final_url, language=html.language, licence=html.licence,
        )  # fmt: skip
        try:
            # A page of HTML is read here: most of them are no documents, and its menus are to be left out.
            markdown = html.text or (await self.archivist.parse(page.data, name)).markdown
        except DocumentError as unread:
            close = await self._title_similarity(link_name or reading.title)
            return reading.model_copy(update={"reason": str(unread), "close": close})
        title = link_name or _heading(markdown) or reading.title
        read: dict[str, Any] = {
            "kind": "other", "title": title, "text": markdown[: self.settings.compared_characters],
            "language": html.language or language.detect(markdown),
            "links": html.links or document_links(page.data, markdown, self.limits.max_links),
        }  # fmt: skip
        sparse = html.linked > self.settings.link_share or len(html.text.split()) < self.settings.least_words
        reason = "It says little beside its links." if (html.links and sparse) or _is_list(markdown) else ""
        if len(markdown.split()) < _SHORT and not _shares_words(announced or link_name, markdown):
            reason = "It is not what its links announce."
        if reason:
            read |= {"reason": reason, "close": await self._title_similarity(title)}
            return reading.model_copy(update=read)
        titles = tuple(dict.fromkeys((title, html.title or title)))
        return await self._decide(reading.model_copy(update=read), titles, markdown)

    def _feed(self, page: Fetched, entries: tuple[Link, ...]) -> PageJudgement:
        """A sitemap or a feed: nothing but links."""
        return PageJudgement(
            kind="other", reason="It is a sitemap or a feed.", title=file_name(page), links=entries,
            final_url=page.final_url, mime=page.mime,
        )  # fmt: skip

    async def _read(self, page: Fetched) -> HtmlPage:
        """The content of an HTML page; empty for other types."""
        if page.mime != "text/html":
            return HtmlPage()
        charset = page.headers.get("content-type", "").lower().partition("charset=")[2].strip("\"' ")
        return await self.reader.read(page.data, page.final_url, charset)

    async def _title_similarity(self, title: str) -> float:
        return (await asyncio.to_thread(self.topic.place, [title]))[0].close

    async def _decide(self, reading: PageJudgement, titles: tuple[str, ...], markdown: str) -> PageJudgement:
        verdict = await asyncio.to_thread(document_filter.judge, MarkdownAsk(name=reading.name, markdown=markdown))
        form, by_rule = _log_odds(verdict), self.llm.name == _RULES
        if not verdict.is_sop and (by_rule or verdict.confidence >= self.settings.confidence):
            close = await self._title_similarity(reading.title)
            return reading.model_copy(update={"reason": verdict.reason, "close": close, "form": form})
        similarity = await asyncio.to_thread(self.topic.place_document, titles, markdown)
        meaning = tuple(round(float(part), 4) for part in similarity.meaning)
        reading = reading.model_copy(update={"close": similarity.close, "meaning": meaning})
        if by_rule:
            return self._by_rule(reading, verdict)
        verdict_of_model = await self._ask(reading)
        if verdict_of_model is None:
            return self._by_rule(reading, verdict)
        kind = "document" if verdict_of_model.is_procedure and verdict_of_model.on_topic else "other"
        return reading.model_copy(
            update={"kind": kind, "reason": verdict_of_model.reason, "on_topic": verdict_of_model.on_topic}
        )

    def _by_rule(self, reading: PageJudgement, verdict: FilterAnswer) -> PageJudgement:
        form = _log_odds(verdict)
        kind = "document" if verdict.is_sop else "other"
        return reading.model_copy(update={"kind": kind, "reason": verdict.reason, "form": form})

    async def _ask(self, reading: PageJudgement) -> Wanted | None:
        """The model's verdict; None when the token budget is used up."""
        request = WantedAsk(
            topic=self.topic.name, name=reading.title, text=reading.text[: self.settings.model_characters]
        )
        # Never less than what it will be: three characters are a token or less, and the prompt has its own.
        tokens = len(request.model_dump_json()) // 3 + 1000 + self.settings.answer_tokens
        if self.budget.remaining("tokens") < tokens:
            return None
        self.budget.take(tokens=tokens)
        return await self.llm.ask(WANTED, request)


def file_name(page: Fetched) -> str:
    """The file name from Content-Disposition or from the URL path, with the suffix of its media type."""
    disposition = page.headers.get("content-disposition", "").partition("filename=")[2].strip("\"' ;")
    path = PurePosixPath(unquote(urlsplit(page.final_url).path))
    stem = (
        PurePosixPath(disposition.rpartition("/")[2]).stem or path.stem or urlsplit(page.final_url).hostname or "page"
    )
    clean = "".join(sign if sign.isalnum() or sign in " ._-" else "-" for sign in stem)[:80].strip(" .-") or "page"
    return f"{clean}{page.suffix or path.suffix}"


def _is_list(markdown: str) -> bool:
    """Whether most headings or most list items of a page are links: it lists other pages, perhaps with openings."""
    headings = re.findall(r"^#{1,6} .*", markdown, re.MULTILINE)
    items = re.findall(r"^\s*(?:[-*+]|\d+[.)])\s+.*", markdown, re.MULTILINE)
    linked = [heading for heading in headings if re.match(r"#+ \W*\[", heading)]
    links = [item for item in items if _LINK_ITEM.fullmatch(item)]
    return any(
        len(some) >= _LISTED and 2 * len(some) > len(all_) for some, all_ in ((linked, headings), (links, items))
    )


def _shares_words(title: str, markdown: str) -> bool:
    """Whether a page has a word of the title that links to it announce; a sign-in page in its place has none."""
    announced = set(terms(title))
    return not announced or bool(announced & set(terms(markdown)))


def _log_odds(verdict: FilterAnswer) -> float:
    certain = min(verdict.confidence, _SURE)
    return (1 if verdict.is_sop else -1) * log(certain / (1 - certain))


def _heading(markdown: str) -> str:
    lines = (line.strip() for line in markdown[:3000].splitlines())
    return next((line.lstrip("# ").strip("*_ ") for line in lines if line.startswith("#")), "")[:200]
