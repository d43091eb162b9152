"""All figures of one document, and of a folder of annotated documents by origin."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from soprag.benchmarks.quality.annotated_flows.document import AnnotatedFlow, annotated, parse
from soprag.benchmarks.quality.annotated_flows.matching import match_steps, pairs, range_likeness
from soprag.benchmarks.quality.annotated_flows.tally import Tally
from soprag.benchmarks.quality.annotated_flows.ways import WayComparison
from soprag.tools.procedure.export import gold as gold_form
from soprag.tools.procedure.procedure import ProcedureFlow

ALL = "all"
Read = Callable[[str], ProcedureFlow]  # Markdown -> its flow
_FLOW = ("step", "step-part", "decision", "condition")


def compare_folder(folder: Path, read: Read) -> dict[str, Tally]:
    """Reads every annotated document of a folder and compares: origin (the name up to its hyphen) -> figures."""
    return compare_texts(annotated(folder), read)


def compare_texts(texts: Iterable[tuple[str, str, AnnotatedFlow]], read: Read) -> dict[str, Tally]:
    """Reads annotated texts (name, Markdown, annotation) and compares: origin -> figures, and those of all."""
    found: dict[str, Tally] = {}
    for name, markdown, gold in texts:
        tally = compare(gold, parse(gold_form(read(markdown))))
        for origin in (name.partition("-")[0], ALL):
            found.setdefault(origin, Tally()).add(tally)
    return found


def compare(gold: AnnotatedFlow, read: AnnotatedFlow) -> Tally:
    """The figures of one document."""
    tally = Tally(documents=1, steps=len(read.steps))
    matched = match_steps(gold, read)
    _lines(tally, gold, read)
    tally.compare("steps", len(matched), len(gold.steps), len(read.steps))
    kinds = {step.id: step.kind for step in gold.steps}
    right = sum(step.kind == kinds[matched[step.id]] for step in read.steps if step.id in matched)
    tally.count("kinds of steps", right, len(gold.steps))
    WayComparison(gold, read, matched).count(tally)
    alternatives = {frozenset(matched.get(step, f"?{step}") for step in one) for one in read.alternatives}
    tally.compare("alternatives", len(gold.alternatives & alternatives), len(gold.alternatives), len(read.alternatives))
    entries = {matched.get(step, f"?{step}") for step in read.entries}
    tally.compare("entry points", len(gold.entries & entries), len(gold.entries), len(entries))
    _warnings(tally, gold, read, matched)
    _ranges(tally, gold, read, matched)
    return tally


def _lines(tally: Tally, gold: AnnotatedFlow, read: AnnotatedFlow) -> None:
    wanted = {n for step in gold.steps for n in step.lines}
    found = {n for step in read.steps for n in step.lines}
    tally.compare("step lines", len(wanted & found), len(wanted), len(found))
    tally.count("roles of lines", sum(read.roles.get(n) == role for n, role in gold.roles.items()), len(gold.roles))
    same = sum(_coarse(read.roles.get(n, "")) == _coarse(role) for n, role in gold.roles.items())
    tally.count("flow, warning or rest", same, len(gold.roles))
    tally.unresolved_steps = sum(bool(step.lines & read.unresolved) for step in read.steps)


def _coarse(role: str) -> str:
    return "flow" if role in _FLOW else role if role in ("warning", "") else "rest"


def _warnings(tally: Tally, gold: AnnotatedFlow, read: AnnotatedFlow, matched: dict[str, str]) -> None:
    def common(one: dict[str, Any], other: dict[str, Any]) -> float:
        return len(set(one["lines"]) & set(other.get("lines") or ()))

    found = pairs(gold.warnings, read.warnings, common)
    right = 0
    for i, j in found:
        wanted, named = gold.warnings[i]["protects"], read.warnings[j].get("protects") or []
        steps = {matched.get(step, f"?{step}") for step in _protected(named, read)}
        right += wanted == named == ["all"] or set(_protected(wanted, gold)) == steps
    tally.compare("warnings", len(found), len(gold.warnings), len(read.warnings))
    tally.compare("steps of warnings", right, len(gold.warnings), len(read.warnings))


def _protected(names: list[str], flow: AnnotatedFlow) -> list[str]:
    return [step.id for step in flow.steps] if names in (["all"], "all") else names


def _ranges(tally: Tally, gold: AnnotatedFlow, read: AnnotatedFlow, matched: dict[str, str]) -> None:
    """Ranges to accept and to branch on; durations and background values are neither asked for nor punished."""
    wanted = [one for one in gold.ranges if one.get("use") in (None, "accept", "branch")]
    free = [one for one in gold.ranges if one not in wanted]

    def likeness(one: dict[str, Any], other: dict[str, Any]) -> float:
        score = range_likeness(one, other)
        same = bool(one.get("step")) and matched.get(other.get("step", "")) == one["step"]
        return score + 0.2 * same if score else 0

    found = pairs(wanted, read.ranges, likeness)
    used = {j for _, j in found}
    rest = [one for j, one in enumerate(read.ranges) if j not in used]
    background = pairs(free, rest, range_likeness)
    tally.compare("ranges", len(found), len(wanted), len(read.ranges) - len(background))
