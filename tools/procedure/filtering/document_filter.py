"""Classifies a document as a standard operating procedure or not: a logistic model over hand-made signals.

Every signal lies between 0 and 1. Its weight says how far it moves the odds: 1.0 multiplies them by e. The weights
began as judgments and were corrected by logistic regression, each held to its sign: `benchmarks.quality.filter_fitting`
can fit them anew, and docs/rules.md explains them.
"""

import re
from math import exp, log, log1p
from typing import NamedTuple

from soprag.tools.procedure.filtering.filter_features import (
    Counted,
    FilterFeatures,
    Headed,
    SentenceCounts,
    extract_features,
)
from soprag.tools.procedure.filtering.package_pages import PackagePage
from soprag.tools.tasks.benchmark import FilterAnswer, MarkdownAsk

_FEWEST_WORDS = 15  # less text than this is a fragment, whatever it says
_FEWEST_ITEMS = 2  # except a list: a card of three lines may be a procedure
_ITEM = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*•])\s+\w", re.MULTILINE)
_LEAST_LETTERS = 0.45  # share of letters and digits among what is printed; less is a damaged or binary file


class FilterSignal(NamedTuple):
    """One feature with its weight, its value in [0, 1] and its explanation in words."""

    name: str
    weight: float
    value: float
    explanation: str


BIAS = -1.74
WEIGHTS = {
    "directing": 1.9,
    "orders": 0.86,
    "steps": 1.42,
    "commands": 1.14,
    "conditionals": 0.57,
    "warnings": 0.66,
    "acting": 2.23,
    "reporting": -1.23,
    "report title": -1.38,
    "past": -1.4,
    "dates": -1.43,
    "versions": -1.13,
    "links": -1.22,
    "ours": -0.7,
    "pointers": -1.4,
    "package page": -1.77,
    "legal": -2.15,
    "program": -1.05,
    "installs": -1.32,
    "badges": -1.18,
    "changes": -1.54,
}


def judge(ask: MarkdownAsk) -> FilterAnswer:
    """The verdict on one document and the evidence for it."""
    broken = damage(ask.markdown)
    if broken:
        return FilterAnswer(is_sop=False, reason=broken, confidence=0.95)
    measured = signals(extract_features(ask.name, ask.markdown))
    balance = BIAS + sum(signal.weight * signal.value for signal in measured)
    chance = 1 / (1 + exp(-balance))
    is_sop = balance > 0
    return FilterAnswer(is_sop=is_sop, reason=_reason(measured, is_sop), confidence=round(max(chance, 1 - chance), 3))


def signals(evidence: FilterFeatures) -> list[FilterSignal]:
    """The signals of a document, each scaled to [0, 1]."""
    counted = evidence.counted
    values = _by_wording(evidence.wording) | _by_headings(evidence.headed) | _by_counts(counted)
    values |= _by_package(evidence.package, counted.word_count)
    return [
        FilterSignal(name, WEIGHTS[name], min(1.0, value), explanation) for name, (value, explanation) in values.items()
    ]


def _by_wording(wording: SentenceCounts) -> dict[str, tuple[float, str]]:
    share = 1 / max(wording.sentences, 4)  # a single sentence is no majority
    orders, steps, past = len(wording.orders), len(wording.steps), len(wording.past)
    pointers, ours = len(wording.pointers), len(wording.ours)
    return {
        "directing": (orders * share / 0.5, f"{orders} of {_some(wording.sentences, 'sentence')} tell what to do"),
        "orders": (log1p(orders) / log(16), f"{_some(orders, 'instruction')}{_such(wording.orders)}"),
        "steps": (log1p(steps) / log(8), f"{_some(steps, 'numbered step')}{_such(wording.steps)}"),
        "conditionals": (len(wording.conditionals) / 3, _some(len(wording.conditionals), "conditional instruction")),
        "past": (past * share / 0.25, f"{_some(past, 'sentence')} about what happened{_such(wording.past)}"),
        # one cross-reference is usual in a short procedure
        "pointers": (max(pointers - 1, 0) * share / 0.1, f"{_some(pointers, 'sentence')} pointing elsewhere only"),
        "ours": (ours * share / 0.2, f"{_some(ours, 'sentence')} about 'us' and 'our' doings"),
    }


def _by_headings(headed: Headed) -> dict[str, tuple[float, str]]:
    return {
        "acting": (len(headed.acting) / 2, f"a section {headed.acting[0]!r}" if headed.acting else ""),
        "reporting": (len(headed.reporting) / 3, f"report headings{_such(headed.reporting)}"),
        "report title": (float(headed.titled_report), f"the title {headed.title[:80]!r}"),
    }


def _by_counts(counted: Counted) -> dict[str, tuple[float, str]]:
    rate = 100 / max(counted.word_count, 60)
    return {
        "commands": (log1p(counted.commands) / log(5), f"{_some(counted.commands, 'command')} to run"),
        "warnings": (counted.warnings / 2, _some(counted.warnings, "warning")),
        "dates": (counted.dates * rate / 3, _some(counted.dates, "date or time", "dates and times")),
        "versions": (counted.versions * rate / 2, _some(counted.versions, "version number")),
        "links": (counted.links * rate / 5, f"{_some(counted.links, 'link')} in {counted.word_count} words"),
    }


def _by_package(package: PackagePage, word_count: int) -> dict[str, tuple[float, str]]:
    rate = 100 / max(word_count, 60)
    return {
        "package page": (len(package.headings) / 3, f"sections of a package's page{_such(package.headings)}"),
        "legal": (len(package.legal) * rate / 3, f"{_some(len(package.legal), 'legal term')}{_such(package.legal)}"),
        "program": (log1p(package.program_lines) / log(20), f"{_some(package.program_lines, 'line')} of program text"),
        "installs": (package.installs / 3, f"{_some(package.installs, 'installation')} by a package manager"),
        "badges": (package.badges / 3, _some(package.badges, "badge")),
        "changes": (package.changes * rate / 2, _some(package.changes, "reference of a change log", "such references")),
    }


def _some(count: int, singular: str, many: str = "") -> str:
    return f"{count} {singular if count == 1 else many or singular + 's'}"


def _such(examples: tuple[str, ...]) -> str:
    if not examples:
        return ""
    first = examples[0]
    short = first if len(first) <= 70 else first[:69].rsplit(" ", 1)[0] + " ..."
    return f", such as {short!r}"


def _reason(measured: list[FilterSignal], is_sop: bool) -> str:
    """One sentence with the two strongest signals for the verdict."""
    side = 1 if is_sop else -1
    strong = sorted((s for s in measured if s.weight * s.value * side > 0), key=lambda s: -abs(s.weight * s.value))[:2]
    if not strong:
        return "It reads as a description: no steps, no commands to run and hardly an instruction."
    verdict = "It reads as a procedure" if is_sop else "It reads as no procedure"
    return f"{verdict}: {' and '.join(signal.explanation for signal in strong)}."


def damage(markdown: str) -> str:
    """Why the text cannot be judged at all; empty when it can."""
    printed = re.sub(r"[\s|#*_`>-]+", "", markdown)
    tokens = re.findall(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[^\W\d_]{2,}", markdown)
    if len(tokens) < _FEWEST_WORDS and len(_ITEM.findall(markdown)) < _FEWEST_ITEMS:
        return f"It has only {len(tokens)} words, too few for a procedure."
    letters = sum(1 for character in printed if character.isalnum())
    if letters < _LEAST_LETTERS * len(printed):
        return "Less than half of its characters are letters or digits: the text is damaged or not text at all."
    return ""
