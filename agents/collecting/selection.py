"""The final selection: which of the fetched procedures are on the topic and no copies; the rest with a reason.

It depends on the fetched pages only, not on the order in which they came.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil, exp

import numpy as np

from soprag.agents.collecting.candidate_urls import CandidateUrl, named
from soprag.agents.collecting.host_votes import host_votes
from soprag.agents.collecting.likeness import Likeness
from soprag.agents.collecting.page_filter import PageJudgement
from soprag.agents.collecting.topic_model import Member, TopicModel, Votes, own_odds
from soprag.tools.web.duplicates import Duplicates

_SURE = 1.5  # log-odds of a document's own closeness that no other page outvotes
_KEPT = 0.55  # probability from which a document is kept; the crawl, which learns from it, is stricter
_VOTES = Votes(nearest=8, trust=1.75, bound=3.5)  # on the topic, by likeness
_SHARES = tuple(tenths / 10 for tenths in range(11))  # of the words in the likeness; the one that decides best is used
_COMPARED = 1000  # procedures with which the shares are compared
_REPEATED, _SITE = 4, 0.1  # pages of a host, and share of them, on which a line of the site itself stands

Page = tuple[CandidateUrl, PageJudgement]


@dataclass(frozen=True)
class CollectedDocument:
    """A fetched procedure; `reason` says why it was left out, and is empty for an accepted one."""

    lead: CandidateUrl
    reading: PageJudgement
    chance: float  # probability of a procedure on the topic, 0 to 1
    reason: str = ""


@dataclass(frozen=True)
class Selection:
    """The accepted documents, most probable first, and those left out."""

    accepted: tuple[CollectedDocument, ...]
    left_out: tuple[CollectedDocument, ...]


def as_member(lead: CandidateUrl, reading: PageJudgement) -> Member:
    """A fetched procedure as the topic model takes it."""
    meaning = np.array(reading.meaning, np.float32)
    return Member(reading.close, lead.groups | named(reading.title), meaning, reading.on_topic, lead.meaning)


def joint(reading: PageJudgement, chance: float) -> float:
    """The probability that a page is a procedure, by its wording, and on the topic (`chance`)."""
    return chance if reading.form is None else chance / (1 + exp(-reading.form))


def select(pages: Sequence[Page]) -> Selection:
    """Judge every page by its text and by the procedures most like it; of copies the longest counts."""
    ordered = sorted(
        (page for page in pages if page[1].kind == "document"),
        key=lambda entry: (-len(entry[1].text), len(entry[0].url), entry[0].key),
    )
    copies, originals = _copies(ordered)
    ordered = _with_closest(ordered, originals)
    model = _topic_model([page for page in ordered if page[0].key not in copies])
    documents = [_judged(lead, reading, model, copies.get(lead.key, "")) for lead, reading in ordered]
    documents.sort(key=lambda document: (-document.chance, document.lead.key))
    return Selection(
        tuple(document for document in documents if not document.reason),
        tuple(document for document in documents if document.reason),
    )


def _topic_model(pages: Sequence[Page]) -> TopicModel:
    """The topic model of all pages: those most alike vote, and then the hosts, for as much as they tell."""
    if not pages:
        return TopicModel()
    members = _alike({lead.key: as_member(lead, reading) for lead, reading in pages}, pages)
    model = _learned(members)
    chances = np.array([model.chance(key) for key in members])
    votes = host_votes([lead.host for lead, _ in pages], chances)
    return _learned({key: replace(members[key], shift=float(vote)) for key, vote in zip(members, votes, strict=True)})


def _alike(members: dict[str, Member], pages: Sequence[Page]) -> dict[str, Member]:
    """The members with vectors of their words and meanings, in those shares whose votes decide best.

    Where neighbouring fields share their wording, votes by words contradict the texts and leave pages in doubt; where
    a field is written in general words, votes by meaning do.
    """
    meanings = np.array([member.vector for member in members.values()])
    likeness = Likeness.of([f"{reading.title} {reading.text}" for _, reading in pages], meanings)

    def shared(share: float) -> dict[str, Member]:
        vectors = likeness.vectors(share)
        return {key: replace(members[key], vector=own) for key, own in zip(members, vectors, strict=True)}

    def certainty(share: float) -> float:
        return _learned(dict(islice(shared(share).items(), 0, None, ceil(len(members) / _COMPARED)))).certainty()

    return shared(max(_SHARES, key=certainty))


def _learned(members: dict[str, Member]) -> TopicModel:
    model = TopicModel(largest=len(members), votes=_VOTES)
    model.learn(members)
    return model


def _copies(ordered: Sequence[Page]) -> tuple[dict[str, str], dict[str, str]]:
    """Why a page repeats a longer one before it, by key; and for copies the key of that page."""
    texts, reasons, originals = Duplicates(), dict[str, str](), dict[str, str]()
    furniture = _furniture(ordered)
    for lead, reading in ordered:
        own = "\n".join(line for line in reading.text.splitlines() if (lead.host, line) not in furniture)
        if original := texts.add(lead.key, own or reading.text):
            reasons[lead.key], originals[lead.key] = f"a copy of {original}", original
        elif whole := texts.whole_of(lead.key):
            reasons[lead.key] = f"an excerpt of {whole}"
    return reasons, originals


def _with_closest(ordered: Sequence[Page], originals: dict[str, str]) -> list[Page]:
    """The pages, each as close to the topic as the closest of its copies: one may lack the title or the site's name."""
    close = {lead.key: reading.close for lead, reading in ordered}
    for copy, original in originals.items():
        close[original] = max(close[original], close[copy])
    return [(lead, reading.model_copy(update={"close": close[lead.key]})) for lead, reading in ordered]


def _furniture(pages: Sequence[Page]) -> set[tuple[str, str]]:
    """Lines that stand on so many pages of a host that they are the site's own: adverts, notices, buttons."""
    lines = Counter((lead.host, line) for lead, reading in pages for line in set(reading.text.splitlines()))
    hosts = Counter(lead.host for lead, _ in pages)
    return {(host, line) for (host, line), count in lines.items() if count >= max(_REPEATED, _SITE * hosts[host])}


def _judged(lead: CandidateUrl, reading: PageJudgement, model: TopicModel, copied: str) -> CollectedDocument:
    if copied:
        return CollectedDocument(lead, reading, 0.0, copied)
    topical = model.chance(lead.key)
    if reading.on_topic is None and (own := own_odds(reading.close)) >= _SURE:
        topical = max(topical, 1 / (1 + exp(-own)))
    chance = joint(reading, topical)
    if chance >= _KEPT:
        return CollectedDocument(lead, reading, chance)
    doubt = "off the topic" if topical < _KEPT else "hardly a procedure"
    return CollectedDocument(lead, reading, chance, f"{doubt} (probability {chance:.2f})")
