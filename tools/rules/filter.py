"""Is a document a standard operating procedure? A weighted sum of what speaks for it and against it.

Every signal lies between 0 and 1. Its weight says how far it moves the odds: 1.0 multiplies them by e. The weights
began as judgments and were corrected by logistic regression, each held to its sign: `tools.evaluation.fitting` can
fit them anew, and docs/rules.md explains them.
"""

import re
from math import exp, log, log1p
from typing import NamedTuple

from tools.llm.tasks.benchmark import MarkdownAsk, Verdict
from tools.rules.evidence import Evidence, weigh

_FEWEST_WORDS = 15  # less text than this is a fragment, whatever it says
_LEAST_LETTERS = 0.45  # share of letters and digits among what is printed; less is a damaged or binary file


class Signal(NamedTuple):
    """One reason for or against, with its weight, its value in [0, 1] and how to say it."""

    name: str
    weight: float
    value: float
    words: str


BIAS = -1.93
WEIGHTS = {
    "directing": 2.04,
    "orders": 0.61,
    "steps": 1.49,
    "commands": 1.32,
    "conditionals": 0.96,
    "warnings": 0.52,
    "acting": 2.34,
    "reporting": -1.31,
    "report title": -1.55,
    "past": -1.60,
    "dates": -1.59,
    "versions": -1.08,
    "links": -1.30,
    "ours": -0.81,
    "pointers": -1.33,
}


def judge(ask: MarkdownAsk) -> Verdict:
    """The verdict on one document and the evidence for it."""
    broken = damage(ask.markdown)
    if broken:
        return Verdict(is_sop=False, reason=broken, confidence=0.95)
    found = signals(weigh(ask.name, ask.markdown))
    balance = BIAS + sum(signal.weight * signal.value for signal in found)
    chance = 1 / (1 + exp(-balance))
    is_sop = balance > 0
    return Verdict(is_sop=is_sop, reason=_reason(found, is_sop), confidence=round(max(chance, 1 - chance), 3))


def signals(seen: Evidence) -> list[Signal]:
    """The signals of a document; how each is scaled to [0, 1] is written here and nowhere else."""
    share = 1 / max(seen.sentences, 4)  # a single sentence is no majority
    rate = 100 / max(seen.words, 60)
    values = {
        "directing": (seen.directives * share / 0.5, f"{seen.directives} of {seen.sentences} sentences give an order"),
        "orders": (log1p(seen.directives) / log(16), f"{seen.directives} instructions{_such(seen.first_step)}"),
        "steps": (log1p(seen.steps) / log(8), f"{seen.steps} numbered steps{_such(seen.first_step)}"),
        "commands": (log1p(seen.commands) / log(5), f"{seen.commands} commands to run"),
        "conditionals": (seen.conditionals / 3, f"{seen.conditionals} conditional instructions"),
        "warnings": (seen.warnings / 2, f"{seen.warnings} warnings"),
        "acting": (seen.acting / 2, f"a section {seen.first_heading!r}"),
        "reporting": (seen.reporting / 3, f"report headings such as {seen.first_report!r}"),
        "report title": (float(seen.report_title), f"the title {seen.title[:80]!r}"),
        "past": (seen.past * share / 0.25, f"{seen.past} sentences tell what happened{_such(seen.first_past)}"),
        "dates": (seen.dates * rate / 3, f"{seen.dates} dates and times"),
        "versions": (seen.versions * rate / 2, f"{seen.versions} version numbers"),
        "links": (seen.links * rate / 5, f"{seen.links} links in {seen.words} words"),
        "pointers": (seen.pointers * share / 0.15, f"{seen.pointers} sentences only point to other documents"),
        "ours": (seen.ours * share / 0.2, f"{seen.ours} sentences speak of 'we' and 'our'"),
    }
    return [Signal(name, WEIGHTS[name], min(1.0, value), words) for name, (value, words) in values.items()]


def _such(example: str) -> str:
    short = example if len(example) <= 70 else example[:69].rsplit(" ", 1)[0] + " ..."
    return f", such as {short!r}" if short else ""


def _reason(found: list[Signal], is_sop: bool) -> str:
    """One sentence with the two strongest signals for the verdict."""
    side = 1 if is_sop else -1
    strong = sorted((s for s in found if s.weight * s.value * side > 0), key=lambda s: -abs(s.weight * s.value))[:2]
    if not strong:
        return "It reads as a description: no steps, no commands to run and hardly an instruction."
    what = "It reads as a procedure" if is_sop else "It reads as no procedure"
    return f"{what}: {' and '.join(signal.words for signal in strong)}."


def damage(markdown: str) -> str:
    """Why the text cannot be judged at all; empty when it can."""
    printed = re.sub(r"[\s|#*_`>-]+", "", markdown)
    words = re.findall(r"[^\W\d_]{2,}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]", markdown)
    if len(words) < _FEWEST_WORDS:
        return f"It has only {len(words)} words, too few for a procedure."
    letters = sum(1 for character in printed if character.isalnum())
    if letters < _LEAST_LETTERS * len(printed):
        return "Less than half of its characters are letters or digits: the text is damaged or not text at all."
    return ""
