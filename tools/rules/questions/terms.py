"""Keyword queries: two to six content words of an SOP."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from soprag.tools.rules.questions.material import QuestionMaterial
from soprag.tools.sop import digest
from soprag.tools.text.stop_words import SMALL, stop_words
from soprag.tools.text.terms import spaced, terms
from soprag.tools.text.words import words

_TOKEN = re.compile(r"[^\W_][\w-]*(?:['’]\w+)?|\d+")
_EMPTY_WORDS = """
additional document eop following following general guide how information instruction instructions introduction
manual mop must new note operating overview page please procedure procedures revision runbook section should sop
standard step steps two three four five six ten use used using version via may work checklist minute minutes
second seconds hour hours day days time times open close closed set check make sure first next last also yes
case need needed required
"""
_EMPTY = SMALL | frozenset(_EMPTY_WORDS.split())
_TERM = re.compile(r"[A-ZÀ-Þ]?[^\W\d_A-ZÀ-Þ]{2,}(?:-[^\W\d_A-ZÀ-Þ]+)*|[A-Z]{2,6}s?")
_FEWEST, _MOST = 3, 6  # words of a phrase


@dataclass(frozen=True)
class Terms:
    """The content words of one SOP."""

    material: QuestionMaterial

    def phrases(self) -> Iterator[str]:
        """Search phrases, best first: what is seen, then title words with content words of the text, then parts.

        Who looks for a procedure types what he sees, and seldom the title; an SOP without an observable state gets its
        title's words.
        """
        for state in self.material.states:
            seen = self._telling(state.text)
            if state.odd and len(seen) >= _FEWEST:
                yield self._joined(seen)
        title = self._title()
        taken = set(terms(" ".join(title)))
        pairs = [pair for pair in self._pairs() if not set(terms(" ".join(pair))) & taken]
        singles = [word for word in self._singles() if not set(terms(word)) & taken]
        yield from self._with_name(title, [*pairs[:2], *((word,) for word in singles[:2])])
        if len(title) >= 3:
            yield self._joined(title)
        for extra in [*pairs[:4], *((word,) for word in singles[:6])]:
            yield self._joined([*title[:4], *extra])
        for heading in self.material.headings:
            heading_terms = self._telling(heading)
            if 2 <= len(heading_terms) <= 4 and heading_terms != title:
                yield self._joined([*title[:2], *heading_terms])
        for first, second in pairwise(singles):
            yield self._joined([*title[:1], first, second])

    def _with_name(self, title: list[str], extras: list[tuple[str, ...]]) -> Iterator[str]:
        """For a one-word alert name, phrases that quote it; a digest of the name selects three alerts in four."""
        name = self.material.title.strip()
        if len(name.split()) == 1 and len(title) > 1 and int(digest(name)[:2], 16) % 4:
            yield from (f"{name} {' '.join(extra)}" for extra in extras)

    def _title(self) -> list[str]:
        """The content words of the title; a compound name is split unless the text contains it joined."""
        text_words = {word for sentence in self.material.sentences for word in words(sentence.text)}
        joined: list[str] = []
        for part in self._telling(spaced(self.material.title)):
            if joined and (joined[-1] + part).casefold() in text_words:
                joined[-1] += part
            else:
                joined.append(part)
        return joined

    def _telling(self, text: str) -> list[str]:
        return [word for word in _TOKEN.findall(text.replace("_", " ")) if word.casefold() not in self._empty]

    def _pairs(self) -> list[tuple[str, ...]]:
        """Pairs of adjacent content words that occur at least twice, the most frequent first."""
        counts: Counter[tuple[str, ...]] = Counter()
        for sentence in self.material.sentences:
            for first, second in pairwise(sentence.text.split()):
                after = second.rstrip(".,;:")
                if self._is_term(first) and self._is_term(after):
                    counts[self._cased(first), self._cased(after)] += 1
        often = [pair for pair, count in counts.items() if count > 1]
        return sorted(often, key=lambda pair: -counts[pair] * 10 - self.material.weight(" ".join(pair)))

    def _singles(self) -> list[str]:
        by_stem: dict[str, str] = {}
        for sentence in self.material.sentences:
            for token in sentence.text.split():
                word = token.strip(".,;:!?\"'")
                if self._is_term(word):
                    by_stem.setdefault("".join(terms(word)), word)
        return sorted(by_stem.values(), key=lambda word: -self.material.weight(word))

    def _joined(self, parts: Sequence[str]) -> str:
        unique: list[str] = []
        for word in parts:
            if not any(terms(word) == terms(chosen) for chosen in unique):
                unique.append(word)
        return " ".join(self._cased(word) for word in unique[:_MOST])

    def _cased(self, word: str) -> str:
        """English common nouns in lower case; names, abbreviations and other languages as they are."""
        name = len(word) == 1 or any(not letter.islower() for letter in word[1:])
        return word if name or self.material.language != "en" else word.lower()

    def _is_term(self, word: str) -> bool:
        return bool(_TERM.fullmatch(word)) and word.casefold() not in self._empty

    @property
    def _empty(self) -> frozenset[str]:
        return _EMPTY if self.material.language == "en" else _EMPTY | stop_words(self.material.language)
