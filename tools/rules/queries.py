"""Search queries for collecting: from the topic at first, later from frequent terms in the titles of kept documents."""

import re
from collections import Counter
from collections.abc import Iterator

from soprag.tools.rules import keywords
from soprag.tools.search.topic_words import bare, subject
from soprag.tools.tasks.benchmark import TopicAsk
from soprag.tools.tasks.collecting import Queries, QueriesAsk
from soprag.tools.text.stop_words import CONNECTIVES

_GENERIC = """
new your our standard operating procedure procedures sop work instruction instructions checklist document record page
pdf docx version revision rev draft copy part section chapter annex appendix no number
"""
_STOP = CONNECTIVES | frozenset(_GENERIC.split())
_KINDS = ("procedure", "standard operating procedure", "work instruction", "checklist")


def propose(ask: QueriesAsk) -> Queries:
    """Queries from the topic, or, once documents are kept, from the most frequent terms of their titles."""
    fresh = _learned(ask.titles) if ask.titles else _planned(ask.topic)
    previous = [_words(query) for query in ask.asked]
    chosen: list[str] = []
    for query in fresh:
        word_set = _words(query)
        if word_set and not any(_alike(word_set, earlier) for earlier in previous):
            previous.append(word_set)
            chosen.append(query)
    return Queries(queries=chosen[: ask.wanted])


def _planned(topic: str) -> list[str]:
    """Phrases for the topic, and two that look for pages with lists of procedures."""
    first, *others = keywords.propose(TopicAsk(topic=topic)).phrases
    name = subject(bare(topic))
    return [first, f"{name} procedures library", f"{name} work instructions register", *others]


def _learned(titles: list[str]) -> list[str]:
    """Queries from titles: equipment names first (they precede a tag such as P-204), then the most frequent terms."""
    things = Counter(thing for title in titles for thing in set(_things(title)))
    terms = Counter(term for title in titles for term in set(_terms(title)))
    best = _ranked(things) + [term for term in _ranked(terms) if term not in things]
    return [f"{' '.join(term)} {_KINDS[index % len(_KINDS)]}" for index, term in enumerate(best)]


def _ranked(counts: Counter[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return sorted(counts, key=lambda term: (-counts[term], -len(term), term))


def _things(title: str) -> Iterator[tuple[str, ...]]:
    """The words immediately before a tag, back to the nearest stop word."""
    run: list[str] = []
    for word in _split(title):
        if any(sign.isdigit() for sign in word):
            if run:
                yield tuple(run[-3:])
            run = []
        elif word in _STOP or not word[0].isalnum():
            run = []
        else:
            run.append(word)


def _terms(title: str) -> Iterator[tuple[str, ...]]:
    """Runs of two or three words between stop words and tags."""
    run: list[str] = []
    for word in [*_split(title), "."]:
        if word in _STOP or not word[0].isalnum() or any(sign.isdigit() for sign in word):
            if len(run) > 1:
                yield tuple(run[-3:])
            run = []
        else:
            run.append(word)


def _split(title: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:-[^\W_]+)*|[^\w\s]", title.casefold())


def _words(query: str) -> frozenset[str]:
    return frozenset(word.rstrip("s") for word in re.findall(r"\w+", query.casefold()) if word not in _STOP)


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return len(first & second) > 0.75 * len(first | second)
