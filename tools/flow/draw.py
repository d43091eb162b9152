"""A flow graph as SVG: steps from top to bottom, each with its ways in words; lines lead to the steps out of order.

No text is cut and none lies over another: words are wrapped, a condition stands in the box of its step, and lines that
pass the same rows have lanes of their own.
"""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from soprag.tools.flow.step_names import printed_number
from soprag.tools.procedure.plan import Edge, FlowPlan
from soprag.tools.procedure.rendered_steps import ShownStep
from soprag.tools.sop import UNRESOLVED
from soprag.tools.text.sanitize import one_line

COLUMNS, FEWEST = 74, 24  # characters of a line in a box, and the fewest that can be asked for
_CHARACTER, _LINE, _PAD, _GAP = 7, 17, 9, 20  # a character's width, a line's height, inside and between boxes; pixels
_LANE, _EDGE = 14, 12  # distance of lanes, margin of the picture; in pixels
_STYLE = (
    "text{font:12px sans-serif;fill:#123}.way{fill:#456}.box{fill:#eef4fb;stroke:#456}.decides{fill:#fff3d6}"
    ".warned{stroke:#c33;stroke-width:2}.here .box{fill:#d8f5d8;stroke:#181;stroke-width:3}"
    "path{stroke:#789;fill:none}path.tip{fill:#456;stroke:none}"
)


@dataclass(frozen=True)
class _Box:
    step: ShownStep
    words: list[str]
    ways: list[str]
    targets: list[int]  # rows; the row after the last step is the end
    top: int
    width: int

    @property
    def height(self) -> int:
        return 2 * _PAD + _LINE * (len(self.words) + len(self.ways))

    @property
    def middle(self) -> int:
        return self.top + self.height // 2


def svg(plan: FlowPlan, at: str = "", columns: int = COLUMNS) -> str:
    """The SVG; the step with the id `at` is marked as the present one, `columns` characters fit a line of a box."""
    columns = max(columns, FEWEST)
    boxes, across = list(_boxes(plan, columns)), _CHARACTER * columns
    bottom = boxes[-1].top + boxes[-1].height + _GAP if boxes else _EDGE
    jumps = [(row, to) for row, box in enumerate(boxes) for to in box.targets if to != row + 1]
    ahead, back = (
        _lanes(jump for jump in jumps if jump[1] > jump[0]),
        _lanes(jump for jump in jumps if jump[1] <= jump[0]),
    )
    left = _EDGE + _LANE * (max(back.values(), default=0) + 1)
    width, height = left + across + _LANE * (max(ahead.values(), default=0) + 2), bottom + 2 * _LINE
    middles = [*(box.middle for box in boxes), bottom + _LINE // 2]
    parts = [_drawn(box, left, here=box.step.id == at) for box in boxes]
    parts += [_down(box, left) for row, box in enumerate(boxes) if row + 1 in box.targets]
    parts += [_beside(left + across, middles, jump, _LANE * (lane + 1)) for jump, lane in ahead.items()]
    parts += [_beside(left, middles, jump, -_LANE * (lane + 1)) for jump, lane in back.items()]
    title = escape(one_line(plan.title))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<style>{_STYLE}</style><defs><marker id='tip' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' "
        "markerHeight='7' orient='auto'><path class='tip' d='M0 0L8 4L0 8z'/></marker></defs>"
        f'<title>{title}</title><rect width="100%" height="100%" fill="white"/>{"".join(parts)}'
        f'<text class="way" x="{left + across // 2}" y="{bottom + _LINE}" text-anchor="middle">end</text></svg>'
    )


def _boxes(plan: FlowPlan, columns: int) -> Iterator[_Box]:
    rows, top = {step.id: row for row, step in enumerate(plan.steps)}, _EDGE
    for step in plan.steps:
        edges = plan.ways(step.id) or [Edge("")]
        applies = f"(only if {one_line(step.only_if)}) " if step.only_if else ""
        lines = f"{_number(plan, step)} {applies}{step.text}".split("\n")
        words = [row for line in lines if line.strip() for row in _wrapped(one_line(line), columns)]
        worded = [edge for edge in edges if edge.condition or len(edges) > 1]
        ways = [line for edge in worded for line in _wrapped(_way(plan, step, edge), columns, "   ")]
        targets = list(dict.fromkeys(rows.get(edge.to, len(rows)) for edge in edges if edge.to != UNRESOLVED))
        box = _Box(step, words, ways, targets, top, _CHARACTER * columns)
        top += box.height + _GAP
        yield box


def _way(plan: FlowPlan, step: ShownStep, edge: Edge) -> str:
    to = plan.by_id.get(edge.to)
    goal = "where to?" if edge.to == UNRESOLVED else _goal(plan, to) if to else "end"
    call = plan.call(step.id, edge.to) if edge.to else None
    back = plan.by_id.get(call.returns) if call else None
    returns = f", then {_goal(plan, back) if back else 'end'}" if call else ""
    return f"→ {one_line(edge.condition) or 'otherwise'}: {goal}{returns}"


def _number(plan: FlowPlan, step: ShownStep) -> str:
    """The number of a box; one that the document does not print is in brackets, where it numbers other steps."""
    if not step.label and any(other.label for other in plan.steps):
        return f"({step.number})"
    return f"{printed_number(step.label, step.number)}."


def _goal(plan: FlowPlan, step: ShownStep) -> str:
    return f"step {_number(plan, step).rstrip('.')}"


def _wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, columns, initial_indent=indent, subsequent_indent=indent + "  ") or [""]


def _lanes(jumps: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """A lane for each line, so that no two lines that pass the same rows share one; short lines are nearest."""
    lanes: dict[tuple[int, int], int] = {}
    for jump in sorted(set(jumps), key=lambda jump: abs(jump[1] - jump[0])):
        first, last = min(jump), max(jump)
        taken = {
            lane for other, lane in lanes.items() if other[1] != jump[1] and min(other) <= last and first <= max(other)
        }
        lanes[jump] = next(lane for lane in range(len(lanes) + 1) if lane not in taken)
    return lanes


def _drawn(box: _Box, left: int, *, here: bool) -> str:
    kinds = ["box", "decides" * (len(box.targets) > 1), "warned" * bool(box.step.warnings)]
    warnings = "".join(f"&#10;{escape(one_line(warning.text))}" for warning in box.step.warnings)
    lines = [(words, "") for words in box.words] + [(way, ' class="way"') for way in box.ways]
    x, first = left + _PAD, box.top + _PAD + 13
    texts = "".join(
        f'<text{kind} x="{x}" y="{first + _LINE * row}" xml:space="preserve">{escape(text)}</text>'
        for row, (text, kind) in enumerate(lines)
    )
    return (
        f'<g class="{"here" if here else "step"}"><title>{escape(one_line(box.step.text))}{warnings}</title>'
        f'<rect class="{" ".join(filter(None, kinds))}" x="{left}" y="{box.top}" width="{box.width}" '
        f'height="{box.height}" rx="4"/>{texts}</g>'
    )


def _down(box: _Box, left: int) -> str:
    start = box.top + box.height
    return f'<path d="M{left + box.width // 2} {start}v{_GAP - 1}" marker-end="url(#tip)"/>'


def _beside(edge: int, middles: list[int], jump: tuple[int, int], out: int) -> str:
    """A line around the boxes from the middle of one row to that of another."""
    start, end = middles[jump[0]] + 4, middles[jump[1]] - 4
    return f'<path d="M{edge} {start}H{edge + out}V{end}H{edge + (1 if out > 0 else -1)}" marker-end="url(#tip)"/>'
