"""Requests as pages: a step, its warnings, an action to approve; every word of a procedure as it stands there."""

import json
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from apps.terminal.requests import (
    ActionRequest,
    Limits,
    Request,
    StepArguments,
    StepRequest,
    WarningRequest,
    WarningShown,
    WayShown,
)
from tools.flow.page import BLANK, Block
from tools.rules.remarks import kind_of
from tools.text.sanitize import one_line

CHANGED = "changed"  # the procedure is not the one the run was begun with


def page_of(request: Request, *, warned: bool = False) -> list[Block]:
    """What is printed before the person is asked; `warned`: its warnings were read a moment ago, right above."""
    if isinstance(request, StepRequest):
        return list(_step(request.at, warned))
    return list(_warnings(request.at) if isinstance(request, WarningRequest) else _action(request))


def where(at: StepArguments) -> str:
    """`step 3/9`, for prompts and progress."""
    return f"step {at.number}/{at.of}" if at.of else f"step {at.number}"


def _warnings(at: StepArguments) -> Iterator[Block]:
    yield Block(f"Before {where(at)} of {one_line(at.sop_title or at.sop)}:")
    for warning in at.warnings:
        yield _warning(warning)
        if warning.lines:
            yield Block(f"[{_cite(at, warning.lines)}]", "", 2)
    yield from _problem(at)


def problem_of(request: StepRequest | WarningRequest) -> list[Block]:
    """Why the last reply was not taken, where the step itself still stands right above."""
    return [block for block in _problem(request.at) if block.text]


def _step(at: StepArguments, warned: bool) -> Iterator[Block]:
    yield Block(f"{where(at).capitalize()} of {one_line(at.sop_title or at.sop)}")
    if at.section:
        yield Block(f"--- {one_line(at.section).removeprefix(f'{at.sop_title} / ')} ---")
    if warned and at.warnings:
        count = "The warning" if len(at.warnings) == 1 else f"The {len(at.warnings)} warnings"
        yield Block(f"{count} above, just acknowledged, must be kept to.", "! ")
    else:
        yield from map(_warning, at.warnings)
    yield Block(at.text, f"{_marker(at.label)} ")
    yield from _ways(at)
    for limits in at.ranges or ((at.range,) if at.range else ()):
        yield Block(_limits(limits), "Value to give: " if limits.asked else "Range: ", 3)
    yield from (Block(f"({other.n}) {one_line(other.name)}", "See /open ", 3) for other in at.references)
    if at.tools:
        yield Block(", ".join(map(one_line, at.tools)), "Offered with /use: ", 3)
    if at.lines:
        yield Block(f"[{at.number}: {_cite(at, at.lines)}]", "", 3)
    yield from _problem(at)


def _ways(at: StepArguments) -> Iterator[Block]:
    """The ways to choose from; a single way without a condition is no choice and goes without saying."""
    if len(at.ways) == 1 and not at.ways[0].condition:
        return
    # Where all lead to one step, the condition decides what to do in this one, such as to stop; no way is the safe one.
    apart = len({way.to for way in at.ways}) > 1
    for number, way in enumerate(at.ways, 1):
        yield Block(_way(way) if apart else way.condition or "otherwise", f"({number}) ", 3)
    if not apart and len(at.ways) > 1:
        yield Block("What to do in each case stands in the step itself.", "", 3)
    if at.suggested:
        yield Block(f"{one_line(at.suggested.reading)} in step {at.suggested.step} says ({at.suggested.way}).", "", 3)


def _action(request: ActionRequest) -> Iterator[Block]:
    if request.name == CHANGED:  # its arguments are hashes, its description says what they mean
        yield Block(request.description, "To be decided: ")
        return
    yield Block(one_line(request.name).replace("_", " "), "To be approved: ")
    if request.description:
        yield Block(request.description, "", 2)
    yield from argument_blocks(request.arguments)


def argument_blocks(arguments: Mapping[str, JsonValue]) -> Iterator[Block]:
    """Every argument in full; text of several lines below its name."""
    for name, value in arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if "\n" in text:
            yield Block(f"{one_line(name)}:", "", 2)
            yield from (Block(line, "| ", 4) for line in text.rstrip("\n").split("\n"))
        else:
            yield Block(text, f"{one_line(name)}: ", 2)


def _problem(at: StepArguments) -> Iterator[Block]:
    if at.problem:
        yield BLANK
        yield Block(at.problem, ">> ")


def _warning(warning: WarningShown) -> Block:
    said = kind_of(warning.text) == warning.kind
    return Block(warning.text, "! " if said else f"! {warning.kind.upper()}: ")


def _way(way: WayShown) -> str:
    leads = f"go to step {way.to}" if way.to else "the procedure ends"
    return f"{way.condition or 'otherwise'}: {leads}"


def _limits(limits: Limits) -> str:
    if limits.words:
        return limits.words
    low, high = (f"{end:g}" if end is not None else "" for end in (limits.low, limits.high))
    if low and high:
        return f"{low} to {high} {limits.unit}".strip()
    return f"{'at least' if low else 'at most'} {low or high} {limits.unit}".strip()


def _marker(label: str) -> str:
    if not label:
        return "-"
    return f"{label}." if label[-1].isalnum() else label


def _cite(at: StepArguments, lines: tuple[int, int]) -> str:
    first, last = lines
    which = f"line {first}" if first == last else f"lines {first}-{last}"
    return f"{one_line(at.sop_title or at.sop)}, {which}"
