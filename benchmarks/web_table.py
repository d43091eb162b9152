"""The Collector on webs that other people wrote: every layout, topic and seed, in one table.

    uv run python -m soprag.benchmarks.web_table --webs ../shared/webs --seeds 1 2 --reference --jobs 4 --out DIR

Every collection runs in a process of its own, on a web of its own, with rules in place of a chat model
(`benchmarks/web_cells.py`). Its row is printed when it and those above it are done; the rows do not depend on `--jobs`.
With `--out` the table is written there as `table.json` and `table.md`, and an interrupted table goes on where it
stopped. Exit code 1 when a figure misses its target, 2 when the folder is missing.
"""

import argparse
import json
import statistics
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from soprag.benchmarks.miniweb.score import Limits
from soprag.benchmarks.web_cells import ROOT, Cell, Webs, measure

LAYOUTS = ("docs", "wiki", "corporate", "forge", "lab", "forum", "mirror", "feeds", "all")
LIMITS = Limits(credits=50, fetches=400, seconds=1800.0)
MEAN_PRECISION, MEAN_F1, WORST_F1 = 0.92, 0.75, 0.45
_HEAD = f"{'layout':10}{'seed':>5} {'topic':12} {'prec':>5} {'recall':>6} {'f1':>5} {'req':>5} {'srch':>5} {'cpu s':>6}"

Figures = dict[str, Any]  # of one cell, as `score.py` of the webs names them


def main() -> None:
    """Run every cell, print the table, and compare the means with the targets."""
    options = _options()
    scripts = options.webs.resolve()
    if not (scripts / "webs.py").is_file():
        sys.stderr.write(f"{scripts} has no webs.py; name a folder of webs with --webs. Nothing was measured.\n")
        sys.exit(2)
    with tempfile.TemporaryDirectory() as temporary:
        out = (options.out or Path(temporary)).resolve()
        figures = _table(options, scripts, out)
        summary = summarise(figures)
        (out / "table.json").write_text(json.dumps({"summary": summary, "cells": figures}, indent=1))
        (out / "table.md").write_text(markdown(figures))
    sys.stdout.write(json.dumps({"summary": summary, "cells": figures}, indent=1) if options.json else totals(summary))
    sys.stdout.write("\n")
    sys.exit(missed(summary))


def _table(options: argparse.Namespace, scripts: Path, out: Path) -> list[Figures]:
    """The figures of all cells in their order; `--jobs` of them are collected at once."""
    extra = [part for pair in options.set for part in ("--set", pair)] + ["--config", str(options.config.resolve())]
    limits = LIMITS.model_copy(update={"credits": options.credits, "fetches": options.fetches})
    collect = partial(measure, Webs(scripts, extra), limits=limits, out=out, compared=options.reference)
    topics = [topic["name"] for topic in tomllib.loads(options.config.read_text())["topics"]]
    chosen = [
        cell for cell in cells(options.seeds, options.layouts, topics, options.port)
        if not options.topics or cell.topic in options.topics
    ]  # fmt: skip
    with ThreadPoolExecutor(options.jobs) as pool:
        return list(_printed(pool.map(collect, chosen), options))


def cells(seeds: Iterable[int], layouts: Sequence[str], topics: Sequence[str], port: int) -> list[Cell]:
    """The cells of a table; the port of a cell is the same whichever other cells are chosen."""
    order = [*LAYOUTS, *(layout for layout in layouts if layout not in LAYOUTS)]
    return [
        Cell(layout, seed, topic, port + 2 * ((seed * len(order) + order.index(layout)) * len(topics) + place))
        for seed in seeds
        for layout in layouts
        for place, topic in enumerate(topics)
    ]


def _printed(rows: Iterable[Figures], options: argparse.Namespace) -> Iterable[Figures]:
    """The same rows, each printed when it is there; nothing is printed with `--json`."""
    if not options.json:
        sys.stdout.write(_HEAD + (f" {'ref f1':>6}" if options.reference else "") + "  traps\n")
    for cell in rows:
        if not options.json:
            sys.stdout.write(_line(cell))
            sys.stdout.flush()
        yield cell


def _line(cell: Figures) -> str:
    line = f"{cell['layout']:10}{cell['seed']:5} {cell['topic']:12} {cell['precision']:5.2f} {cell['recall']:6.2f} "
    line += f"{cell['f1']:5.2f} {cell['requests']:5} {cell['searches']:5} {cell['cpu']:6.1f}"
    line += f" {cell['reference']:6.2f}" if "reference" in cell else ""
    return f"{line}  {cell['trap requests'] or '-'}\n"


def summarise(figures: Sequence[Figures]) -> dict[str, float]:
    """Means, extremes and counts over all cells; a cell is behind when its F1 is not above that of the reference."""
    f1 = [cell["f1"] for cell in figures]
    return {
        "cells": len(figures),
        "mean precision": round(statistics.mean(cell["precision"] for cell in figures), 3),
        "mean recall": round(statistics.mean(cell["recall"] for cell in figures), 3),
        "mean F1": round(statistics.mean(f1), 3),
        "worst F1": min(f1),
        "behind the reference": sum(cell["f1"] <= cell.get("reference", -1.0) for cell in figures),
        "trap requests": sum(sum(cell["trap requests"].values()) for cell in figures),
        "empty results": sum(not cell["kept"] for cell in figures),
        "requests": sum(cell["requests"] for cell in figures),
        "searches": sum(cell["searches"] for cell in figures),
    }


def totals(summary: dict[str, float]) -> str:
    """The summary in words, with the targets."""
    targets = {"mean precision": MEAN_PRECISION, "mean F1": MEAN_F1, "worst F1": WORST_F1}
    targets |= {"behind the reference": 0, "trap requests": 0, "empty results": 0}
    lines = (
        f"{name}: {value}" + (f" (target {targets[name]})" if name in targets else "")
        for name, value in summary.items()
    )
    return "\n".join(lines)


def missed(summary: dict[str, float]) -> bool:
    """Whether a figure misses its target."""
    low = summary["mean precision"] < MEAN_PRECISION or summary["mean F1"] < MEAN_F1 or summary["worst F1"] < WORST_F1
    return low or any(summary[name] for name in ("behind the reference", "trap requests", "empty results"))


def markdown(figures: Sequence[Figures]) -> str:
    """The table with its summary, for the documentation."""
    head = "| layout | seed | topic | precision | recall | F1 | requests | searches | plain collector F1 |\n"
    rows = (
        f"| {cell['layout']} | {cell['seed']} | {cell['topic']} | {cell['precision']:.2f} | {cell['recall']:.2f} "
        f"| {cell['f1']:.2f} | {cell['requests']} | {cell['searches']} "
        f"| {format(cell['reference'], '.2f') if 'reference' in cell else ''} |\n"
        for cell in figures
    )
    return head + "|---" * 9 + "|\n" + "".join(rows) + "\n" + totals(summarise(figures)).replace("\n", "  \n") + "\n"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--webs", type=Path, default=ROOT.parent / "shared" / "webs", help="folder with webs.py")
    parser.add_argument("--layouts", nargs="+", default=list(LAYOUTS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--topics", nargs="+", default=[], help="default: all topics of the config")
    parser.add_argument("--config", type=Path, help="corpora and topics, as TOML; default: dev.toml of the webs")
    parser.add_argument("--set", nargs="+", default=[f"examples={ROOT / 'examples' / 'sources'}"], metavar="NAME=PATH")
    parser.add_argument("--credits", type=int, default=LIMITS.credits)
    parser.add_argument("--fetches", type=int, default=LIMITS.fetches)
    parser.add_argument("--reference", action="store_true", help="run ref.py of the webs beside the Collector")
    parser.add_argument(
        "--jobs", type=int, default=1, help="cells that are collected at once; each uses two processors"
    )
    parser.add_argument("--port", type=int, default=20000, help="first of the ports on which the webs are served")
    parser.add_argument("--out", type=Path, help="folder that keeps collections, figures, request logs and the table")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON in place of the table")
    options = parser.parse_args()
    options.config = options.config or options.webs / "dev.toml"
    return options


if __name__ == "__main__":
    main()
