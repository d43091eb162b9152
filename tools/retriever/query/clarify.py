"""Clarifying question between near-duplicate hits: type A or B, warning or critical, pump 1 or pump 2."""

import re
from collections.abc import Mapping, Sequence

from soprag.tools.retriever.index.content import Content
from soprag.tools.retriever.query.query import Query
from soprag.tools.retriever.query.results import RankedHit
from soprag.tools.text.terms import spaced, terms

_MOST = 4  # hits that one question can tell apart
_ALIKE = 0.5  # share of the words of their titles that twins have in common
_SHARE = 3.0  # a difference in confidence counts so much more than one in score
_BRACKETS = re.compile(r"\([^)]*\)")  # bracketed text explains a title and does not distinguish it
_JOINT = re.compile(rf"[-/_.]|{_BRACKETS.pattern}")

Contents = Mapping[str, Content]  # by id


def separate(query: Query, hits: Sequence[RankedHit], contents: Contents, margin: float) -> str:
    """The clarifying question for near-duplicate first hits; empty when there are none, or the question decides.

    Twins have titles that differ by a few words, or entities that differ by the value of one attribute.
    """
    alike = near_duplicates(hits, margin)
    if len(alike) < 2:
        return ""
    return _by_title(alike, query) or _by_attribute(alike, contents, set(query.terms))


def near_duplicates(hits: Sequence[RankedHit], margin: float) -> list[RankedHit]:
    """The first hit and its near duplicates: a score within `margin` and a similar title.

    A hit also counts as near when its confidence differs by at most `margin` / 3: then the question does not
    discriminate between them, whatever their scores.
    """
    first = hits[0]
    near = [hit for hit in hits[1:_MOST] if _distance(first, hit) <= margin]
    return [first, *(hit for hit in near if _alike(first.title, hit.title) >= _ALIKE)]


def _distance(first: RankedHit, hit: RankedHit) -> float:
    return min(first.score - hit.score, _SHARE * abs(first.confidence - hit.confidence))


def _alike(title: str, second: str) -> float:
    mine, theirs = set(terms(_words(title))), set(terms(_words(second)))
    return len(mine & theirs) / max(len(mine | theirs), 1)


def _words(title: str) -> str:
    """The title with its identifiers split: AHU-1 and AHU-2 share one of two words."""
    return _JOINT.sub(" ", spaced(title))


def _by_attribute(twins: Sequence[RankedHit], contents: Contents, question_terms: set[str]) -> str:
    """Asks for an attribute that every twin has with a different value, none of them in the question."""
    for (name, attribute), values in _values(twins, contents).items():
        answered = any(question_terms & set(terms(value)) for value in values)
        if len(values) == len(twins) and len({value.casefold() for value in values}) == len(twins) and not answered:
            return f"Which {attribute} has {name}: {_either(values)}?"
    return ""


def _values(twins: Sequence[RankedHit], contents: Contents) -> dict[tuple[str, str], list[str]]:
    values: dict[tuple[str, str], list[str]] = {}
    for hit in twins:
        for entity in contents[hit.sop].views.entity.entities:
            for attribute, value in entity.attributes.items():
                values.setdefault((entity.name, attribute), []).append(value)
    return values


def _by_title(twins: Sequence[RankedHit], query: Query) -> str:
    """Asks for the words of each title that the others lack."""
    titles = [_BRACKETS.sub("", spaced(hit.title)).split() for hit in twins]
    if len({" ".join(title) for title in titles}) < len(titles):
        titles = [spaced(hit.title).split() for hit in twins]
    shared = set.intersection(*({_bare(word) for word in title} for title in titles))
    distinctions = [_own(title, shared) for title in titles]
    question_terms, text = set(query.terms), f" {' '.join(map(_bare, query.text.split()))} "
    common = set.intersection(*(set(terms(" ".join(title))) for title in titles))
    answered = any(
        question_terms & (set(terms(phrase)) - common) or f" {phrase.casefold()} " in text
        for phrase in distinctions
        if phrase
    )
    if answered or len(set(distinctions)) < len(distinctions):
        return ""
    choices = [phrase or hit.title for phrase, hit in zip(distinctions, twins, strict=True)]
    return f"Which of these is it: {_either(choices)}?"


def _own(title: Sequence[str], shared: set[str]) -> str:
    """The words that only this title has; a single letter or number with the word before it, as in `Type A`."""
    positions = [position for position, word in enumerate(title) if _bare(word) not in shared and _bare(word)]
    if len(positions) == 1 and positions[0] and len(_bare(title[positions[0]])) <= 2:
        positions = [positions[0] - 1, positions[0]]
    return " ".join(title[position] for position in positions).strip(" :,;-")


def _bare(word: str) -> str:
    return word.strip("()[]:,;.?!\"'-").casefold()


def _either(choices: Sequence[str]) -> str:
    return f"{', '.join(choices[:-1])} or {choices[-1]}"
