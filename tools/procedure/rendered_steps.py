"""The steps of a flow graph for display: numbered in order, each verified against the lines it cites."""

import re
from collections.abc import Sequence
from typing import TypeVar

from pydantic import Field

from soprag.tools.markdown.inline import plain
from soprag.tools.procedure.source_text import SourceText, dedented, letters_of, tidy
from soprag.tools.sop import END, FlowEdge, FlowGraph, Frozen, Span, StatedRange, Step, StepKind, Warning
from soprag.tools.text.sanitize import one_line, sanitize

Kept = TypeVar("Kept", bound="ShownStep")
# "Check the seal. If not, call": such a condition says nothing without the step before it.
_ELLIPTIC = {"not": "that is not so", "so": "that is so", "yes": "the answer is yes", "no": "the answer is no"}
_POINTS_BACK = re.compile(
    r"(?:if )?(?:it|they|this|that|these|those) (?:is|are|was|were|does|do|did|has|have|can|could|should|fails?|works?|"
    r"happens?|occurs?|succeeds?)(?:\s*(?:n't|not|the case|so|true|work|help|fail|succeed|occur|happen))*",
    re.IGNORECASE,
)
_LONGEST = 80  # characters of the step that a condition points back to


class Way(Frozen):
    """A branch of a step that does not simply continue to the next one."""

    to: int = Field(ge=0, description="number of the step it leads to; 0: the end, or unresolved")
    unresolved: bool = Field(default=False, description="the reader cannot tell where it leads")
    condition: str = Field(default="", description="in the words of the SOP; empty: always")


class ShownStep(Frozen):
    """One step for display; its text and its warnings occur on the lines it cites."""

    number: int = Field(ge=0, description="its place in the SOP, counted from 1; 0: the choice of an entry point")
    id: str = Field(description="its node in the flow graph")
    kind: StepKind
    label: str = ""
    text: str
    passage: str = Field(default="", description="the whole item, where the step is a part of it")
    section: str = ""
    lines: Span
    only_if: str = Field(default="", description="the condition under which it applies")
    ranges: tuple[StatedRange, ...] = ()
    warnings: tuple[Warning, ...] = ()
    ways: tuple[Way, ...] = ()
    references: tuple[str, ...] = ()

    @property
    def marker(self) -> str:
        """The printed label, with a full stop after a bare number or letter; a dash for a step without a label."""
        if not self.label:
            return "-"
        return f"{self.label}." if self.label[-1].isalnum() else self.label


def show(flow: FlowGraph, source: SourceText) -> tuple[ShownStep, ...]:
    """All steps in the order of the SOP."""
    numbers = {step.id: number for number, step in enumerate(flow.steps, 1)}
    leaving: dict[str, list[FlowEdge]] = {}
    for edge in flow.edges:
        leaving.setdefault(edge.source, []).append(edge)
    shown: list[ShownStep] = []
    for number, step in enumerate(flow.steps, 1):
        before = shown[-1].text if shown else ""
        shown.append(_bind(step, number, _ways(step, leaving, numbers), source, before))
    return tuple(shown)


def _condition(words: str, before: str) -> str:
    """A condition in full: one that only points back names the step `before` it."""
    told = _ELLIPTIC.get(words.casefold(), sanitize(words))
    if not before or (words.casefold() not in _ELLIPTIC and not _POINTS_BACK.fullmatch(words.strip(" .:"))):
        return told
    return f"{told} (“{one_line(plain(before), _LONGEST)}”)"


def _ways(step: Step, leaving: dict[str, list[FlowEdge]], numbers: dict[str, int]) -> tuple[Way, ...]:
    """The branches of a step; none when its only one leads to the next step, or ends the procedure after the last."""
    number = numbers[step.id]
    following = number + 1 if number < len(numbers) else 0
    ways = tuple(
        Way(
            to=numbers.get(edge.target, 0),
            unresolved=edge.target not in numbers and edge.target != END,
            condition=sanitize(edge.condition),
        )
        for edge in leaving.get(step.id, ())
    )
    return ways if any(way.to != following or way.unresolved for way in ways) else ()


def runs(steps: Sequence[Kept], numbers: frozenset[int]) -> list[list[Kept]]:
    """The steps with the given numbers, grouped into runs of consecutive steps."""
    groups: list[list[Kept]] = []
    for step in steps:
        if step.number in numbers:
            if groups and groups[-1][-1].number == step.number - 1:
                groups[-1].append(step)
            else:
                groups.append([step])
    return groups


def lines_of(lines: Span) -> str:
    """`line 7` or `lines 7-9`."""
    return f"line {lines.start}" if lines.start == lines.end else f"lines {lines.start}-{lines.end}"


def _bind(step: Step, number: int, branches: tuple[Way, ...], source: SourceText, before: str) -> ShownStep:
    return ShownStep(
        number=number,
        id=step.id,
        kind=step.kind,
        label=sanitize(step.label),
        text=_words(step.text, step.lines, source),
        passage=sanitize(step.passage) if stands(step.passage, source.body) else "",
        section=sanitize(step.section),
        lines=step.lines,
        only_if=_condition(step.only_if, before),
        ranges=step.ranges,
        warnings=tuple(_remark(warning, source) for warning in step.warnings),
        ways=branches,
        references=tuple(map(sanitize, step.references)),
    )


def _remark(warning: Warning, source: SourceText) -> Warning:
    return warning.model_copy(update={"text": _words(warning.text, warning.lines, source)})


def _words(text: str, lines: Span, source: SourceText) -> str:
    """`text` if the cited lines contain it, else those lines, so that text and citation always agree."""
    cited = source.lines[lines.start - 1 : lines.end]
    return sanitize(text if stands(text, "\n".join(cited)) else tidy(dedented(cited)))


def stands(text: str, written: str) -> bool:
    """Whether every line of `text` occurs in `written`, verbatim or by letters and digits without markup."""
    lost = [line for line in text.split("\n") if line.strip() not in written]
    if not lost:
        return True
    letters = letters_of(plain(written))
    return all(letters_of(line) in letters or letters_of(plain(line)) in letters for line in lost)
