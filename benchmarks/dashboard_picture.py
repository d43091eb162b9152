"""Draws docs/grafana-dashboard.json with the data of a Prometheus: each panel with its title, its query and the result.

    uv run python -m soprag.benchmarks.dashboard_picture --prometheus http://127.0.0.1:9090 --out dashboard.svg

This is no screenshot of Grafana, which need not be there. Panels stand where the file places them, and every query is
asked as Grafana asks it, with the range and the interval in place of its variables; one without data says so.
"""

import argparse
import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

_COLUMN, _ROW, _GAP, _LEFT = 50, 38, 8, 44  # pixels: of Grafana's 24 columns, of its rows, between panels, of an axis
_COLOURS = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#eeca3b")
_POINTS = 120  # of a line

Points = list[tuple[float, float]]


@dataclass(frozen=True)
class DashboardData:
    """Asks a Prometheus at `url` about the last `seconds`."""

    url: str
    seconds: int
    interval: int

    def lines(self, query: str, name: str) -> dict[str, Points]:
        """The values of a query over the range, by the name of each series."""
        end, step = time.time(), max(1, self.seconds // _POINTS)
        answer = self._ask("query_range", query=query, start=end - self.seconds, end=end, step=step)
        return {_named(name, one["metric"]): _points(one["values"]) for one in answer}

    def value(self, query: str) -> float | None:
        """The present value of a query; None without data."""
        answer = self._ask("query", query=query)
        value = float(answer[0]["value"][1]) if answer else math.nan
        return None if math.isnan(value) else value

    def _ask(self, what: str, query: str, **values: float) -> list[Any]:
        text = query.replace("$__rate_interval", f"{self.interval}s").replace("$__range", f"{self.seconds}s")
        with urlopen(f"{self.url}/api/v1/{what}?{urlencode({'query': text, **values})}", timeout=30) as answer:
            result: list[Any] = json.load(answer)["data"]["result"]
        return result


def main() -> None:
    """Draw the dashboard as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prometheus", default="http://127.0.0.1:9090", metavar="URL")
    parser.add_argument("--dashboard", default="docs/grafana-dashboard.json", metavar="FILE")
    parser.add_argument("--seconds", type=int, default=1800, help="The range that is shown, until now.")
    parser.add_argument("--interval", type=int, default=60, help="Seconds that a rate is taken over.")
    parser.add_argument("--out", required=True, metavar="FILE", help="An SVG file.")
    options = parser.parse_args()
    data = DashboardData(options.prometheus, options.seconds, options.interval)
    dashboard = json.loads(Path(options.dashboard).read_text("utf-8"))
    Path(options.out).write_text(picture(dashboard, data), encoding="utf-8")


def picture(dashboard: Mapping[str, Any], data: DashboardData) -> str:
    """The whole dashboard as SVG."""
    places = [panel["gridPos"] for panel in dashboard["panels"]]
    width = _COLUMN * max(place["x"] + place["w"] for place in places)
    height = _ROW * max(place["y"] + place["h"] for place in places)
    panels = "".join(_panel(panel, data) for panel in dashboard["panels"])
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
    return f'{head}<rect width="100%" height="100%" fill="#f4f5f5"/>{panels}</svg>\n'


def _panel(panel: Mapping[str, Any], data: DashboardData) -> str:
    place = panel["gridPos"]
    width, height = place["w"] * _COLUMN - _GAP, place["h"] * _ROW - _GAP
    unit = panel.get("fieldConfig", {}).get("defaults", {}).get("unit", "short")
    queries = [target["expr"] for target in panel["targets"]]
    shown = wrap("; ".join(queries), max(20, width // 5))[: 3 if panel["type"] == "stat" else 4]
    parts = [f'<rect width="{width}" height="{height}" rx="3" fill="white" stroke="#ddd"/>']
    parts += [_text(8, 17, panel["title"], 13, weight="bold")]
    parts += [_text(8, 30 + 10 * number, line, 8, colour="#777") for number, line in enumerate(shown)]
    top = 30 + 10 * len(shown)
    if panel["type"] == "stat":
        value = data.value(queries[0])
        parts.append(_text(8, height - 16, "no data" if value is None else _shown(value, unit), 30))
    else:
        named = [data.lines(target["expr"], target.get("legendFormat", "")) for target in panel["targets"]]
        parts += _chart({name: line for lines in named for name, line in lines.items()}, (width, top, height), unit)
    return f'<g transform="translate({place["x"] * _COLUMN},{place["y"] * _ROW})">{"".join(parts)}</g>'


def _chart(lines: Mapping[str, Points], room: tuple[int, int, int], unit: str) -> Iterator[str]:
    """The lines on one scale from 0, and a legend with the last value of each."""
    width, top, height = room
    lines = {name: line for name, line in lines.items() if line}
    if not lines:
        yield _text(width // 2 - 20, (top + height) // 2, "no data", 14, colour="#777")
        return
    bottom = height - 12 * (len(lines) + 1) // 2 - 10
    highest = max(value for line in lines.values() for _, value in line) or 1.0
    times = [at for line in lines.values() for at, _ in line]
    first, span = min(times), (max(times) - min(times)) or 1.0
    for share in (0.0, 0.5, 1.0):
        level = bottom - share * (bottom - top)
        yield f'<line x1="{_LEFT}" y1="{level:.0f}" x2="{width - 8}" y2="{level:.0f}" stroke="#eee"/>'
        yield _text(6, level + 3, _shown(share * highest, unit), 9)
    for number, (name, line) in enumerate(sorted(lines.items())):
        colour = _COLOURS[number % len(_COLOURS)]
        at = [
            (_LEFT + (width - 8 - _LEFT) * (x - first) / span, bottom - y / highest * (bottom - top)) for x, y in line
        ]
        yield f'<polyline fill="none" stroke="{colour}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in at)}"/>'
        left, level = 8 + number % 2 * (width // 2), bottom + 16 + 12 * (number // 2)
        yield _text(left, level, f"{name}: {_shown(line[-1][1], unit)}", 9, colour=colour)


def _points(values: Sequence[tuple[float, str]]) -> Points:
    return [(float(at), float(value)) for at, value in values if math.isfinite(float(value))]


def _named(name: str, labels: Mapping[str, str]) -> str:
    for label, value in labels.items():
        name = name.replace(f"{{{{{label}}}}}", value)
    return name


def _shown(value: float, unit: str) -> str:
    if unit == "percentunit":
        return f"{100 * value:.1f} %"
    if unit == "currencyUSD":
        return f"$ {value:.2f}"
    return f"{value:.3g}" + {"s": " s", "ops": "/s"}.get(unit, "")


def _text(x: float, y: float, text: str, size: int, colour: str = "#222", weight: str = "normal") -> str:
    style = f'font-size="{size}" fill="{colour}" font-weight="{weight}"'
    return f'<text x="{x:.0f}" y="{y:.0f}" {style}>{escape(text)}</text>'


if __name__ == "__main__":
    main()
