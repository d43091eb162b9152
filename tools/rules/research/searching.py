"""Rule-based search phrases for a subtask: its subject, and a variant with frequent words of earlier findings."""

import re
from collections import Counter

from soprag.tools.rules.research.subject import noun_phrase, subject_of
from soprag.tools.tasks.deepsearch import PhrasesAsk, SearchPhrases
from soprag.tools.text.stop_words import SMALL
from soprag.tools.text.terms import terms
from soprag.tools.text.words import words

_MOST = 12  # words; longer phrases find less, and some engines cut them
_LEARNED = 3  # words added from the findings of other subtasks
_SAID = {
    "images": re.compile(r"\b(?:diagrams?|drawings?|schematics?|photos?|pictures?|images?)\b", re.IGNORECASE),
    "patents": re.compile(r"\bpatents?\s+(?:on|for|about)\s+", re.IGNORECASE),
    "scholar": re.compile(r"\b(?:scientific\s+)?(?:literature|articles?|studies)\s+(?:on|about)\s+", re.IGNORECASE),
}


def phrase(ask: PhrasesAsk) -> SearchPhrases:
    """The subject, the thing it is about, and a phrase with frequent words of earlier findings."""
    subject = subject_of(ask.query)
    # In a patent database the word "patent" matches everything; for pictures the word names the kind of picture.
    topic = subject if ask.looking_for == "images" else _strip(ask.looking_for, subject)
    first = _short(topic) or _short(ask.query) or ask.query
    thing = _short(noun_phrase(topic))
    learned = _learned(ask)
    phrases = [first, *([thing] if thing else []), *([f"{first} {' '.join(learned)}"] if learned else [])]
    return SearchPhrases(phrases=list(dict.fromkeys(phrases)))


def _strip(kind: str, subject: str) -> str:
    pattern = _SAID.get(kind)
    return pattern.sub("", subject) if pattern else subject


def _short(text: str) -> str:
    content_words = [word for word in text.replace("(", " ").replace(")", " ").split() if word.casefold() not in SMALL]
    return " ".join(content_words[:_MOST])


def _learned(ask: PhrasesAsk) -> list[str]:
    """Words that occur more than once in the findings and are not in the query."""
    query_stems = set(terms(ask.query))
    counts = Counter(word for word in words(ask.context) if word not in SMALL and len(word) > 3 and word.isalpha())
    new = [word for word, count in counts.most_common(30) if count > 1 and not query_stems & set(terms(word))]
    return new[:_LEARNED]
