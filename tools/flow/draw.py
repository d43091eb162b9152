"""A flow graph as SVG: the steps from top to bottom, forward edges on the right, backward edges on the left."""

from html import escape

from soprag.tools.procedure.plan import Edge, FlowPlan
from soprag.tools.procedure.rendered_steps import ShownStep
from soprag.tools.sop import UNRESOLVED
from soprag.tools.text.sanitize import one_line

_WIDTH, _HEIGHT, _GAP = 430, 34, 26  # box width and height, vertical gap; in pixels
_LEFT, _LANE = 170, 13  # x of the boxes, distance between parallel edges; in pixels
_WORDS, _CONDITION = 56, 34  # longest texts of a step and of a condition; in characters


def svg(plan: FlowPlan) -> str:
    """The SVG; a box shows its step's number and first words, an edge its condition."""
    positions = {step.id: row for row, step in enumerate(plan.steps)}
    parts = [_box(step, positions[step.id], len(plan.ways(step.id)) > 1) for step in plan.steps]
    lane = {"ahead": 0, "back": 0}
    for step in plan.steps:
        source = positions[step.id]
        for target, condition in _goals(plan, step, positions):
            if target == source + 1:
                parts.append(_down(source, condition))
            else:
                side = "ahead" if target > source else "back"
                lane[side] = (lane[side] + 1) % 10
                parts.append(_beside(source, target, lane[side] + 1, condition))
    height = (len(plan.steps) + 1) * (_HEIGHT + _GAP) + 20
    width = _LEFT + _WIDTH + 330
    end = _top(len(plan.steps)) + 12
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#456"/></marker></defs>'
        f'<title>{escape(one_line(plan.title))}</title><rect width="100%" height="100%" fill="white"/>'
    )
    foot = f'<text x="{_LEFT + _WIDTH / 2}" y="{end + 8}" text-anchor="middle" fill="#456">end</text></svg>'
    return head + "".join(parts) + foot


def _goals(plan: FlowPlan, step: ShownStep, positions: dict[str, int]) -> list[tuple[int, str]]:
    """The rows a step leads to, without duplicates, each with the conditions of all its edges."""
    goals: dict[int, list[str]] = {}
    for edge in plan.ways(step.id) or [Edge("")]:
        words = f"{edge.condition} (where to?)" if edge.to == UNRESOLVED else edge.condition
        call = plan.call(step.id, edge.to) if edge.to else None
        back = plan.by_id.get(call.returns) if call else None
        words = f"{words[: _CONDITION - 12]} (then to {back.number if back else 'end'})" if call else words
        goals.setdefault(positions.get(edge.to, len(plan.steps)), []).append(one_line(words.strip(), _CONDITION))
    return [(position, " / ".join(filter(None, conditions))) for position, conditions in goals.items()]


def _top(row: int) -> int:
    return 10 + row * (_HEIGHT + _GAP)


def _box(step: ShownStep, row: int, decides: bool) -> str:
    fill = "#fff3d6" if decides else "#eef4fb"
    edge = "#c33" if step.warnings else "#456"
    words = f"{step.number}. {'(if it applies) ' if step.only_if else ''}{step.text}"
    caption = escape(one_line(words, _WORDS))
    title = escape(one_line(step.text)) + "".join(f"&#10;{escape(one_line(warning.text))}" for warning in step.warnings)
    return (
        f'<g><title>{title}</title><rect x="{_LEFT}" y="{_top(row)}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'rx="{12 if decides else 3}" fill="{fill}" stroke="{edge}" stroke-width="{2 if step.warnings else 1}"/>'
        f'<text x="{_LEFT + 10}" y="{_top(row) + 22}">{caption}</text></g>'
    )


def _down(row: int, condition: str) -> str:
    middle, start = _LEFT + _WIDTH / 2, _top(row) + _HEIGHT
    label = _label(middle + 8, start + _GAP / 2 + 4, condition)
    return f'<path d="M{middle} {start}v{_GAP - 2}" stroke="#456" fill="none" marker-end="url(#tip)"/>{label}'


def _beside(source: int, target: int, lane: int, condition: str) -> str:
    """An edge around the boxes: forward on the right side, backward on the left."""
    ahead = target > source
    edge = _LEFT + _WIDTH if ahead else _LEFT
    turn = edge + lane * _LANE if ahead else edge - lane * _LANE
    start, end = _top(source) + (22 if ahead else 12), _top(target) + (10 if ahead else 24)
    label = _label(turn + 4, end + 3, condition) if ahead else _label(4, end - 4, condition)
    path = f"M{edge} {start}H{turn}V{end}H{edge}"
    return f'<path d="{path}" stroke="#789" fill="none" marker-end="url(#tip)"/>{label}'


def _label(x: float, y: float, condition: str) -> str:
    caption = escape(condition)
    return f'<text x="{x}" y="{y}" fill="#567" font-size="10">{caption}</text>' if caption else ""
