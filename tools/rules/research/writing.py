"""A report by rule: the best fact of every topic as the summary, under each topic its facts in their own words."""

import re
from dataclasses import dataclass, field

from tools.llm.tasks.deepsearch import Fact, ReportAsk, ReportDraft, SectionDraft, SentenceDraft
from tools.questions.words import stems
from tools.rules.research.asking import BACKGROUND, kin, subject_of, wanted
from tools.rules.research.planning import sources_named
from tools.rules.research.summarising import is_row, leans, same

_BACK = re.compile(r"^(?:it|its|they|them|their|this|these|those|that|be)\s+", re.IGNORECASE)
_SUMMARY = 4  # sentences
_MOST = 6  # facts one sentence may cite


@dataclass
class Kept:
    """A fact that is said once, with all that say the same, and the topics they were found for."""

    fact: Fact
    ids: list[str]
    topics: list[str] = field(default_factory=list)


def write(ask: ReportAsk) -> ReportDraft:
    """Facts that say the same become one sentence with all their sources; nothing is rephrased."""
    kept = _merged(ask.facts)
    topics = list(dict.fromkeys(fact.topic for fact in ask.facts))
    places: dict[str, list[Kept]] = {topic: [] for topic in topics}
    for one in kept:
        places[_home(one, topics)].append(one)
    sections = [
        SectionDraft(heading=_heading(topic), sentences=[_sentence(one) for one in facts])
        for topic, facts in places.items()
        if facts
    ]
    return ReportDraft(summary=_summary(ask.question, kept, places), sections=sections)


def _merged(facts: list[Fact]) -> list[Kept]:
    kept: list[Kept] = []
    for fact in facts:
        twin = next((one for one in kept if same(fact.text, one.fact.text)), None)
        if twin is None:
            kept.append(Kept(fact, [fact.id], [fact.topic]))
        else:
            twin.topics.append(fact.topic)
            twin.ids += [fact.id] if len(twin.ids) < _MOST else []
    return kept


def _home(one: Kept, topics: list[str]) -> str:
    """Of the topics it was found for, the one whose own words it has most of; of equals, the first of the question."""
    words = set(stems(one.fact.text))

    def fit(topic: str) -> tuple[float, bool, int]:
        others = {stem for other in topics if other != topic for stem in stems(other)}
        own = set(stems(topic)) - others
        met = sum(bool(kin(stem) & words) for stem in own)
        return met / max(len(own), 1), not topic.startswith(BACKGROUND), -topics.index(topic)

    return max(one.topics, key=fit)


def _heading(topic: str) -> str:
    """The query without the words that only make it a question, as a heading."""
    bare = topic.partition(" (")[0].strip(" ?.")
    if bare.startswith(f"{BACKGROUND}:"):
        return BACKGROUND
    if sources_named(bare):
        return sources_named(bare)
    subject = _BACK.sub("", subject_of(bare))
    return subject[:1].upper() + subject[1:] if subject else bare


def _sentence(one: Kept) -> SentenceDraft:
    return SentenceDraft(text=one.fact.text, facts=one.ids)


def _summary(question: str, kept: list[Kept], places: dict[str, list[Kept]]) -> list[SentenceDraft]:
    """For each topic the sentence that takes up most of the question; none when there are few sentences anyway."""
    if len(kept) <= _SUMMARY:
        return []
    asked = set(wanted(question))

    def worth(one: Kept) -> float:
        words = set(stems(one.fact.text))
        # Words of the question, a little less for the longer sentence; rows and sentences that lean come last.
        score = len(asked & words) / (len(words) + 12) ** 0.5
        return float(score) * (0.5 if is_row(one.fact.text) or leans(one.fact.text) else 1.0)

    best = [max(facts, key=worth) for facts in places.values() if facts]
    return [_sentence(one) for one in best if worth(one)][:_SUMMARY]
