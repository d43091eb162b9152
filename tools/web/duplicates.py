"""Texts that are the same but for what stands round them: mirrors, reprints, the same plan as PDF and as page.

Two texts are twins when at least 0.8 of their runs of five words are shared (Jaccard), or nearly all of the shorter
one stands in a longer one of about its length: a mirror with other menus. Sheets for two machines of a kind share most
of their words too, so texts that keep naming different machines (P-101, P-102) are never twins.

Every run of words points to its texts, which makes the comparison exact; a collection has thousands of texts at most.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from tools.sop import digest

_RUN = 5
_SAME = 0.8
_WITHIN = 0.92  # of the shorter text ...
_LENGTHS = 0.55  # ... when it has at least this share of the longer one's length
_NAME = re.compile(r"\b[A-Z]{1,6}[-_/ ]?\d{1,6}[A-Z]?\b")
_NAMED_OFTEN = 2


@dataclass(frozen=True)
class _Text:
    key: str
    runs: frozenset[int]
    names: frozenset[str]


@dataclass
class Duplicates:
    """The texts so far; the first of each kind is the one that counts."""

    _whole: dict[str, str] = field(default_factory=dict)
    _texts: list[_Text] = field(default_factory=list)
    _holding: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, key: str, text: str) -> str | None:
        """The key of an earlier text that this one repeats; else none, and it is kept."""
        words = re.findall(r"\w+", text.casefold())
        first = self._whole.setdefault(digest(" ".join(words)), key)
        if first != key:
            return first
        runs = frozenset(hash(tuple(words[at : at + _RUN])) for at in range(max(1, len(words) - _RUN + 1)))
        new = _Text(key, runs, _names(text))
        if twin := self._twin(new):
            return twin.key
        self._keep(new)
        return None

    def _twin(self, new: _Text) -> _Text | None:
        shared = Counter(at for run in new.runs for at in self._holding.get(run, ()))
        for at, count in shared.most_common(5):
            old = self._texts[at]
            if _repeats(count, len(old.runs), len(new.runs)) and not _differ(old.names, new.names):
                return old
        return None

    def _keep(self, new: _Text) -> None:
        for run in new.runs:
            self._holding[run].append(len(self._texts))
        self._texts.append(new)


def _repeats(shared: int, one: int, other: int) -> bool:
    short, long = sorted((one, other))
    return shared >= _SAME * (one + other - shared) or (shared >= _WITHIN * short and short >= _LENGTHS * long)


def _names(text: str) -> frozenset[str]:
    """What it names again and again: machines and places, and not the number of the form."""
    counts = Counter(re.sub(r"[-_/ ]", "", name) for name in _NAME.findall(text))
    return frozenset(name for name, count in counts.items() if count >= _NAMED_OFTEN)


def _differ(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one - other) and bool(other - one)
