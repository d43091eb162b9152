"""Rule-based search phrases for a topic: the topic with kinds of procedures and with related terms."""

from soprag.tools.search.thesaurus import related
from soprag.tools.search.topic_words import bare
from soprag.tools.tasks.benchmark import Keywords, TopicAsk

_MOST = 12
_KINDS = (
    "standard operating procedure",
    "checklist",
    "emergency response",
    "maintenance procedure",
    "runbook",
    "alarm response",
)


def propose(ask: TopicAsk) -> Keywords:
    """At most 12 phrases that together cover the topic: the topic itself first, then its kinds and its synonyms."""
    topic = " ".join(ask.topic.split())
    subject = bare(topic)
    phrases = [topic, *(f"{subject} {kind}" for kind in _KINDS[:4])]
    synonyms = related(subject)
    phrases += [f"{synonym} procedure" for synonym in synonyms]
    phrases += [f"{subject} {kind}" for kind in _KINDS[4:]]
    unique: dict[str, str] = {}
    for phrase in phrases:
        unique.setdefault(_once(phrase).casefold(), _once(phrase))
    return Keywords(phrases=list(unique.values())[:_MOST])


def _once(phrase: str) -> str:
    """`phrase` without repeated words: "pump maintenance maintenance procedure" keeps one "maintenance"."""
    tokens = phrase.split()
    return " ".join(
        word for index, word in enumerate(tokens) if word.casefold() not in {w.casefold() for w in tokens[:index]}
    )
