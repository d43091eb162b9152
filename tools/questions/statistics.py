"""Text statistics of a set of questions: word overlap with the procedure, repeated sentences."""

from collections import Counter
from collections.abc import Sequence

from soprag.tools.text.sentences import sentences
from soprag.tools.text.stop_words import SMALL
from soprag.tools.text.terms import terms
from soprag.tools.text.words import normalised


def overlap(question: str, title: str, text: str) -> float:
    """The share, 0 to 1, of the content words of `question` that title or text of its SOP have too."""
    stems = set(terms(question, SMALL))
    return len(stems & set(terms(f"{title} {text}"))) / max(len(stems), 1)


def repeated_sentences(texts: Sequence[str]) -> list[tuple[int, int]]:
    """For each text the number of its sentences, and how many of them another text has or the same text has again."""
    split = [[normalised(sentence) for sentence in sentences(text)] for text in texts]
    counts = Counter(sentence for each in split for sentence in each)
    return [(len(each), sum(counts[sentence] > 1 for sentence in each)) for each in split]
