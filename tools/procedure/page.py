"""Renders steps as plain text: Markdown is not interpreted, nothing is omitted, and warnings precede their step.

A page is a list of blocks, each with a role that a screen may give a look. `raw` writes the text of blocks unchanged,
for pipes and files; `fitted` wraps long lines between words and indents them under their marker, for a terminal. Code
and tables are never wrapped.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from soprag.tools.markdown.fences import is_fence
from soprag.tools.procedure.rendered_steps import ShownStep, Way
from soprag.tools.procedure.wording.safety_labels import missing_label
from soprag.tools.sop import WarningKind
from soprag.tools.text.sanitize import one_line, sanitize

BlockRole = (
    WarningKind
    | Literal["", "title", "progress", "place", "answer", "step", "way", "choice", "ask", "source", "problem", "hint"]
)

_UNBROKEN = re.compile(r"^(?:\s*\||\s{4}|\t)")
_WORD = re.compile(r"[^\W\d_]{2}")
_NARROWEST = 24


@dataclass(frozen=True)
class PageBlock:
    """A text behind a marker; `indent` is the column of the marker on a terminal.

    `share` is the part of the run that is done, 0 to 1, where the role is `progress`.
    """

    text: str
    marker: str = ""
    indent: int = 0
    role: BlockRole = ""
    share: float = 0.0


BLANK = PageBlock("")


def by_line(text: str) -> Iterator[PageBlock]:
    """Words of the program itself, a block per line, each at its own indent."""
    for line in text.split("\n"):
        words = line.lstrip(" ")
        yield PageBlock(words, indent=len(line) - len(words))


def raw(blocks: Iterable[PageBlock]) -> str:
    """The page with every text unwrapped."""
    return "\n".join(sanitize(block.marker + block.text).rstrip() for block in blocks)


def fitted(blocks: Iterable[PageBlock], width: int) -> str:
    """The page wrapped to a terminal of `width` columns."""
    return "\n".join(line.rstrip() for block in blocks for line in _fit(block, max(width, _NARROWEST)))


def step_blocks(step: ShownStep, cite: str, steps: Mapping[int, ShownStep], remark: str = "") -> Iterator[PageBlock]:
    """The blocks of one step: warnings, text, branches, references, remark and citation."""
    yield from map(warning_block, step.warnings)
    before = steps.get(step.number - 1)
    if step.passage and not (before and before.passage == step.passage):
        yield PageBlock(step.passage, f"{step.marker} ", role="step")
    if step.passage:
        yield PageBlock(step.text, "this step: ", 3)
    else:
        yield PageBlock(step.text, f"{step.marker} ", role="step")
    if step.only_if:
        yield PageBlock(one_line(step.only_if), "Only if: ", 3)
    for branch in step.ways:
        yield PageBlock(way_words(step, branch, steps), "-> ", 3, role="way")
    if step.references:
        yield PageBlock("; ".join(map(one_line, step.references)), "See: ", 3)
    if remark:
        yield PageBlock(one_line(remark), "Remark: ", 3)
    yield PageBlock(f"[{step.number}: {cite}]", "", 3, role="source")


def name_of(step: ShownStep) -> str:
    """The reference to a step: its label, if it has one, and its number in brackets."""
    if not step.label:
        return f"[{step.number}]"
    word = "" if _WORD.match(step.label) else "step "  # "Step 7" is printed in some SOPs, "7" in others
    return f"{word}{one_line(step.label)} [{step.number}]"


class SafetyRemark(Protocol):
    """A warning of a procedure, as it is stored or as it is sent to a client."""

    @property
    def kind(self) -> WarningKind:
        """Its severity."""
        ...

    @property
    def text(self) -> str:
        """Its words."""
        ...


def warning_block(warning: SafetyRemark) -> PageBlock:
    """A warning, with its kind in the marker where the text does not begin with it."""
    label = missing_label(warning.kind, warning.text)
    return PageBlock(warning.text, f"! {label}: " if label else "! ", role=warning.kind)


def way_words(step: ShownStep, branch: Way, steps: Mapping[int, ShownStep]) -> str:
    """A branch as a sentence: its condition and where it leads."""
    condition = f"{one_line(branch.condition)}: " if branch.condition else ""
    if not branch.to:
        return condition + ("the text does not tell where to go on" if branch.unresolved else "the procedure ends")
    onward = "go on with" if branch.to == step.number + 1 else "go to"
    verb = onward if branch.to > step.number else "go back to"
    return f"{condition}{verb} {_place_of(step, steps[branch.to])}"


def _place_of(step: ShownStep, goal: ShownStep) -> str:
    """The reference to `goal`, with its section where that is another one: every section may have a step 1."""
    heading = one_line(goal.section).split(" / ")[-1]
    return name_of(goal) if goal.section == step.section or not heading else f"{name_of(goal)} of '{heading}'"


def _fit(block: PageBlock, width: int) -> Iterator[str]:
    margin = " " * block.indent
    hanging = " " * min(block.indent + len(block.marker), 8)
    code = False
    for index, line in enumerate(sanitize(block.text).split("\n")):
        lead = margin + block.marker if index == 0 else hanging
        fence = is_fence(line)
        if code or fence or _UNBROKEN.match(line) or len(lead) + len(line) <= width:
            yield lead + line
        else:
            inner = hanging + " " * (len(line) - len(line.lstrip()))
            yield from textwrap.wrap(
                line.lstrip(),
                width,
                initial_indent=lead + line[: len(line) - len(line.lstrip())],
                subsequent_indent=inner,
                break_long_words=False,
                break_on_hyphens=False,
            )
        code ^= fence
