"""The crawl frontier: all known links with their scores, and the choice of the next one to fetch."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from soprag.agents.collecting import url_features
from soprag.agents.collecting.candidate_urls import CandidateUrl, Discovery, named
from soprag.agents.collecting.link_scorer import LinkScorer
from soprag.agents.collecting.page_filter import PageJudgement
from soprag.agents.collecting.topic_model import Member, Sort, TopicModel
from soprag.agents.collecting.topic_similarity import Topic, TopicSimilarity
from soprag.configs.settings import CollectSettings
from soprag.tools.web import urls
from soprag.tools.web.duplicates import Duplicates

_HUB = 0.8  # what a page of links is worth, against a document
_PATIENCE = 0.85  # how much of what a page promises is left after each other page on the same way
_HALF = 0.5  # what was learned about documents says something about pages of links too, and not all
_GENERIC = 4  # words of a link that may say no more than `Download the full text`
_TWIN = 0.12  # how likely it is that what looks like a copy of a document is not one


@dataclass
class Frontier:
    """Leads by URL key, scored and ordered under the limits of the settings."""

    topic: Topic
    settings: CollectSettings
    leads: dict[str, CandidateUrl] = field(default_factory=dict)
    _waiting: dict[str, CandidateUrl] = field(default_factory=dict)
    _chance: LinkScorer = field(default_factory=LinkScorer)
    _belonging: TopicModel = field(init=False)
    _read: dict[str, tuple[CandidateUrl, PageJudgement]] = field(default_factory=dict)
    _unique: set[str] = field(default_factory=set)  # procedures nobody had brought before
    _texts: Duplicates = field(default_factory=Duplicates)
    _hashes: set[str] = field(default_factory=set)
    _patterns: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _followed: dict[str, CandidateUrl] = field(default_factory=dict)
    _under_way: Counter[str] = field(default_factory=Counter)
    _folders: Counter[str] = field(default_factory=Counter)
    _fruitful: set[str] = field(default_factory=set)  # pages on the way to a document
    _barren: Counter[str] = field(default_factory=Counter)  # other pages, by where their way begins
    _scores: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._belonging = TopicModel(self.topic.elsewhere, self.settings.unread_pages)

    def see(self, addresses: Sequence[tuple[str, Discovery]], depth: int) -> list[CandidateUrl]:
        """Add sightings of URLs; returns the new leads whose score is at least `good`."""
        new: list[CandidateUrl] = []
        sighted: list[tuple[CandidateUrl, Discovery]] = []
        for raw, sighting in addresses:
            url = urls.normalise(raw)
            key = urls.key(url) if url else ""
            if not key or depth > self.settings.depth or len(url.partition("?")[2]) > self.settings.longest_query:
                continue
            lead = self.leads.get(key)
            if lead is None:
                lead = self.leads[key] = self._waiting[key] = CandidateUrl(key, url, depth)
                new.append(lead)
            lead.depth = min(lead.depth, depth)
            lead.sight(sighting)
            sighted.append((lead, sighting))
        self._weigh(sighted)
        return [lead for lead in new if self._worth(lead) >= self.settings.good]

    def rich(self, addresses: Sequence[tuple[str, Discovery]]) -> int:
        """How many of these URLs score at least `good` or are accepted documents."""
        leads = [self.leads.get(urls.key(urls.normalise(raw))) for raw, _ in addresses]
        documents = {lead.key for lead, _ in self.kept()}
        return sum(1 for lead in leads if lead and (lead.key in documents or self._worth(lead) >= self.settings.good))

    def _weigh(self, sighted: Sequence[tuple[CandidateUrl, Discovery]]) -> None:
        for (lead, _), standing in zip(sighted, self._stand(sighted), strict=True):
            if standing.close > lead.close or not len(lead.meaning):
                lead.close, lead.meaning = max(lead.close, standing.close), standing.meaning
        for lead in {lead.key: lead for lead, _ in sighted}.values():
            lead.form, lead.listing = url_features.procedure(lead), url_features.hub(lead)
            lead.copy_of = self._original(lead)
        if sighted:  # most documents link to nothing, and were learned from when they were settled
            self._learn()

    def best(self, least: float) -> CandidateUrl | None:
        """Pop the lead with the highest score, if that is at least `least`."""
        if not self._scores:
            self._scores = {key: self._worth(lead) for key, lead in self._waiting.items()}
        best = max(self._waiting.values(), key=lambda lead: (self._scores[lead.key], lead.key), default=None)
        if best is None or self._scores[best.key] < least:
            return None
        del self._waiting[best.key]
        self._followed[best.key] = best
        self._under_way[best.folder] += 1
        for lead in self._waiting.values():
            if not lead.copy_of and self._alike(lead, best):
                lead.copy_of = best.key
        self._scores.clear()
        return best

    def settle(
        self, lead: CandidateUrl, reading: PageJudgement, links: Sequence[tuple[str, Discovery]]
    ) -> tuple[bool, bool]:
        """Record a fetch; returns whether it is a new on-topic document and whether its links are promising."""
        fresh = reading.kind == "document" and not self._repeated(lead, reading)
        if fresh:
            self._unique.add(lead.key)
        if reading.kind != "missed":
            self._read[lead.key] = lead, reading
            self._learn()
        relevant = fresh and self._on_topic(lead.key)
        if not relevant:
            self._forget(lead)
        self._under_way[lead.folder] -= 1
        self._folders[lead.folder] += relevant
        self._walk(lead, reading, relevant)
        pattern = self._patterns[lead.template]
        pattern["wanted" if relevant else "repeated" if reading.kind == "document" else "other"] += 1
        if reading.final_url and (key := urls.key(reading.final_url)) != lead.key:
            self._waiting.pop(key, None)
            self.leads.setdefault(key, lead)
        self._scores.clear()
        promising = self.see(links, lead.depth + 1)
        if fresh or not promising:  # a page of links that leads on was no mistake
            self._chance.learn(lead, relevant)
        for document in self._unique:
            self._chance.learn(self._read[document][0], self._on_topic(document))
        self._scores.clear()
        return relevant, bool(promising)

    def kept(self) -> list[tuple[CandidateUrl, PageJudgement]]:
        """The unique on-topic documents so far, in fetch order."""
        return [document for key, document in self._read.items() if key in self._unique and self._on_topic(key)]

    def _learn(self) -> None:
        """Re-estimate the topic probability of all pages, fetched or not, and the scores that depend on it."""
        read = {key: _as_read(*document) for key, document in self._read.items()}
        leads = {lead.key: lead for lead in self.leads.values() if lead.key not in read}
        self._belonging.learn(read | {key: _as_unread(lead) for key, lead in leads.items()})
        for lead in (*self._waiting.values(), *self._followed.values()):
            likely = self._belonging.chance(lead.key)
            lead.odds, lead.hub = url_features.both(lead.form, likely), url_features.both(lead.listing, likely)
        self._scores.clear()

    def _on_topic(self, key: str) -> bool:
        return self._belonging.chance(key) >= 0.5

    def _forget(self, lead: CandidateUrl) -> None:
        """The lead was no document: leads marked as its copies are candidates again."""
        self._followed.pop(lead.key, None)
        for waiting in self._waiting.values():
            if waiting.copy_of == lead.key:
                waiting.copy_of = self._original(waiting)

    def _repeated(self, lead: CandidateUrl, reading: PageJudgement) -> bool:
        if reading.sha256 in self._hashes:
            return True
        self._hashes.add(reading.sha256)
        return self._texts.add(lead.key, reading.text) is not None

    def _stand(self, sighted: Sequence[tuple[CandidateUrl, Discovery]]) -> list[TopicSimilarity]:
        """Embed sightings; a link's closeness is averaged with that of its page when this is higher."""
        standings = self.topic.place([f"{sighting.title}. {sighting.text}"[:400] for _, sighting in sighted])
        return [
            standing
            if sighting.searched
            else TopicSimilarity(max(standing.close, (standing.close + sighting.about) / 2), standing.meaning)
            for standing, (_, sighting) in zip(standings, sighted, strict=True)
        ]

    def _worth(self, lead: CandidateUrl) -> float:
        pattern = self._patterns.get(lead.template, Counter())
        limits = self.settings
        endless = pattern["other"] >= limits.same_pattern or pattern["repeated"] >= limits.repeats
        if endless and not pattern["wanted"]:
            return 0.0
        if self._under_way[lead.folder] >= limits.folder_probes and not self._folders[lead.folder]:
            return 0.0  # until one of them has come back
        shift = self._chance.shift(lead)
        document = url_features.chance(lead.odds + shift) * (_TWIN if lead.copy_of else 1.0)
        patience = _PATIENCE ** self._barren[self._way(lead)[-1]]
        return patience * max(document, _HUB * url_features.chance(lead.hub + _HALF * shift))

    def _walk(self, lead: CandidateUrl, reading: PageJudgement, relevant: bool) -> None:
        """Update the fruitful and fruitless counts of the link path to this page."""
        path = self._way(lead)
        if relevant:
            self._fruitful.update(path)
        elif reading.kind == "other":
            self._barren[path[-1]] += 1

    def _way(self, lead: CandidateUrl) -> list[str]:
        """The link path of a page, back to a search result or to a page that has led to a document."""
        path = [lead.key]
        while (parent := self.leads.get(lead.first.parent)) and not (
            parent.key in self._fruitful or parent.key in path
        ):
            path.append(parent.key)
            lead = parent
        return path

    def _original(self, lead: CandidateUrl) -> str:
        return next((key for key, candidate in self._followed.items() if self._alike(lead, candidate)), "")

    def _alike(self, lead: CandidateUrl, followed: CandidateUrl) -> bool:
        """Whether both leads have near-identical titles and snippets; a page and its own link never match."""
        if lead is followed or any(sighting.parent == followed.key for sighting in lead.sightings):
            return False
        if not (lead.name or len(lead.title.split()) > _GENERIC) or lead.tags != followed.tags:
            return False
        if lead.words == followed.words and lead.tags and len(lead.words) >= _GENERIC:
            return True  # the same work on the same machine
        words_by_query = {sighting.query: sighting.words for sighting in followed.sightings}
        return any(
            _mostly(lead.words | sighting.words, followed.words | words_by_query[sighting.query])
            for sighting in lead.sightings
            if sighting.query in words_by_query  # what an engine shows of a page depends on what it was asked
        )


def _as_read(lead: CandidateUrl, reading: PageJudgement) -> Member:
    sort: Sort = "procedure" if reading.kind == "document" else "other"
    groups = lead.groups | named(reading.title)
    meaning = np.array(reading.meaning, np.float32)
    return Member(reading.close, sort, groups, meaning, reading.named, reading.on_topic)


def _as_unread(lead: CandidateUrl) -> Member:
    return Member(lead.close, "unread", lead.groups, lead.meaning)


def _mostly(first: frozenset[str], second: frozenset[str]) -> bool:
    return len(first) >= _GENERIC and len(first & second) >= 0.85 * len(first | second)
