"""The specific words of a topic, and how well a text covers them."""

import re
from collections import Counter
from collections.abc import Mapping

_EVERYWHERE = """
standard operating operation operations maintenance procedure procedures manual manuals checklist guide work instruction
instructions emergency system systems equipment safety management services service general industrial plan and of the
for with
"""
_COMMON = frozenset(_EVERYWHERE.split())


def bare(topic: str) -> str:
    """`topic` without words for procedures, such as SOP, manual and checklist."""
    rest = re.sub(
        r"\b(?:standard operating|sops?|procedures?|runbooks?|checklists?|manuals?|guides?)\b", " ", topic, flags=re.I
    )
    return " ".join(rest.split()) or topic


def times(topic: str, text: str) -> dict[str, int]:
    """Occurrences in `text` of each specific word of the topic, morphological variants included."""
    text_counts = Counter(word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2)
    topic_words = {word for word in re.findall(r"\w+", topic.casefold()) if len(word) > 2 and word not in _COMMON}
    return {word: _times(word, text_counts) for word in sorted(topic_words)}


def coverage(counts: Mapping[str, int], often: int = 1) -> float:
    """The length-weighted share of a topic's words; a word with fewer than `often` occurrences counts in part."""
    covered = sum(len(word) * min(1.0, count / often) for word, count in counts.items())
    return covered / max(1, sum(map(len, counts)))


def subject(topic: str) -> str:
    """The topic without generic words such as operation and equipment."""
    return " ".join(word for word in topic.split() if word.casefold() not in _COMMON) or topic


def _times(word: str, text_counts: Counter[str]) -> int:
    """Occurrences of `word` and its variants: pump and pumps, sterile and sterilisation."""
    return sum(count for candidate, count in text_counts.items() if _kin(word, candidate))


def _kin(word: str, candidate: str) -> bool:
    short = min(len(word), len(candidate))
    return word == candidate or (short > 3 and _shared(word, candidate) >= max(4, 0.8 * short))


def _shared(word: str, candidate: str) -> int:
    """The length of the common prefix."""
    return next(
        (index for index, (a, b) in enumerate(zip(word, candidate, strict=False)) if a != b),
        min(len(word), len(candidate)),
    )
