"""Which way out of a decision an answer or a reading means."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.flow.conditions import Reading, comparison
from tools.flow.plan import Edge

_NO = re.compile(r"^(?:no|not|otherwise|else|nein|non)\b", re.IGNORECASE)
_DENIES = re.compile(r"^(?:not|(?:it|they|this|that) \w+(?:n't| not))$", re.IGNORECASE)  # "no" means this one
_YES = re.compile(r"^(?:yes|ja|oui)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Choice:
    """A way and the reading that decided it."""

    edge: Edge
    reading: Reading


def choose(ways: Sequence[Edge], answer: str) -> Edge | None:
    """The way that `yes`, `no` or a number from 1 on names; None when it names none, or not one alone."""
    if answer.isdigit():
        return ways[int(answer) - 1] if 1 <= int(answer) <= len(ways) else None
    denials = [way for way in ways if _DENIES.match(way.condition)]
    denied = denials or [way for way in ways if _NO.match(way.condition)]
    affirmed = [way for way in ways if way.condition and way not in denied]
    literally = [way for way in affirmed if _YES.match(way.condition)]
    fitting = denied if answer == "no" else (literally or affirmed)
    if not fitting and len(ways) == 2:
        fitting = [way for way in ways if not way.condition]  # the way that asks for nothing
    return fitting[0] if len(fitting) == 1 else None


def decided(ways: Sequence[Edge], readings: tuple[Reading, ...], node: str) -> Choice | None:
    """The way a reading decides: the one comparison that holds, or `otherwise` when all fail."""
    if len(ways) < 2:
        return None
    held: list[Choice] = []
    rest: list[Edge] = []
    used: Reading | None = None
    for way in ways:
        if way.condition in ("", "otherwise"):
            rest.append(way)
            continue
        compared = comparison(way.condition)
        verdict = compared.decide(readings, node) if compared else None
        if verdict is None:
            return None  # a person must say
        used = verdict[1]
        held += [Choice(way, used)] if verdict[0] else []
    if len(held) == 1:
        return held[0]
    return Choice(rest[0], used) if not held and len(rest) == 1 and used else None
