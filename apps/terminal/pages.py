"""Requests as pages: a step, its warnings, an action to approve; every word of a procedure as it stands there."""

import json
from collections.abc import Iterator, Mapping
from typing import get_args

from pydantic import JsonValue

from soprag.apps.terminal.requests import ActionRequest, Request, StepRequest, WarningRequest
from soprag.tools.flow.requests import StepArguments, ValueRange
from soprag.tools.flow.required_readings import noted_readings
from soprag.tools.flow.step_names import place_words, way_words
from soprag.tools.procedure.page import BLANK, PageBlock, warning_block
from soprag.tools.sop import WarningKind
from soprag.tools.text.sanitize import one_line

CHANGED = "changed"  # the procedure is not the one the run was begun with


def page_of(request: Request, *, warned: bool = False, passage: str = "") -> list[PageBlock]:
    """What is printed before the person is asked.

    `warned`: its warnings were read a moment ago, right above. `passage`: the item that was printed last; it is not
    repeated for its next steps.
    """
    if isinstance(request, StepRequest):
        return list(_step(request.step, warned, passage))
    return list(_warnings(request.step) if isinstance(request, WarningRequest) else _action(request))


def where(step: StepArguments) -> str:
    """`step 3/9`, for prompts and progress."""
    if not step.number:
        return "beginning"
    return f"step {step.number}/{step.of}" if step.of else f"step {step.number}"


def problem_of(request: StepRequest | WarningRequest) -> list[PageBlock]:
    """Why the last reply was not taken, where the step itself still stands right above."""
    return [block for block in _problem(request.step) if block.text]


def _progress(step: StepArguments, before: str = "") -> Iterator[PageBlock]:
    """Where the run stands, under the number that the document prints, and the procedure and section."""
    total = f" of {step.of}" if step.of else ""
    number = place_words(step, total)
    before = before if step.number else "before "
    share = (step.number - 1) / step.of if step.of else 0.0
    yield PageBlock(f"{before}{number}".capitalize(), role="progress", share=max(share, 0.0))
    title = one_line(step.sop_title or step.sop)
    headings = [part for part in one_line(step.section).split(" / ") if part and title not in part]
    yield PageBlock(" › ".join([title, *headings[-1:]]), role="place")
    yield BLANK


def _warnings(step: StepArguments) -> Iterator[PageBlock]:
    yield from _progress(step, "before ")
    for warning in step.warnings:
        yield warning_block(warning)
        if warning.lines:
            yield PageBlock(f"[{_lines(warning.lines)}]", "", 2, role="source")
    yield from _problem(step)


def _step(step: StepArguments, warned: bool, passage: str) -> Iterator[PageBlock]:
    yield from _progress(step)
    if warned and step.warnings:
        count = "The warning" if len(step.warnings) == 1 else f"The {len(step.warnings)} warnings"
        worst = min((warning.kind for warning in step.warnings), key=get_args(WarningKind).index)
        yield PageBlock(f"{count} above, just acknowledged, must be kept to.", "! ", role=worst)
    else:
        yield from map(warning_block, step.warnings)
    if step.warnings:
        yield BLANK
    yield PageBlock(step.text, f"{_marker(step.label)} ", role="step")
    if step.passage not in ("", passage):
        yield _around(step)
    asked = list(_asked(step))
    yield from [BLANK, *asked] if asked else []
    if step.lines:
        yield PageBlock(f"[{_lines(step.lines)}]", "", 3, role="source")
    yield from _problem(step)


def _around(step: StepArguments) -> PageBlock:
    """What the document says around the words of the step, without saying these twice where they come first."""
    if step.passage.startswith(step.text):
        return PageBlock(step.passage.removeprefix(step.text).lstrip(), "The text goes on: ", 3, role="source")
    return PageBlock(step.passage, "From: ", 3, role="source")


def _asked(step: StepArguments) -> Iterator[PageBlock]:
    """What the step asks of the operator: a condition, a way, readings; and what it offers."""
    if step.only_if and not step.applies:
        yield PageBlock(f"{step.only_if} (yes or no)", "Does it apply? Only if: ", 3, role="ask")
    yield from _ways(step)
    if len(step.variants) > 1:
        yield PageBlock(f"{' or '.join(step.variants)}: only its limits are asked for then", "Reply ", 3, role="ask")
    for limits in step.ranges or ((step.range,) if step.range else ()):
        if limits.required:
            typed = f"done VALUE {limits.unit}".rstrip()
            yield PageBlock(f"{_limits(limits)}   (type: {typed})", "Value to give: ", 3, role="ask")
        else:
            yield PageBlock(_limits(limits), "Range: ", 3)
    yield from (
        PageBlock(f"({reference.n}) {one_line(reference.name)}", "See /open ", 3) for reference in step.references
    )
    if step.tools:
        yield PageBlock(", ".join(map(one_line, step.tools)), "Offered with /use: ", 3)


def _ways(step: StepArguments) -> Iterator[PageBlock]:
    """The ways to choose from; a single way without a condition is no choice and goes without saying."""
    if len(step.ways) == 1 and not step.ways[0].condition:
        return
    for number, edge in enumerate(step.ways, 1):
        yield PageBlock(way_words(edge), f"({number}) ", 3, role="choice")
    if step.suggested:
        yield PageBlock(
            f"{one_line(step.suggested.reading)} in step {step.suggested.step} says ({step.suggested.way}).", "", 3
        )


def _action(request: ActionRequest) -> Iterator[PageBlock]:
    if request.name == CHANGED:  # its arguments are hashes, its description says what they mean
        yield PageBlock(request.description, "To be decided: ", role="ask")
        return
    yield PageBlock(one_line(request.name).replace("_", " "), "To be approved: ", role="ask")
    if request.description:
        yield PageBlock(request.description, "", 2)
    yield BLANK
    yield from argument_blocks(request.arguments)


def argument_blocks(arguments: Mapping[str, JsonValue]) -> Iterator[PageBlock]:
    """Every argument in full; text of several lines below its name."""
    for name, value in arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if "\n" in text:
            yield PageBlock(f"{one_line(name)}:", "", 2)
            yield from (PageBlock(line, "| ", 4) for line in text.rstrip("\n").split("\n"))
        else:
            yield PageBlock(text, f"{one_line(name)}: ", 2)


def _problem(step: StepArguments) -> Iterator[PageBlock]:
    if step.problem:
        yield BLANK
        yield PageBlock(step.problem, ">> ", role="ask" if noted_readings(step.problem) else "problem")


def _limits(limits: ValueRange) -> str:
    if limits.phrase:
        return limits.phrase
    low, high = (f"{end:g}" if end is not None else "" for end in (limits.low, limits.high))
    if low and high:
        return f"{low} to {high} {limits.unit}".strip()
    return f"{'at least' if low else 'at most'} {low or high} {limits.unit}".strip()


def _marker(label: str) -> str:
    if not label:
        return "-"
    return f"{label}." if label[-1].isalnum() else label


def _lines(lines: tuple[int, int]) -> str:
    first, last = lines
    return f"line {first}" if first == last else f"lines {first}-{last}"
