"""The final selection: which of the fetched procedures are on the topic and no copies; the rest with a reason.

It depends on the fetched pages only, not on the order in which they came.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from soprag.agents.collecting.candidate_urls import CandidateUrl, named
from soprag.agents.collecting.page_filter import PageJudgement
from soprag.agents.collecting.procedure_rates import ProcedureRates
from soprag.agents.collecting.topic_model import ACCEPTED, Member, TopicModel, own_odds
from soprag.tools.web.duplicates import Duplicates

_REPEATED, _SITE = 4, 0.1  # pages of a host, and share of them, on which a line of the site itself stands
_SURE = 1.5  # log-odds of a document's own closeness that no other page outvotes


Page = tuple[CandidateUrl, PageJudgement]


@dataclass(frozen=True)
class CollectedDocument:
    """A fetched procedure; `reason` says why it was left out, and is empty for an accepted one."""

    lead: CandidateUrl
    reading: PageJudgement
    chance: float  # topic probability, 0 to 1
    reason: str = ""
    context: float = 0.0  # log-odds that its lists add to its being a procedure


@dataclass(frozen=True)
class Selection:
    """The accepted documents, most probable first, and those left out."""

    accepted: tuple[CollectedDocument, ...]
    left_out: tuple[CollectedDocument, ...]


def as_member(lead: CandidateUrl, reading: PageJudgement) -> Member:
    """A fetched procedure as the topic model takes it."""
    meaning = np.array(reading.meaning, np.float32)
    return Member(reading.close, lead.groups | named(reading.title), meaning, reading.on_topic, lead.meaning)


def select(pages: Sequence[Page]) -> Selection:
    """Judge every page by its text and by the other pages of its lists; of copies the longest counts."""
    shifts = _shifts(pages)
    ordered = sorted(
        (page for page in pages if _is_procedure(page[1], shifts[page[0].key])),
        key=lambda entry: (-len(entry[1].text), len(entry[0].url), entry[0].key),
    )
    copies, originals = _copies(ordered)
    ordered = _with_closest(ordered, originals)
    members = {lead.key: as_member(lead, reading) for lead, reading in ordered}
    sure = {lead.key for lead, reading in ordered if reading.form is None or reading.form > 0}
    model = _learned({key: member for key, member in members.items() if key in sure and key not in copies})
    # Where the wording leaves doubt, a page is one only among procedures on the topic.
    kept = [(lead, reading) for lead, reading in ordered if lead.key in sure or model.evidence(lead.groups) > 0]
    model = _learned({lead.key: members[lead.key] for lead, _ in kept if lead.key not in copies})
    documents = [
        replace(_judged(lead, reading, model, copies.get(lead.key, "")), context=shifts[lead.key])
        for lead, reading in kept
    ]
    documents.sort(key=lambda document: (-document.chance, document.lead.key))
    return Selection(
        tuple(document for document in documents if not document.reason),
        tuple(document for document in documents if document.reason),
    )


def _shifts(pages: Sequence[Page]) -> dict[str, float]:
    """What the lists of every page add to the log-odds of its wording."""
    rates = ProcedureRates()
    for lead, reading in pages:
        if reading.form is not None:
            rates.add(lead.lists, reading.form)
    return {lead.key: rates.shift(lead.lists) for lead, _ in pages}


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


def _learned(members: dict[str, Member]) -> TopicModel:
    model = TopicModel(largest=len(members))
    model.learn(members)
    return model


def _is_procedure(reading: PageJudgement, shift: float) -> bool:
    if reading.form is None:
        return reading.kind == "document"
    return bool(reading.meaning) and reading.form + shift > 0


def _judged(lead: CandidateUrl, reading: PageJudgement, model: TopicModel, copied: str) -> CollectedDocument:
    if copied:
        return CollectedDocument(lead, reading, 0.0, copied)
    chance = model.chance(lead.key)
    if chance >= ACCEPTED or (reading.on_topic is None and own_odds(reading.close) >= _SURE):
        return CollectedDocument(lead, reading, chance)
    return CollectedDocument(lead, reading, chance, f"off the topic (probability {chance:.2f})")
