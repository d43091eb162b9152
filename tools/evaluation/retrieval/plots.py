"""The plots of the report as lines, dots, curves and labels in pixels; the template renders them as SVG."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from soprag.tools.evaluation.retrieval.density import density
from soprag.tools.evaluation.retrieval.records import SystemResult
from soprag.tools.evaluation.retrieval.trial import TOTAL

WIDTH = 480  # narrow, so that its words can be read at 390 pixels too
ROW = 24  # pixels of one system in a list of them
LETTER = 7.4  # pixels a letter is wide on a narrow screen, about
VIEWS = ("entity", "causal", "flow")


@dataclass(frozen=True)
class PlotLine:
    """From one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float
    css: str = "grid"


@dataclass(frozen=True)
class Dot:
    """A point with words that show when the mouse is over it."""

    x: float
    y: float
    css: str
    title: str


@dataclass(frozen=True)
class Curve:
    """A curve through `points`, written as SVG wants them; filled when `css` says so."""

    points: str
    css: str


@dataclass(frozen=True)
class Label:
    """Words at a point; `anchor` is start, middle or end."""

    x: float
    y: float
    text: str
    anchor: str = "middle"
    css: str = "tick"


@dataclass(frozen=True)
class Drawing:
    """One plot."""

    title: str
    height: float
    marks: tuple[PlotLine | Dot | Curve | Label, ...]
    width: float = WIDTH


@dataclass(frozen=True)
class Axis:
    """Values from `low` to `high` on pixels from `begin` to `end`, in equal steps or equal ratios."""

    low: float
    high: float
    begin: float
    end: float
    ratios: bool = False

    def at(self, value: float) -> float:
        """The pixel of a value."""
        low, high, value = (
            (math.log(v) for v in (self.low, self.high, value)) if self.ratios else (self.low, self.high, value)
        )
        return self.begin + (value - low) / (high - low) * (self.end - self.begin)

    def ticks(self) -> list[float]:
        """Round values on the axis."""
        if self.ratios:
            return [10.0**power for power in range(round(math.log10(self.low)), round(math.log10(self.high)) + 1)]
        step = next(s for s in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 1e9) if (self.high - self.low) / s <= 8)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [n * step for n in range(first, last + 1)]


def interval_plot(systems: Sequence[SystemResult]) -> Drawing:
    """MRR of every system with its interval."""
    estimates = [system.metrics["MRR"] for system in systems]
    axis = Axis(_lowest(e.low for e in estimates), 1.0, 134, WIDTH - 12)
    bottom = 8 + ROW * len(systems)
    marks: list[PlotLine | Dot | Curve | Label] = [*_vertical(axis, 4, bottom)]
    for row, (system, estimate) in enumerate(zip(systems, estimates, strict=True)):
        y = 8 + ROW * (row + 0.5)
        title = f"{system.name}: MRR {estimate.mean:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"
        marks += [
            Label(126, y + 4, system.name, "end", "name"),
            PlotLine(axis.at(estimate.low), y, axis.at(estimate.high), y, f"whisker {system.kind}"),
            Dot(axis.at(estimate.mean), y, system.kind, title),
        ]
    return Drawing("MRR with 95 % confidence interval", bottom + 22, tuple(marks))


def trade_off_plot(systems: Sequence[SystemResult]) -> Drawing:
    """MRR against median milliseconds per question."""
    times = [max(system.latency[TOTAL].median, 1e-3) for system in systems]
    means = [system.metrics["MRR"].mean for system in systems]
    across = Axis(
        10.0 ** math.floor(math.log10(min(times))),
        10.0 ** (math.floor(math.log10(max(times))) + 1),
        60,
        WIDTH - 20,
        True,
    )
    up = Axis(_lowest(means), 1.0, 300, 12)
    marks: list[PlotLine | Dot | Curve | Label] = [*_vertical(across, 12, 300), *_horizontal(up, 60, WIDTH - 20)]
    taken: list[tuple[float, float, float]] = [
        (across.at(t), up.at(m), 10.0) for t, m in zip(times, means, strict=True)
    ]
    for system, time, mean in zip(systems, times, means, strict=True):
        x, y = across.at(time), up.at(mean)
        marks.append(Dot(x, y, system.kind, f"{system.name}: MRR {mean:.3f}, {time:.1f} ms"))
        marks.append(_free_label(x, y, system.name, taken))
    marks += [Label((60 + WIDTH - 20) / 2, 338, "median ms per question")]
    return Drawing("Quality (MRR) and latency", 346, tuple(marks))


def density_plot(system: SystemResult) -> Drawing:
    """How the router's weights of the three views are spread over the questions (paper, Fig. 5)."""
    weights = np.array(system.weights or ((0.0, 0.0, 0.0),))
    curves = [density(weights[:, view]) for view in range(len(VIEWS))]
    across, up = Axis(0, 1, 40, WIDTH - 20), Axis(0, max(float(ys.max()) for _, ys in curves) * 1.05, 230, 12)
    marks: list[PlotLine | Dot | Curve | Label] = [*_vertical(across, 12, 230)]
    for index, (view, (xs, ys)) in enumerate(zip(VIEWS, curves, strict=True)):
        points = [f"{across.at(x):.1f},{up.at(y):.1f}" for x, y in zip(xs, ys, strict=True)]
        marks.append(Curve(" ".join([f"{across.at(0)},230", *points, f"{across.at(1)},230"]), f"area {view}"))
        marks.append(
            Label(WIDTH - 30, 30 + 18 * index, f"{view}, mean {weights[:, index].mean():.2f}", "end", f"name {view}")
        )
    marks.append(Label((40 + WIDTH - 20) / 2, 268, "weight of the view"))
    return Drawing(f"Gating weights of {system.name}", 276, tuple(marks))


def _lowest(values: Iterable[float]) -> float:
    """Where an axis of shares that ends at 1 begins."""
    return min(math.floor(min(values) * 10) / 10, 0.9)


def _vertical(axis: Axis, top: float, bottom: float) -> list[PlotLine | Label]:
    lines = [PlotLine(axis.at(tick), top, axis.at(tick), bottom) for tick in axis.ticks()]
    return [*lines, *(Label(axis.at(tick), bottom + 16, f"{tick:g}") for tick in axis.ticks())]


def _horizontal(axis: Axis, x_start: float, x_end: float) -> list[PlotLine | Label]:
    lines = [PlotLine(x_start, axis.at(tick), x_end, axis.at(tick)) for tick in axis.ticks()]
    return [*lines, *(Label(x_start - 8, axis.at(tick) + 4, f"{tick:g}", "end") for tick in axis.ticks())]


def _free_label(x: float, y: float, text: str, taken: list[tuple[float, float, float]]) -> Label:
    """The words beside the dot where nothing else is written; `taken` has (left, middle, width) and gets this one."""
    width = LETTER * len(text)
    sides = [("start", x + 9, x + 9), ("end", x - 9, x - 9 - width)]
    tries = [
        (anchor, x_text, x_start, y + down)
        for down in (0, -12, 12, -24, 24, -36, 36)
        for anchor, x_text, x_start in sides
    ]
    fits = (
        option
        for option in tries
        if option[2] > 60 and option[2] + width < WIDTH and _is_free(option[2], option[3], width, taken)
    )
    anchor, x_text, x_start, middle = next(fits, tries[0])
    taken.append((x_start, middle, width))
    return Label(x_text, middle + 4, text, anchor, "name")


def _is_free(x_start: float, middle: float, width: float, taken: list[tuple[float, float, float]]) -> bool:
    return all(abs(middle - m) >= 11 or x_start + width < begin or begin + w < x_start for begin, m, w in taken)
