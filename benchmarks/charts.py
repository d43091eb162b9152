"""Small charts as SVG: grouped bars, box plots and histograms."""

import statistics
from collections.abc import Mapping, Sequence
from html import escape

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 720, 320, 50, 50, 20
_COLOURS = ("#4c78a8", "#f58518", "#54a24b", "#b279a2")
_BINS = 20


def bars(series: Mapping[str, Sequence[float]], labels: Sequence[str], highest: float, unit: str) -> str:
    """Grouped bars: one group for each label, one bar for each series, on a scale from 0 to `highest`."""
    group = (_WIDTH - _LEFT) / len(labels)
    width = 0.8 * group / len(series)
    parts = [_axis(0.0, highest, unit), _legend(list(series))]
    for index, label in enumerate(labels):
        parts.append(_text(_LEFT + (index + 0.5) * group, _HEIGHT - _BOTTOM + 18, label))
        for number, values in enumerate(series.values()):
            top = _y(values[index], 0.0, highest)
            left = _LEFT + index * group + 0.1 * group + number * width
            parts.append(_rectangle(left, top, 0.95 * width, _HEIGHT - _BOTTOM - top, number))
            parts.append(_text(left + width / 2, top - 4, f"{values[index]:.2f}", 10))
    return _svg(parts)


def boxes(series: Mapping[str, Sequence[float]], unit: str) -> str:
    """Box plots between 0 and 1: quartiles, median and range; a series of fewer than two values has none."""
    parts = [_axis(0.0, 1.0, unit)]
    step = (_WIDTH - _LEFT) / len(series)
    for number, (name, values) in enumerate(series.items()):
        middle = _LEFT + (number + 0.5) * step
        parts.append(_text(middle, _HEIGHT - _BOTTOM + 18, f"{name} (n = {len(values)})"))
        if len(values) < 2:
            continue
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        parts.append(_line(middle, _y(min(values), 0, 1), middle, _y(max(values), 0, 1)))
        parts.append(_rectangle(middle - 40, _y(high, 0, 1), 80, _y(low, 0, 1) - _y(high, 0, 1), number))
        parts.append(_line(middle - 40, _y(median, 0, 1), middle + 40, _y(median, 0, 1)))
    return _svg(parts)


def histogram(series: Mapping[str, Sequence[float]], unit: str) -> str:
    """The share of the values of each series in 20 bins between 0 and 1, side by side."""
    shares = {name: _shares(values) for name, values in series.items()}
    highest = max((share for own in shares.values() for share in own), default=0.0) or 1.0
    parts = [_axis(0.0, highest, "share"), _legend(list(series)), _text(_WIDTH / 2, _HEIGHT - 8, unit)]
    step = (_WIDTH - _LEFT) / _BINS
    for bin_number in range(_BINS):
        if bin_number % 4 == 0:
            parts.append(_text(_LEFT + bin_number * step, _HEIGHT - _BOTTOM + 18, f"{bin_number / _BINS:.1f}"))
        for number, own in enumerate(shares.values()):
            top = _y(own[bin_number], 0.0, highest)
            left = _LEFT + bin_number * step + number * 0.45 * step
            parts.append(_rectangle(left, top, 0.42 * step, _HEIGHT - _BOTTOM - top, number))
    return _svg(parts)


def _shares(values: Sequence[float]) -> list[float]:
    counts = [0] * _BINS
    for value in values:
        counts[min(_BINS - 1, max(0, int(value * _BINS)))] += 1
    return [count / max(1, len(values)) for count in counts]


def _y(value: float, low: float, high: float) -> float:
    room = _HEIGHT - _BOTTOM - _TOP
    return _HEIGHT - _BOTTOM - room * (min(max(value, low), high) - low) / (high - low)


def _axis(low: float, high: float, unit: str) -> str:
    ticks = [low + (high - low) * step / 4 for step in range(5)]
    lines = [_line(_LEFT, _y(tick, low, high), _WIDTH, _y(tick, low, high), "#ddd") for tick in ticks]
    marks = [_text(_LEFT - 18, _y(tick, low, high) + 4, f"{tick:.2g}") for tick in ticks]
    return "".join((*lines, *marks, _text(_LEFT, 12, unit)))


def _legend(names: Sequence[str]) -> str:
    parts = []
    for number, name in enumerate(names):
        left = _WIDTH - 150 * (len(names) - number)
        parts.append(_rectangle(left, 4, 10, 10, number) + _text(left + 70, 13, name))
    return "".join(parts)


def _rectangle(left: float, top: float, width: float, height: float, number: int) -> str:
    colour = _COLOURS[number % len(_COLOURS)]
    return f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{max(0.0, height):.1f}" fill="{colour}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = "#222") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, text: str, size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="middle">{escape(text)}</text>'


def _svg(parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif">'
    return f'{head}<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n'
