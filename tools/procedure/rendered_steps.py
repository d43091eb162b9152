"""The steps of a flow graph for display: numbered in order, each verified against the lines it cites."""

import re
from collections.abc import Sequence
from typing import TypeVar

from pydantic import Field

from soprag.tools.markdown.inline import plain
from soprag.tools.procedure.source_text import SourceText, dedented, tidy
from soprag.tools.sop import FlowGraph, Frozen, Span, Step, Warning
from soprag.tools.text.sanitize import sanitize

_NOT_WORD = re.compile(r"[\W_]+")

Kept = TypeVar("Kept", bound="ShownStep")


class Way(Frozen):
    """A branch of a step that does not simply continue to the next one."""

    to: int = Field(ge=1, description="number of the step it leads to")
    condition: str = Field(default="", description="in the words of the SOP; empty: always")


class ShownStep(Frozen):
    """One step for display; its text and its warnings occur on the lines it cites."""

    number: int = Field(ge=1, description="its place in the SOP, counted from 1")
    id: str = Field(description="its node in the flow graph")
    kind: str
    label: str
    text: str
    section: str
    lines: Span
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
    branches: dict[str, list[Way]] = {}
    # A step whose edges all lead to the next step shows no branches.
    turning = {edge.source for edge in flow.edges if numbers.get(edge.target) != numbers.get(edge.source, 0) + 1}
    for edge in flow.edges:
        start, target = numbers.get(edge.source), numbers.get(edge.target)
        if start and target and edge.source in turning:
            branches.setdefault(edge.source, []).append(Way(to=target, condition=sanitize(edge.condition)))
    return tuple(_bind(step, numbers[step.id], tuple(branches.get(step.id, ())), source) for step in flow.steps)


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


def _bind(step: Step, number: int, branches: tuple[Way, ...], source: SourceText) -> ShownStep:
    return ShownStep(
        number=number,
        id=step.id,
        kind=step.kind,
        label=sanitize(step.label),
        text=_words(step.text, step.lines, source),
        section=sanitize(step.section),
        lines=step.lines,
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


def letters_of(text: str) -> str:
    """The letters and digits of `text` in lower case, for comparison regardless of markup and line breaks."""
    return _NOT_WORD.sub("", text).lower()
