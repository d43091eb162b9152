"""Selects the branch of a decision from an answer or a reading."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from soprag.tools.procedure.plan import Edge
from soprag.tools.procedure.ranges.comparisons import GivenReading, comparison

_NO = re.compile(r"^(?:no|not|otherwise|else|nein|non)\b", re.IGNORECASE)
_DENIES = re.compile(r"^(?:not|(?:it|they|this|that) \w+(?:n't| not))$", re.IGNORECASE)  # "no" means this one
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_NEGATION = re.compile(r"n't$|^(?:not|no|never|without|neither|nor|cannot)$")
_YES = re.compile(r"^(?:yes|ja|oui)\b", re.IGNORECASE)


@dataclass(frozen=True)
class EdgeChoice:
    """A branch and the reading that decided it."""

    edge: Edge
    reading: GivenReading


def choose(edges: Sequence[Edge], answer: str) -> Edge | None:
    """The branch selected by `yes`, `no` or a number from 1; None when the answer selects none or several."""
    if answer.isdigit():
        return edges[int(answer) - 1] if 1 <= int(answer) <= len(edges) else None
    denials = [edge for edge in edges if _DENIES.match(edge.condition)]
    denied = denials or [edge for edge in edges if _NO.match(edge.condition)]
    affirmed = [edge for edge in edges if edge.condition and edge not in denied]
    literally = [edge for edge in affirmed if _YES.match(edge.condition)]
    fitting = denied if answer == "no" else (literally or affirmed)
    if not fitting and len(edges) == 2:
        fitting = [edge for edge in edges if not edge.condition]  # the way that asks for nothing
    return fitting[0] if len(fitting) == 1 else None


def named(edges: Sequence[Edge], words: str) -> Edge | None:
    """The one branch whose condition is `words`; None otherwise."""
    told = _told(words)
    fitting = [edge for edge in edges if told and _told(edge.condition) == told]
    return fitting[0] if len(edges) > 1 and len(fitting) == 1 else None


def likely(edges: Sequence[Edge], words: str) -> Edge | None:
    """The one branch whose condition has all `words` and denies as much; None otherwise."""
    told = _told(words)
    by_words = [(edge, _told(edge.condition)) for edge in edges]
    fitting = [edge for edge, said in by_words if told and {*told} <= {*said} and _denials(told) == _denials(said)]
    return fitting[0] if len(edges) > 1 and len(fitting) == 1 else None


def _told(words: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(words)]


def _denials(words: list[str]) -> int:
    return sum(bool(_NEGATION.search(word)) for word in words)


def decided(edges: Sequence[Edge], readings: tuple[GivenReading, ...], node: str) -> EdgeChoice | None:
    """The branch decided by readings: the only comparison that holds, or `otherwise` when all fail; else None."""
    if len(edges) < 2:
        return None
    choices: list[EdgeChoice] = []
    rest: list[Edge] = []
    used: GivenReading | None = None
    for edge in edges:
        if edge.condition in ("", "otherwise"):
            rest.append(edge)
            continue
        compared = comparison(edge.condition)
        verdict = compared.decide(readings, node) if compared else None
        if verdict is None:
            return None  # a person must say
        used = verdict[1]
        choices += [EdgeChoice(edge, used)] if verdict[0] else []
    if len(choices) == 1:
        return choices[0]
    return EdgeChoice(rest[0], used) if not choices and len(rest) == 1 and used else None
