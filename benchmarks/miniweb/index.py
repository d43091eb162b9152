"""What the mini web's search engine knows: BM25 over titles and openings, with the usual operators."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

import bm25s
import Stemmer

from soprag.benchmarks.miniweb.ground import Entry

_OPERATOR = re.compile(r'(-?)(site|filetype|ext|intitle|inurl):("[^"]*"|\S+)|(-?)"([^"]+)"|-(\w+)|(\S+)')
_WORD = re.compile(r"\w+")
SNIPPET = 28  # words
DEEPEST = 200  # results of one query, however many match


@dataclass(frozen=True)
class Result:
    """One result, before it has the form of an engine."""

    url: str
    title: str
    snippet: str
    form: str


@dataclass
class Wish:
    """A query taken apart."""

    words: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    marks: list[tuple[bool, str, str]] = field(default_factory=list)  # (forbidden, operator, value)

    def allows(self, entry: Entry) -> bool:
        """Whether the operators and quoted phrases let this entry through."""
        text = f"{entry.title} {entry.text}".lower()
        if any(phrase not in text for phrase in self.phrases) or any(word in text.split() for word in self.without):
            return False
        return all(_marked(entry, operator, value) != forbidden for forbidden, operator, value in self.marks)


@dataclass(frozen=True)
class Index:
    """Everything that can be found."""

    entries: list[Entry]

    def search(self, text: str, kind: str = "web") -> list[Result]:
        """All that match, best first."""
        wish = read(text)
        terms = [*wish.words, *(word for phrase in wish.phrases for word in _WORD.findall(phrase))]
        scores = self._scores(terms) if terms else [1.0] * len(self.entries)
        ranked = sorted(range(len(self.entries)), key=lambda number: (-scores[number], number))
        good = [number for number in ranked if scores[number] > 0 and self.entries[number].kind == kind]
        matching = [number for number in good if wish.allows(self.entries[number])][:DEEPEST]
        return [self._result(self.entries[number], terms) for number in matching]

    @cached_property
    def _bm25(self) -> bm25s.BM25:
        engine = bm25s.BM25()
        texts = [f"{entry.title} {entry.title} {entry.text}" for entry in self.entries]
        engine.index([_stems(text) for text in texts], show_progress=False)
        return engine

    def _scores(self, terms: list[str]) -> list[float]:
        present = [stem for stem in _stems(" ".join(terms)) if stem in self._bm25.vocab_dict]
        return [float(score) for score in self._bm25.get_scores(present)] if present else [0.0] * len(self.entries)

    def _result(self, entry: Entry, terms: list[str]) -> Result:
        plain = re.sub(r"[#|>*\[\]-]+", " ", entry.text).split()
        targets = {word.lower()[:5] for word in terms}
        position = next((position for position, word in enumerate(plain) if word.lower()[:5] in targets), 0)
        start = max(0, min(position - 4, len(plain) - SNIPPET))
        return Result(entry.url, entry.title, " ".join(plain[start : start + SNIPPET]), entry.form)


def read(text: str) -> Wish:
    """The words and the operators of a query; OR and AND are words that say nothing here."""
    wish = Wish()
    for match in _OPERATOR.finditer(text):
        minus, operator, value, minus_phrase, phrase, without, word = match.groups()
        if operator:
            wish.marks.append((bool(minus), operator, value.strip('"').lower()))
        elif phrase:
            (wish.without if minus_phrase else wish.phrases).append(phrase.lower())
        elif without:
            wish.without.append(without.lower())
        elif word not in ("OR", "AND", "|", "(", ")"):
            wish.words += _WORD.findall(word)
    return wish


def _marked(entry: Entry, operator: str, value: str) -> bool:
    match operator:
        case "site":
            host = urlsplit(entry.url).hostname or ""
            return host == value or host.endswith(f".{value}")
        case "filetype" | "ext":
            return entry.form == value or (value == "htm" and entry.form == "html")
        case "intitle":
            return value in entry.title.lower()
    return value in entry.url.lower()


def _stems(text: str) -> list[str]:
    stems: list[str] = Stemmer.Stemmer("english").stemWords(_WORD.findall(text.lower()))
    return stems
