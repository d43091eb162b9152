"""Search phrases: telegrams of states and steps, and else words of the title with others of the SOP."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, permutations
from random import Random

from soprag.tools.rules.questions.material import QuestionMaterial
from soprag.tools.rules.questions.telegrams import is_thing_word, name_in, telegrams
from soprag.tools.text.stop_words import SMALL, stop_words
from soprag.tools.text.terms import spaced, terms
from soprag.tools.text.words import words

_TOKEN = re.compile(r"[^\W_][\w-]*(?:['’]\w+)?|\d+")
_EMPTY_WORDS = """
additional document eop following following general guide how information instruction instructions introduction
manual mop must new note operating overview page please procedure procedures revision runbook section should sop
standard step steps two three four five six ten use used using version via may work checklist minute minutes
second seconds hour hours day days time times open close closed set check make sure first next last also yes
case need needed required getting started
"""
_EMPTY = SMALL | frozenset(_EMPTY_WORDS.split())
_TERM = re.compile(r"[A-ZÀ-Þ]?[^\W\d_A-ZÀ-Þ]{2,}(?:-[^\W\d_A-ZÀ-Þ]+)*|[A-Z]{2,6}s?")
# Contractions, numbers that name nothing, adverbs, and what is left of a split name: "Warning95".
_NOT_TYPED = re.compile(r"['’]|^\d{1,2}$|^\w{3,}ly$|^[A-Z][a-z]+\d+$")
_NOUN = re.compile(
    r"\b(?:the|an?|your|my|each|of) ([a-z][\w-]+|[A-Z]{2,})(?=$|[.,;]| (?:is|are|of|in|on|for|to|and|or)\b)"
)
_FEWEST = 3  # words of a phrase; at most five are drawn
_HEAVIEST = 12  # words of the SOP's sentences that are drawn from
_PHRASES = 16


@dataclass(frozen=True)
class Terms:
    """The content words of one SOP."""

    material: QuestionMaterial

    def phrases(self, random: Random) -> Iterator[tuple[str, int]]:
        """Search phrases with their ranks: what is the matter or to be done, and else words of the title with others.

        Who looks for a procedure types what comes to mind of it, and neither its title nor one of its sentences.
        """
        title, english = self._title(), self.material.language == "en"
        named = name_in(title) if english else []
        things = ([word for word in title if is_thing_word(word)] if english else []) or title
        for rank, about in enumerate((lambda: named, lambda: _some(things, 2, random))):
            for phrase in self._of_things(about, random):
                yield phrase, rank
        if english:
            for phrase, rank in telegrams(self.material, title):
                yield self._phrase(phrase.split()), rank + 2

    def _of_things(self, about: Callable[[], Sequence[str]], random: Random) -> Iterator[str]:
        """Phrases of words of the title and the nouns that the SOP has most often."""
        singles = self._singles()[:_HEAVIEST]
        for _ in range(_PHRASES):
            drawn = [*about(), *_some(singles, random.choice((1, 2)), random)]
            unique = {"".join(terms(word)): word for word in drawn}
            if len(unique) >= _FEWEST:
                yield self._phrase(self._apart(list(unique.values())))

    def _phrase(self, words: Sequence[str]) -> str:
        return " ".join(map(self._cased, words))

    def _apart(self, words: list[str]) -> list[str]:
        """The words in the first order in which fewest of them stand side by side as in a sentence of the SOP."""
        return min((list(order) for order in permutations(words)), key=self._quoted)

    def _quoted(self, order: Sequence[str]) -> int:
        return sum(pair in self._printed for pair in pairwise(terms(" ".join(order), SMALL)))

    @cached_property
    def _printed(self) -> frozenset[tuple[str, str]]:
        """The content words that stand side by side in the title or a sentence."""
        lines = [self.material.title, *(sentence.text for sentence in self.material.sentences)]
        return frozenset(pair for line in lines for pair in pairwise(terms(line, SMALL)))

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
        found = [word for word in _TOKEN.findall(text.replace("_", " ")) if not _NOT_TYPED.search(word)]
        return [word for word in found if word.casefold() not in self._empty]

    def _singles(self) -> list[str]:
        by_stem: dict[str, str] = {}
        nouns = {noun.lower() for sentence in self.material.sentences for noun in _NOUN.findall(sentence.text)}
        for sentence in self.material.sentences:
            for token in sentence.text.split():
                word = token.strip(".,;:!?\"'")
                if self._is_term(word) and (word.lower() in nouns or self.material.language != "en"):
                    by_stem.setdefault("".join(terms(word)), word)
        return sorted(by_stem.values(), key=lambda word: -self.material.weight(word))

    def _cased(self, word: str) -> str:
        """English common nouns in lower case; names, abbreviations and other languages as they are."""
        name = len(word) == 1 or any(not letter.islower() for letter in word[1:])
        return word if name or self.material.language != "en" else word.lower()

    def _is_term(self, word: str) -> bool:
        return bool(_TERM.fullmatch(word)) and not _NOT_TYPED.search(word) and word.casefold() not in self._empty

    @property
    def _empty(self) -> frozenset[str]:
        return _EMPTY if self.material.language == "en" else _EMPTY | stop_words(self.material.language)


def _some(words: Sequence[str], count: int, random: Random) -> list[str]:
    """At most `count` of the words, drawn, in their order."""
    return [words[index] for index in sorted(random.sample(range(len(words)), min(count, len(words))))]
