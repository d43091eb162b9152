"""The final selection: which of the fetched procedures are on the topic and no copies; the rest with a reason.

It depends on the fetched pages only, not on the order in which they came.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from soprag.agents.collecting.candidate_urls import CandidateUrl, named
from soprag.agents.collecting.page_filter import PageJudgement
from soprag.agents.collecting.topic_model import Member, TopicModel, own_odds
from soprag.tools.web.duplicates import Duplicates

_SURE = 1.5  # log-odds of a document's own closeness that no other page outvotes


@dataclass(frozen=True)
class CollectedDocument:
    """A fetched procedure; `reason` says why it was left out, and is empty for an accepted one."""

    lead: CandidateUrl
    reading: PageJudgement
    chance: float  # topic probability, 0 to 1
    reason: str = ""


@dataclass(frozen=True)
class Selection:
    """The accepted documents, most probable first, and those left out."""

    accepted: tuple[CollectedDocument, ...]
    left_out: tuple[CollectedDocument, ...]


def as_member(lead: CandidateUrl, reading: PageJudgement) -> Member:
    """A fetched procedure as the topic model takes it."""
    meaning = np.array(reading.meaning, np.float32)
    return Member(reading.close, lead.groups | named(reading.title), meaning, reading.on_topic)


def select(procedures: Sequence[tuple[CandidateUrl, PageJudgement]]) -> Selection:
    """Judge every procedure by its text and by the other procedures of its lists; of copies the longest counts."""
    ordered = sorted(procedures, key=lambda entry: (-len(entry[1].text), len(entry[0].url), entry[0].key))
    texts, copies = Duplicates(), dict[str, str]()
    for lead, reading in ordered:
        if original := texts.add(lead.key, reading.text):
            copies[lead.key] = f"a copy of {original}"
        elif whole := texts.whole_of(lead.key):
            copies[lead.key] = f"an excerpt of {whole}"
    model = TopicModel(largest=len(ordered))
    model.learn({lead.key: as_member(lead, reading) for lead, reading in ordered if lead.key not in copies})
    documents = [_judged(lead, reading, model, copies.get(lead.key, "")) for lead, reading in ordered]
    documents.sort(key=lambda document: (-document.chance, document.lead.key))
    return Selection(
        tuple(document for document in documents if not document.reason),
        tuple(document for document in documents if document.reason),
    )


def _judged(lead: CandidateUrl, reading: PageJudgement, model: TopicModel, copied: str) -> CollectedDocument:
    if copied:
        return CollectedDocument(lead, reading, 0.0, copied)
    chance = model.chance(lead.key)
    if chance >= 0.5 or (reading.on_topic is None and own_odds(reading.close) >= _SURE):
        return CollectedDocument(lead, reading, chance)
    return CollectedDocument(lead, reading, chance, f"off the topic (probability {chance:.2f})")
