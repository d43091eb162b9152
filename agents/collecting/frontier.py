"""The crawl frontier: all known links in a priority queue, and what the pages fetched so far say about them.

A score is computed when a link is first seen and again when it reaches the top of the queue. Links that share a list
or a folder with a page that was useful are scored again at once, all others from time to time, so the work per page
does not depend on the number of waiting links.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from soprag.agents.collecting import url_features
from soprag.agents.collecting.candidate_urls import CandidateUrl, Discovery
from soprag.agents.collecting.link_scorer import LinkScorer
from soprag.agents.collecting.page_filter import PageJudgement
from soprag.agents.collecting.selection import as_member, joint
from soprag.agents.collecting.topic_model import ACCEPTED, Member, TopicModel
from soprag.agents.collecting.topic_similarity import Topic
from soprag.configs.settings import CollectSettings
from soprag.tools.web import urls
from soprag.tools.web.duplicates import Duplicates

_HUB = 0.8  # value of a page of links, against a document
_PATIENCE = 0.7  # factor on the score for each page on the link path that has led to no document
_LONGEST_PATH = 10
_PROMISING = 0.3  # expected documents among its new links from which a page counts as useful
_SECTION = 4.0  # log-odds that a folder which documents lie in, or a page that they link to, lists them
_BACK = 2  # documents that link to their list ...
_SPECIAL = 0.5  # ... and the largest share of the pages of a host that do; a menu has more
_LISTED = 3  # independent documents that a list stands for: one of them on the topic is enough
_TWIN = 0.12  # probability that a link with the marks of a copy is none
_RELATED = 100  # links scored again at once after a useful page, per list and per folder
_REFRESH = (20, 200)  # all links are scored again after this many pages, or after one page for each 200 waiting links
_SHORT = 1000  # waiting links that are all scored again before the queue is taken to hold nothing good
_EXACT = 100  # procedures up to which the topic model is estimated again after each one ...
_GROWTH = 1.05  # ... and then after each growth by this factor


@dataclass
class Frontier:
    """Leads by URL key, scored and ordered under the limits of the settings."""

    topic: Topic
    settings: CollectSettings
    leads: dict[str, CandidateUrl] = field(default_factory=dict)
    pages: dict[str, tuple[CandidateUrl, PageJudgement]] = field(default_factory=dict)  # procedures
    _waiting: set[str] = field(default_factory=set)
    _queue: list[tuple[float, str]] = field(default_factory=list)  # (minus score, key)
    _documents: LinkScorer = field(default_factory=LinkScorer)
    _hubs: LinkScorer = field(default_factory=LinkScorer)
    _topics: TopicModel = field(default_factory=TopicModel)
    _members: dict[str, Member] = field(default_factory=dict)
    _unique: set[str] = field(default_factory=set)
    _texts: Duplicates = field(default_factory=Duplicates)
    _hashes: set[str] = field(default_factory=set)
    _patterns: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _marks: Counter[str] = field(default_factory=Counter)  # copy marks of pages under way and of documents
    _folders: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _fruitful: set[str] = field(default_factory=set)  # pages on the link path to a document
    _sections: set[str] = field(default_factory=set)  # folders of documents and of the pages on the way to them
    _related: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    count: int = 0  # unique on-topic documents so far
    promised: float = inf  # documents among the waiting links, or behind them, when all were scored the last time
    _read: Counter[str] = field(default_factory=Counter)  # pages of each host
    _settled: int = 0
    _refreshed: int = 0
    _estimated: int = 0

    def see(self, addresses: Sequence[tuple[str, Discovery]], depth: int) -> list[CandidateUrl]:
        """Add sightings of URLs; returns the new leads whose score is at least `fair`."""
        new: dict[str, CandidateUrl] = {}
        changed: dict[str, tuple[CandidateUrl, Discovery]] = {}
        for raw, sighting in addresses:
            lead = self._lead(raw, depth)
            if lead is None:
                continue
            if not lead.sightings:
                new[lead.key] = lead
            elif len(lead.sightings) >= self.settings.sightings:
                continue
            changed[lead.key] = lead, sighting
            lead.sight(sighting)
        self._weigh(list(changed.values()))
        return [lead for lead in new.values() if self.score(lead) >= self.settings.fair]

    def _lead(self, raw: str, depth: int) -> CandidateUrl | None:
        url = urls.normalise(raw)
        key = urls.key(url) if url else ""
        if not key or depth > self.settings.depth or len(url.partition("?")[2]) > self.settings.longest_query:
            return None
        if key not in self.leads:
            self.leads[key] = CandidateUrl(key, url, depth)
            self._waiting.add(key)
        lead = self.leads[key]
        lead.depth = min(lead.depth, depth)
        return lead

    def rich(self, addresses: Sequence[tuple[str, Discovery]]) -> int:
        """How many of these URLs score at least `fair` or are accepted documents."""
        leads = [self.leads.get(urls.key(urls.normalise(raw))) for raw, _ in addresses]
        return sum(1 for lead in leads if lead and (self._accepted(lead.key) or self._promises(lead)))

    def _promises(self, lead: CandidateUrl) -> bool:
        return lead.key in self._waiting and self.score(lead) >= self.settings.fair

    def _weigh(self, sighted: Sequence[tuple[CandidateUrl, Discovery]]) -> None:
        """Closeness and general features of links that were seen, again for those with a new text."""
        fresh = [(lead, sighting) for lead, sighting in sighted if lead.key in self._waiting]
        texts = [_link_text(sighting) for _, sighting in fresh]
        for (lead, sighting), (close, meaning) in zip(fresh, self.topic.place(texts), strict=True):
            inherited = 0.0 if sighting.searched else (close + sighting.about) / 2
            lead.close = max(lead.close, close, inherited)
            speaks = bool(sighting.title) and not sighting.guess
            if speaks and (lead.meaning is None or sighting.title == lead.title):
                lead.meaning = meaning.astype(np.float16)  # half the memory; thousands of leads wait
            lead.form, lead.listing = url_features.procedure(lead), url_features.hub(lead)
            for name in _relations(lead):
                self._related[name].append(lead.key)
            self._push(lead)

    def best(self, least: float) -> CandidateUrl | None:
        """Pop the lead with the highest score, if that is at least `least`."""
        self._refresh()
        while self._queue:
            _, key = self._queue[0]
            if key not in self._waiting:
                heapq.heappop(self._queue)
                continue
            lead = self.leads[key]
            score = self.score(lead)
            if score < -self._queue[0][0] - 1e-9:
                heapq.heapreplace(self._queue, (-score, key))
                continue
            if score < least:
                if self._stale():
                    continue
                return None
            heapq.heappop(self._queue)
            self._waiting.discard(key)
            self._marks.update(lead.copy_marks)
            self._folders[lead.folder]["under way"] += 1
            self._patterns[lead.template]["under way"] += 1
            return lead
        return None

    def settle(
        self, lead: CandidateUrl, reading: PageJudgement, links: Sequence[tuple[str, Discovery]]
    ) -> tuple[bool, float]:
        """Record a fetch; returns whether it is a new on-topic document, and how many its links promise."""
        self._settled += 1
        self._read[lead.host] += 1
        fresh = reading.kind == "document" and not self._repeated(lead, reading)
        if reading.kind == "document":
            self.pages[lead.key] = lead, reading
        if fresh:
            self._unique.add(lead.key)
            self._members[lead.key] = as_member(lead, reading)
            self._estimate()
        relevant = fresh and self._accepted(lead.key)
        if relevant:
            self._open_sections(path := self._path(lead))
            self._credit(path[1:])
            self._fruitful.update(path)
        else:
            self._marks.subtract(lead.copy_marks)
        self._merge(lead, reading)
        # A page that leads only to more pages of its own kind, such as the next day of a calendar, promises nothing.
        new = [link for link in self.see(links, self._depth_below(lead)) if link.template != lead.template]
        promised = sum(self.score(link) for link in new)
        promising = promised >= _PROMISING
        self._note(lead, reading, relevant, promising)
        self._learn(lead, reading, fresh, promised)
        useful = relevant or promising
        related = _relations(lead) if useful else [f"folder {lead.folder}"]
        self._rescore(key for name in related for key in self._related[name][-_RELATED:])
        return relevant, promised

    def _open_sections(self, path: Sequence[str]) -> None:
        """Note the folders of a document and of the pages on its link path, and score the known ones again."""
        sections = {urls.key(folder) for key in path for folder in urls.folders(self.leads[key].url)} - self._sections
        self._sections |= sections
        self._rescore(sorted(sections))

    def _credit(self, path: Sequence[str]) -> None:
        """Learn that pages have led to a document, whatever their links promised when they were read."""
        for key in path:
            page = self.leads[key]
            likely = self._topics.outlook(page.close, page.groups, page.meaning)
            self._hubs.learn(page.traits, self._listing(page, likely), 1.0)

    def _depth_below(self, lead: CandidateUrl) -> int:
        """Links of a list's next page are as deep as those of the list."""
        return lead.depth if url_features.goes_on(lead) else lead.depth + 1

    def _merge(self, lead: CandidateUrl, reading: PageJudgement) -> None:
        """A page that came by a redirect is not fetched again under its own URL."""
        if reading.final_url and (key := urls.key(reading.final_url)) != lead.key:
            self._waiting.discard(key)
            self.leads.setdefault(key, lead)

    def _note(self, lead: CandidateUrl, reading: PageJudgement, relevant: bool, promising: bool) -> None:
        folder, pattern = self._folders[lead.folder], self._patterns[lead.template]
        folder["under way"] -= 1
        pattern["under way"] -= 1
        folder["useful"] += relevant or promising
        repeated = reading.kind == "document" and lead.key not in self._unique
        pattern["useful" if relevant or promising else "repeated" if repeated else reading.kind] += 1

    def _learn(self, lead: CandidateUrl, reading: PageJudgement, fresh: bool, promised: float) -> None:
        likely = self._topics.outlook(lead.close, lead.groups, lead.meaning)
        if reading.kind == "document" or promised < _PROMISING:
            outcome = self._topics.chance(lead.key) if fresh else 0.0
            self._documents.learn(lead.traits, url_features.both(lead.form, likely), outcome)
        if reading.kind != "document":
            self._hubs.learn(lead.traits, self._listing(lead, likely), min(1.0, promised))

    def titles(self) -> list[str]:
        """The titles of the unique on-topic documents so far, in fetch order."""
        return [reading.title for key, (_, reading) in self.pages.items() if self._accepted(key)]

    def _accepted(self, key: str) -> bool:
        return key in self._unique and joint(self.pages[key][1], self._topics.chance(key)) >= ACCEPTED

    def _estimate(self) -> None:
        """Estimate the topic model again when enough procedures are new; until then one is judged with the old one."""
        count = len(self._members)
        grown = count <= _EXACT or count >= self._estimated * _GROWTH
        if grown and count <= self._topics.largest:
            self._topics.learn(self._members)
            self._estimated = count
            self.count = sum(self._accepted(key) for key in self._members)
        else:
            key = next(reversed(self._members))
            self._topics.add(key, self._members[key])
            self.count += self._accepted(key)

    def _repeated(self, lead: CandidateUrl, reading: PageJudgement) -> bool:
        if reading.sha256 in self._hashes:
            return True
        self._hashes.add(reading.sha256)
        return self._texts.add(lead.key, reading.text) is not None

    def score(self, lead: CandidateUrl) -> float:
        """The probability that the lead is a new on-topic document, or 0.8 times that it leads to some."""
        pattern, folder, limits = self._patterns.get(lead.template), self._folders.get(lead.folder), self.settings
        if pattern and not pattern["useful"]:
            empty = pattern["other"] + pattern["missed"] + pattern["unread"] + pattern["under way"]
            if empty >= limits.same_pattern or pattern["repeated"] >= limits.repeats:
                return 0.0
        if folder and folder["under way"] >= limits.folder_probes and not folder["useful"]:
            return 0.0  # until one of them has come back
        likely = self._topics.outlook(lead.close, lead.groups, lead.meaning)
        document = url_features.chance(url_features.both(lead.form, likely) + self._documents.shift(lead.traits))
        hub = url_features.chance(self._listing(lead, likely) + self._hubs.shift(lead.traits))
        patience = _PATIENCE ** (len(self._path(lead)) - 1)
        return patience * max(document * (_TWIN if self._is_copy(lead) else 1.0), _HUB * hub)

    def _listing(self, lead: CandidateUrl, likely: float) -> float:
        """The log-odds that the lead lists procedures, one of them on the topic; each is with probability `likely`."""
        odds = lead.listing + _SECTION * (lead.key in self._sections or self._linked_back(lead))
        return url_features.both(odds, 1 - (1 - likely) ** _LISTED)

    def _linked_back(self, lead: CandidateUrl) -> bool:
        """Whether mostly documents link to it, and few other pages of its host: their board or category."""
        parents = {sighting.parent for sighting in lead.sightings if sighting.parent and not sighting.menu}
        documents = sum(self._accepted(parent) for parent in parents)
        most = min(self.settings.sightings - 1, _SPECIAL * self._read[lead.host])
        return documents >= _BACK and 2 * documents > len(parents) and len(parents) <= most

    def _path(self, lead: CandidateUrl) -> list[str]:
        """The link path of a page, back to a search result or to a page that has led to a document."""
        path = [lead.key]
        while (parent := lead.first.parent) in self.leads and parent not in self._fruitful and parent not in path:
            lead = self.leads[parent]
            path.append(parent)
            if len(path) >= _LONGEST_PATH:
                break
        return path

    def _is_copy(self, lead: CandidateUrl) -> bool:
        """Whether a page under way or a document has the same marks; a page and its own link never match."""
        parents = [self.leads[sighting.parent] for sighting in lead.sightings if sighting.parent in self.leads]
        linked = {mark for parent in parents for mark in parent.copy_marks}
        return any(self._marks[mark] > 0 for mark in lead.copy_marks - linked)

    def _push(self, lead: CandidateUrl) -> None:
        heapq.heappush(self._queue, (-self.score(lead), lead.key))

    def _rescore(self, keys: Iterable[str]) -> None:
        for key in dict.fromkeys(keys):
            if key in self._waiting:
                self._push(self.leads[key])

    def _stale(self) -> bool:
        """Score a short queue again before giving up; whether anything may have changed."""
        if self._settled == self._refreshed or len(self._waiting) > _SHORT:
            return False
        self._refresh(always=True)
        return True

    def _refresh(self, always: bool = False) -> None:
        """Score every waiting link again, now and then."""
        if always or self._settled - self._refreshed >= max(_REFRESH[0], len(self._waiting) // _REFRESH[1]):
            self._refreshed = self._settled
            self._queue = sorted((-self.score(self.leads[key]), key) for key in self._waiting)
            self.promised = -sum(score for score, _ in self._queue)
            for _, key in self._queue[self.settings.waiting_links :]:
                self._waiting.discard(key)
                del self.leads[key]
            del self._queue[self.settings.waiting_links :]


def _link_text(sighting: Discovery) -> str:
    """What is embedded of a sighting: an anchor of two words or more speaks for itself and is cheap."""
    if not sighting.searched and len(sighting.title.split()) > 1:
        return sighting.title[:200]
    return f"{sighting.title}. {sighting.text}"[:400]


def _relations(lead: CandidateUrl) -> list[str]:
    """Names of the sets in which leads are scored again together: its folder and the pages that link to it."""
    parents = {f"parent {sighting.parent}" for sighting in lead.sightings if sighting.parent}
    return [f"folder {lead.folder}", *sorted(parents), f"parent {lead.key}"]
