"""Search phrases by rule: the subject of the subtask, and a word that the kind of source is called by."""

import re
from collections import Counter

from tools.llm.tasks.deepsearch import PhrasesAsk, SearchPhrases
from tools.questions.words import SMALL, stems, words
from tools.rules.research.asking import subject_of

_MOST = 12  # words; longer phrases find less, and some engines cut them
_LEARNED = 3  # words taken over from what other subtasks found
_SAID = {
    "images": re.compile(r"\b(?:diagrams?|drawings?|schematics?|photos?|pictures?|images?)\b", re.IGNORECASE),
    "patents": re.compile(r"\bpatents?\s+(?:on|for|about)\s+", re.IGNORECASE),
    "scholar": re.compile(r"\b(?:scientific\s+)?(?:literature|articles?|studies)\s+(?:on|about)\s+", re.IGNORECASE),
}


def phrase(ask: PhrasesAsk) -> SearchPhrases:
    """One phrase, and a second with what the subtasks before it found out, if there are any."""
    subject = subject_of(ask.query)
    # A patent database holds nothing but patents: there the word only gets in the way. Of pictures it says which.
    topic = subject if ask.looking_for == "images" else _strip(ask.looking_for, subject)
    first = _short(topic) or _short(ask.query) or ask.query
    learned = _learned(ask)
    return SearchPhrases(phrases=[first, f"{first} {' '.join(learned)}"] if learned else [first])


def _strip(kind: str, subject: str) -> str:
    pattern = _SAID.get(kind)
    return pattern.sub("", subject) if pattern else subject


def _short(text: str) -> str:
    content_words = [word for word in text.replace("(", " ").replace(")", " ").split() if word.casefold() not in SMALL]
    return " ".join(content_words[:_MOST])


def _learned(ask: PhrasesAsk) -> list[str]:
    """The words that come back in the findings and are not asked for yet."""
    query_stems = set(stems(ask.query))
    counts = Counter(word for word in words(ask.context) if word not in SMALL and len(word) > 3 and word.isalpha())
    new = [word for word, count in counts.most_common(30) if count > 1 and not query_stems & set(stems(word))]
    return new[:_LEARNED]
