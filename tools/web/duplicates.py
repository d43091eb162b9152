"""Near-duplicate detection by word shingles: mirrors, reprints, the same plan as PDF and as HTML.

Two texts are near duplicates when the Jaccard similarity of their five-word shingles is at least 0.8, or when at least
0.92 of the shingles of the shorter text occur in a longer text of similar length (a mirror with other menus). Sheets
for two machines of one type share most of their words, so texts that repeatedly name different machines (P-101, P-102)
are never near duplicates.

An inverted index from shingle to texts makes the comparison exact; a collection has thousands of texts at most.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from soprag.tools.sop import digest

_SHINGLE = 5  # words
_JACCARD = 0.8
_CONTAINED = 0.92  # share of the shorter text's shingles ...
_LENGTHS = 0.55  # ... where the lengths have at least this ratio
_EXCERPT = 0.8  # share of its shingles that an excerpt has in common with the whole
_IDENTIFIER = re.compile(r"\b[A-Z]{1,6}[-_/ ]?\d{1,6}[A-Z]?\b")
_MENTIONS = 2


@dataclass(frozen=True)
class _Text:
    key: str
    shingles: frozenset[int]
    identifiers: frozenset[str]


@dataclass
class Duplicates:
    """The distinct texts added so far; of a group of near duplicates the first one is stored."""

    _by_digest: dict[str, str] = field(default_factory=dict)
    _texts: list[_Text] = field(default_factory=list)
    _postings: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, key: str, text: str) -> str | None:
        """The key of an earlier text that this one duplicates; None for a new text, which is stored."""
        tokens = re.findall(r"\w+", text.casefold())
        first = self._by_digest.setdefault(digest(" ".join(tokens)), key)
        if first != key:
            return first
        starts = range(max(1, len(tokens) - _SHINGLE + 1))
        shingles = frozenset(hash(tuple(tokens[start : start + _SHINGLE])) for start in starts)
        new = _Text(key, shingles, _identifiers(text))
        if duplicate := self._duplicate_of(new):
            return duplicate.key
        self._store(new)
        return None

    def whole_of(self, key: str) -> str | None:
        """The key of an earlier, longer text that contains most of the text stored last, of this key."""
        new = self._texts[-1]
        assert new.key == key
        shared = Counter(index for shingle in new.shingles for index in self._postings[shingle])
        for index, count in sorted(shared.items()):
            old = self._texts[index]
            if old is not new and count >= _EXCERPT * len(new.shingles) and len(old.shingles) > len(new.shingles):
                return old.key
        return None

    def _duplicate_of(self, new: _Text) -> _Text | None:
        shared = Counter(index for shingle in new.shingles for index in self._postings.get(shingle, ()))
        for index, count in shared.most_common(5):
            old = self._texts[index]
            if _overlap(count, len(old.shingles), len(new.shingles)) and not _differ(old.identifiers, new.identifiers):
                return old
        return None

    def _store(self, new: _Text) -> None:
        for shingle in new.shingles:
            self._postings[shingle].append(len(self._texts))
        self._texts.append(new)


def _overlap(shared: int, first: int, second: int) -> bool:
    short, long = sorted((first, second))
    jaccard = shared >= _JACCARD * (first + second - shared)
    return jaccard or (shared >= _CONTAINED * short and short >= _LENGTHS * long)


def _identifiers(text: str) -> frozenset[str]:
    """Equipment identifiers that occur at least twice; a form number occurs once."""
    counts = Counter(re.sub(r"[-_/ ]", "", name) for name in _IDENTIFIER.findall(text))
    return frozenset(name for name, count in counts.items() if count >= _MENTIONS)


def _differ(first: frozenset[str], second: frozenset[str]) -> bool:
    return bool(first - second) and bool(second - first)
