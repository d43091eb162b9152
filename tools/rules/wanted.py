"""Is a page a procedure and on the topic? By the rule for procedures, and by how much of the topic it speaks of."""

import re
from collections import Counter
from collections.abc import Mapping

from tools.llm.tasks.benchmark import MarkdownAsk
from tools.llm.tasks.collecting import Wanted, WantedAsk
from tools.rules import filter
from tools.rules.keywords import bare

_LEAST = 0.34  # of the topic's words, weighted by their length, that a page on it names
_EVERYWHERE = """
standard operating operation operations maintenance procedure procedures manual manuals checklist guide work instruction
instructions emergency system systems equipment safety management services service general industrial plan and of the
for with
"""
_COMMON = frozenset(_EVERYWHERE.split())


def judge(ask: WantedAsk) -> Wanted:
    """The verdict of the filter, and the share of the topic's own words that the page names."""
    verdict = filter.judge(MarkdownAsk(name=ask.name, markdown=ask.text))
    share = coverage(times(bare(ask.topic), f"{ask.name}\n{ask.text}"))
    return Wanted(
        is_procedure=verdict.is_sop,
        on_topic=share >= _LEAST,
        reason=f"{verdict.reason} It names {share:.0%} of the topic's words.",
    )


def times(topic: str, text: str) -> dict[str, int]:
    """How often `text` names each of the topic's own words, or one of its family."""
    said = Counter(word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2)
    words = {word for word in re.findall(r"\w+", topic.casefold()) if len(word) > 2 and word not in _COMMON}
    return {word: _times(word, said) for word in sorted(words)}


def coverage(named: Mapping[str, int], often: int = 1) -> float:
    """The share of a topic's words that are named `often` times or more, long words counting for more."""
    said = sum(len(word) * min(1.0, count / often) for word, count in named.items())
    return said / max(1, sum(map(len, named)))


def subject(topic: str) -> str:
    """The topic without the words that every field shares, such as operation and equipment."""
    return " ".join(word for word in topic.split() if word.casefold() not in _COMMON) or topic


def _times(word: str, said: Counter[str]) -> int:
    """How often a word of its family is said: pump and pumps, sterile and sterilisation."""
    return sum(count for other, count in said.items() if _kin(word, other))


def _kin(one: str, other: str) -> bool:
    short = min(len(one), len(other))
    return one == other or (short > 3 and _shared(one, other) >= max(4, 0.8 * short))


def _shared(one: str, other: str) -> int:
    """How many signs both begin with."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
