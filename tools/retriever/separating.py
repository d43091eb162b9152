"""The one question that tells the first hits apart: type A or B, warning or critical, pump 1 or pump 2."""

from collections.abc import Sequence

from tools.retriever.found import RankedHit
from tools.retriever.index import Index
from tools.retriever.question import Asked
from tools.retriever.terms import spaced, terms

_MOST = 4  # hits that one question can tell apart
_ALIKE = 0.5  # share of the words of their titles that twins have in common


def separate(asked: Asked, hits: Sequence[RankedHit], index: Index, margin: float) -> str:
    """What to ask when the first hits are twins; empty when they are not, or it was said.

    Twins have titles that differ by a few words, or entities that differ by the value of one attribute.
    """
    alike = twins(hits, margin)
    if len(alike) < 2:
        return ""
    said = set(asked.terms)
    return _by_attribute(alike, index, said) or _by_title(alike, said)


def twins(hits: Sequence[RankedHit], margin: float) -> list[RankedHit]:
    """The first hit, and those that score within `margin` of it under nearly the same title."""
    near = [hit for hit in hits[:_MOST] if hits[0].score - hit.score <= margin]
    return [near[0], *(hit for hit in near[1:] if _alike(near[0].title, hit.title) >= _ALIKE)]


def _alike(one: str, other: str) -> float:
    mine, theirs = set(terms(spaced(one))), set(terms(spaced(other)))
    return len(mine & theirs) / max(len(mine | theirs), 1)


def _by_attribute(twins: Sequence[RankedHit], index: Index, said: set[str]) -> str:
    """An attribute that the entities of every twin have, each with another value that the question does not say."""
    for (name, attribute), values in _values(twins, index).items():
        told = any(said & set(terms(value)) for value in values)
        if len(values) == len(twins) and len({value.casefold() for value in values}) == len(twins) and not told:
            return f"Which {attribute} has {name}: {_either(values)}?"
    return ""


def _values(twins: Sequence[RankedHit], index: Index) -> dict[tuple[str, str], list[str]]:
    values: dict[tuple[str, str], list[str]] = {}
    for hit in twins:
        for entity in index.views(hit.sop).entity.entities:
            for attribute, value in entity.attributes.items():
                values.setdefault((entity.name, attribute), []).append(value)
    return values


def _by_title(twins: Sequence[RankedHit], said: set[str]) -> str:
    """The words of each title that not all of them share."""
    words = [spaced(hit.title).split() for hit in twins]
    shared = set.intersection(*(set(terms(" ".join(one))) for one in words))
    own = [" ".join(word for word in one if not set(terms(word)) <= shared or not terms(word)) for one in words]
    own = [" ".join(word for word in one.split() if terms(word)) for one in own]
    if len(set(own)) < len(own) or any(said & (set(terms(one)) - shared) for one in own):
        return ""
    return f"Which of these is it: {_either([one or hit.title for one, hit in zip(own, twins, strict=True)])}?"


def _either(choices: Sequence[str]) -> str:
    return f"{', '.join(choices[:-1])} or {choices[-1]}"
