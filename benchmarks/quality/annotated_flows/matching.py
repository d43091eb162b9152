"""Which step, warning and range that was read stands for which annotated one."""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from soprag.benchmarks.quality.annotated_flows.document import AnnotatedFlow, AnnotatedStep
from soprag.tools.units.reading import one_ring

_Item = TypeVar("_Item")
_STOP = frozenset(
    """
    the a an of to at in on for and or is it be not than more less below above under over with by from as that this
    its your
    """.split()  # noqa: SIM905 - a list of words reads better so
)
_UNITS = {"percent": "%", "%byvolume": "%", "vol%": "%", "c": "°c", "degc": "°c", "celsius": "°c", "degrees": "°c",
          "degree": "°c", "deg": "°", "minutes": "min", "minute": "min", "seconds": "s", "second": "s", "sec": "s",
          "hours": "h", "hour": "h", "days": "d", "day": "d", "litre": "l", "litres": "l", "liter": "l"}  # fmt: skip


def match_steps(gold: AnnotatedFlow, read: AnnotatedFlow) -> dict[str, str]:
    """Read step -> annotated step, one to one: best overlap of lines and words first, then the order."""
    candidates = []
    for i, wanted in enumerate(gold.steps):
        for j, step in enumerate(read.steps):
            likeness = _likeness(wanted, step)
            if likeness is not None:
                apart = abs(i / max(1, len(gold.steps)) - j / max(1, len(read.steps)))
                candidates.append((-likeness, apart, i, j))
    used_gold: set[int] = set()
    matched: dict[str, str] = {}
    for _, _, i, j in sorted(candidates):
        if i not in used_gold and read.steps[j].id not in matched:
            used_gold.add(i)
            matched[read.steps[j].id] = gold.steps[i].id
    return matched


def pairs(
    gold: Sequence[_Item], read: Sequence[_Item], likeness: Callable[[_Item, _Item], float]
) -> list[tuple[int, int]]:
    """Positions of the most alike pairs, one to one."""
    scored = sorted((-score, i, j) for i, a in enumerate(gold) for j, b in enumerate(read) if (score := likeness(a, b)))
    left: set[int] = set()
    right: set[int] = set()
    found = []
    for _, i, j in scored:
        if i not in left and j not in right:
            left.add(i)
            right.add(j)
            found.append((i, j))
    return found


def range_likeness(gold: dict[str, Any], read: dict[str, Any]) -> float:
    """How alike two ranges are; 0 unless bounds, unit and a word of the quantity agree."""
    if not all(_same(gold.get(bound), read.get(bound)) for bound in ("low", "high")):
        return 0
    wanted, named = content(gold.get("quantity")), content(read.get("quantity"))
    if _unit(gold.get("unit")) != _unit(read.get("unit")) or (wanted and not wanted & named):
        return 0
    variant = 0.5 if (gold.get("variant") or "").lower() == (read.get("variant") or "").lower() else 0
    return 1 + variant + len(wanted & named) / (1 + len(wanted | named))


def content(text: str | None) -> set[str]:
    """The first five letters of every telling word."""
    return {word[:5] for word in _words(text) if word not in _STOP}


def _likeness(gold: AnnotatedStep, read: AnnotatedStep) -> float | None:
    common = gold.lines & read.lines
    if not common:
        return None
    overlap = len(common) / len(gold.lines | read.lines)
    words = _dice(gold.text, read.text)
    if overlap < 0.25 and words < 0.5:
        return None
    return overlap + words + (0.1 if gold.kind == read.kind else 0.0)


def _words(text: str | None) -> list[str]:
    return re.findall(r"[a-z0-9]+", (text or "").lower())


def _dice(one: str, other: str) -> float:
    a, b = set(_words(one)), set(_words(other))
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _unit(unit: str | None) -> str:
    bare = one_ring(unit or "").lower().replace(" ", "")
    return _UNITS.get(bare, bare).replace("µ", "u").replace("μ", "u")


def _same(one: object, other: object) -> bool:
    a, b = _number(one), _number(other)
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-6 * max(1, abs(a), abs(b))


def _number(value: object) -> float | None:
    try:
        return float(str(value)) if value not in (None, "") else None
    except ValueError:
        return None
