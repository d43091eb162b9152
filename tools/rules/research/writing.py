"""Rule-based report: one section per topic with its facts verbatim, and the best fact of each topic as summary.

Steps of a procedure that the program prints whole are not repeated.
"""

from dataclasses import dataclass, field

from soprag.tools.rules.research.planning import sources_named
from soprag.tools.rules.research.subject import equivalent_stems, wanted
from soprag.tools.rules.research.summarising import is_row, leans, same
from soprag.tools.tasks.deepsearch import (
    Fact,
    ReportAsk,
    ReportDraft,
    RestateAsk,
    Restatements,
    SectionDraft,
    SentenceDraft,
)
from soprag.tools.text.terms import terms

_SUMMARY = 4  # sentences
_MOST = 6  # facts one sentence may cite


@dataclass
class MergedFact:
    """A fact merged with its near duplicates: their ids and the topics they were found for."""

    fact: Fact
    ids: list[str]
    topics: list[str] = field(default_factory=list)


def write(ask: ReportAsk) -> ReportDraft:
    """Near-duplicate facts become one sentence with all their sources; the wording is unchanged."""
    facts = [fact for fact in ask.facts if not fact.procedure]
    entries = _merged(facts)
    topics = list(dict.fromkeys(fact.topic for fact in facts))
    by_topic: dict[str, list[MergedFact]] = {topic: [] for topic in topics}
    for entry in entries:
        by_topic[_home(entry, topics)].append(entry)
    sections = [
        SectionDraft(heading=_heading(topic), sentences=[_sentence(entry) for entry in facts])
        for topic, facts in by_topic.items()
        if facts
    ]
    return ReportDraft(summary=_summary(ask.question, entries, by_topic), sections=sections)


def restate(ask: RestateAsk) -> Restatements:
    """Nothing: the rules write verbatim lines only, and word none of them anew."""
    return Restatements(statements=[])


def _merged(facts: list[Fact]) -> list[MergedFact]:
    entries: list[MergedFact] = []
    for fact in facts:
        twin = next((entry for entry in entries if same(fact.text, entry.fact.text)), None)
        if twin is None:
            entries.append(MergedFact(fact, [fact.id], [fact.topic]))
        else:
            twin.topics.append(fact.topic)
            twin.ids += [fact.id] if len(twin.ids) < _MOST else []
    return entries


def _home(entry: MergedFact, topics: list[str]) -> str:
    """The topic whose distinctive stems the fact covers best; ties go to the earlier topic."""
    fact_stems = set(terms(entry.fact.text))

    def fit(topic: str) -> tuple[float, int]:
        others = {stem for rival in topics if rival != topic for stem in terms(rival)}
        distinctive = set(terms(topic)) - others
        met = sum(bool(equivalent_stems(stem) & fact_stems) for stem in distinctive)
        return met / max(len(distinctive), 1), -topics.index(topic)

    return max(entry.topics, key=fit)


def _heading(topic: str) -> str:
    """The kinds of source that a query asks for, or the query itself, as a heading."""
    query = topic.partition(" (")[0].strip(" ?.")
    return sources_named(query) or query[:1].upper() + query[1:]


def _sentence(entry: MergedFact) -> SentenceDraft:
    return SentenceDraft(text=entry.fact.text, facts=entry.ids)


def _summary(question: str, entries: list[MergedFact], by_topic: dict[str, list[MergedFact]]) -> list[SentenceDraft]:
    """For each topic the sentence that covers the question best; empty for a report of few sentences."""
    if len(entries) <= _SUMMARY:
        return []
    question_stems = set(wanted(question))

    def relevance(entry: MergedFact) -> float:
        fact_stems = set(terms(entry.fact.text))
        # Overlap with the question, damped by length; table rows and dependent sentences count half.
        score = len(question_stems & fact_stems) / (len(fact_stems) + 12) ** 0.5
        return float(score) * (0.5 if is_row(entry.fact.text) or leans(entry.fact.text) else 1.0)

    best = [max(facts, key=relevance) for facts in by_topic.values() if facts]
    return [_sentence(entry) for entry in best if relevance(entry)][:_SUMMARY]
