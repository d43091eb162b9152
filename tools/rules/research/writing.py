"""A report by rule: the best fact of every topic as the summary, under each topic its facts in their own words."""

from tools.llm.tasks.deepsearch import Fact, ReportAsk, ReportDraft, SectionDraft, SentenceDraft
from tools.questions.words import stems
from tools.rules.research.summarising import same

_SUMMARY = 4  # sentences


def write(ask: ReportAsk) -> ReportDraft:
    """Facts that say the same become one sentence with all their sources; nothing is rephrased."""
    kept = _merged(ask.facts)
    topics = list(dict.fromkeys(fact.topic for fact, _ in kept))
    sections = [
        SectionDraft(
            heading=topic,
            sentences=[SentenceDraft(text=fact.text, facts=ids) for fact, ids in kept if fact.topic == topic],
        )
        for topic in topics
    ]
    return ReportDraft(summary=_summary(ask.question, kept, topics), sections=sections)


def _merged(facts: list[Fact]) -> list[tuple[Fact, list[str]]]:
    kept: list[tuple[Fact, list[str]]] = []
    for fact in facts:
        twin = next((ids for other, ids in kept if same(fact.text, other.text)), None)
        if twin is None:
            kept.append((fact, [fact.id]))
        elif len(twin) < 6:
            twin.append(fact.id)
    return kept


def _summary(question: str, kept: list[tuple[Fact, list[str]]], topics: list[str]) -> list[SentenceDraft]:
    """For each topic the fact that shares most words with the question; none when there is but one section of few."""
    if len(kept) <= _SUMMARY:
        return []
    asked = set(stems(question))
    best = []
    for topic in topics[:_SUMMARY]:
        facts = [(fact, ids) for fact, ids in kept if fact.topic == topic]
        best.append(max(facts, key=lambda pair: len(asked.intersection(stems(pair[0].text)))))
    return [SentenceDraft(text=fact.text, facts=ids) for fact, ids in best]
