"""The Collector on webs that other people wrote: every layout, topic and seed, in one table.

    uv run python -m soprag.benchmarks.web_table --webs ../shared/webs --seeds 1 2 --reference --out DIR

A folder of webs has `webs.py`, which serves a layout and writes `truth.json` and `requests.jsonl`, and `score.py`,
which scores a collection; `ref.py`, a plain collector, is optional. Every collection runs in a process of its own, with
rules in place of a chat model, and its row is printed when it is done. With `--out` an interrupted table goes on where
it stopped. Exit code 1 when a figure misses its target, 2 when the folder is missing.
"""

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soprag.benchmarks.collecting import Job
from soprag.benchmarks.miniweb.score import Limits, Work

ROOT = Path(__file__).resolve().parents[1]
LAYOUTS = ("docs", "wiki", "corporate", "forge", "lab", "forum", "mirror", "feeds", "all")
NETWORK = "127.0.1.0/24"  # the sites; 127.0.0.1 on the same port is their intranet
LIMITS = Limits(credits=50, fetches=400, seconds=1800.0)
MEAN_PRECISION, MEAN_F1, WORST_F1 = 0.92, 0.75, 0.45
_HEAD = f"{'layout':10}{'seed':>5} {'topic':12} {'prec':>5} {'recall':>6} {'f1':>5} {'req':>5} {'srch':>5} {'cpu s':>6}"


@dataclass(frozen=True)
class Served:
    """A web that is being served: its port (the search service has the next one) and its output folder."""

    scripts: Path
    folder: Path
    port: int

    @property
    def topics(self) -> dict[str, str]:
        """The phrase of each topic."""
        truth = json.loads((self.folder / "truth.json").read_text())
        return {name: facts["phrase"] for name, facts in truth["topics"].items()}

    def mark(self, name: str) -> None:
        """Note in the request log that a collection begins."""
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}/__mark__/{name}", timeout=10).close()

    def score(self, topic: str, rows: Path, mark: str = "") -> dict[str, Any]:
        """The figures of one collection, from the web's own scorer; with a mark also those of its requests."""
        command = [sys.executable, "score.py", str(self.folder / "truth.json"), topic, str(rows)]
        command += ["--requests", str(self.folder / "requests.jsonl"), "--mark", mark] if mark else []
        answer = subprocess.run(command, cwd=self.scripts, check=True, capture_output=True)
        figures: dict[str, Any] = json.loads(answer.stdout)
        return figures


@contextmanager
def serving(scripts: Path, layout: str, seed: int, options: list[str], folder: Path, port: int = 0) -> Iterator[Served]:
    """Serve one web for the duration of the block; without a port, on a free one."""
    port = port or _free_port()
    command = [sys.executable, "webs.py", "--layout", layout, "--seed", str(seed), "--port", str(port)]
    command += ["--out", str(folder), "--minutes", "600", *options]
    with subprocess.Popen(command, cwd=scripts, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            if not process.stdout.readline():
                raise SystemExit(f"{' '.join(command)} ended with status {process.wait()}.")
            yield Served(scripts, folder, port)
        finally:
            process.kill()


def collect(web: Served, topic: str, limits: Limits, folder: Path, cache: str) -> dict[str, Any]:
    """One collection, scored; one that fails counts as empty."""
    mark = topic.replace(" ", "-")
    web.mark(mark)
    job = Job(
        topic=web.topics[topic], folder=str(folder), base_url=f"http://127.0.0.1:{web.port + 1}", limits=limits,
        cache=cache, allow=(NETWORK,), options={"web": {"delay": 0.01}},
    )  # fmt: skip
    work = _run(job, folder)
    rows = folder / "collected.jsonl"
    rows.write_text("".join(json.dumps({"url": url, "sha256": sha, "kept": True}) + "\n" for sha, url in work.kept))
    return web.score(topic, rows, mark) | {"cpu": work.cpu, "seconds": work.seconds}


def reference(scripts: Path, layout: str, seed: int, options: list[str], folder: Path, port: int) -> None:
    """Run the plain collector of the webs (`ref.py`), which serves the same web by itself; its rows go to `folder`."""
    command = [sys.executable, "ref.py", "--layouts", layout, "--seed", str(seed), "--port", str(port)]
    subprocess.run([*command, "--out", str(folder), *options], cwd=scripts, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Run every cell, print the table, and compare the means with the targets."""
    options = _options()
    scripts = options.webs.resolve()
    if not (scripts / "webs.py").is_file():
        sys.stderr.write(f"{scripts} has no webs.py; name a folder of webs with --webs. Nothing was measured.\n")
        sys.exit(2)
    limits = LIMITS.model_copy(update={"credits": options.credits, "fetches": options.fetches})
    cells: list[dict[str, Any]] = []
    sys.stdout.write(_HEAD + (f" {'ref f1':>6}" if options.reference else "") + "  traps\n")
    for seed in options.seeds:
        for layout in options.layouts:
            cells += _layout(scripts, layout, seed, options, limits)
    sys.exit(_summary(cells, options.reference))


def _layout(
    scripts: Path, layout: str, seed: int, options: argparse.Namespace, limits: Limits
) -> Iterator[dict[str, Any]]:
    """The cells of one web; those that `--out` holds already are read from there."""
    extra = [part for pair in options.set for part in ("--set", pair)] + ["--config", str(options.config.resolve())]
    topics = options.topics or [topic["name"] for topic in tomllib.loads(options.config.read_text())["topics"]]
    with tempfile.TemporaryDirectory() as temporary:
        home = (options.out / f"{layout}-{seed}" if options.out else Path(temporary)).resolve()
        home.mkdir(parents=True, exist_ok=True)
        files = {topic: home / f"{topic.replace(' ', '-')}.json" for topic in topics}
        missing = [topic for topic, file in files.items() if not file.is_file()]
        for topic in [topic for topic in topics if topic not in missing]:
            yield _print(json.loads(files[topic].read_text()))
        if not missing:
            return
        port = _free_port()
        if options.reference:
            budget = ["--budget", str(limits.fetches)]
            reference(scripts, layout, seed, extra + budget, home / "reference", port)
        with serving(scripts, layout, seed, extra, home, port) as web:
            for topic in missing:
                cell = {"layout": layout, "seed": seed, **_cell(web, topic, limits, home, options)}
                files[topic].write_text(json.dumps(cell, indent=1))
                yield _print(cell)


def _cell(web: Served, topic: str, limits: Limits, home: Path, options: argparse.Namespace) -> dict[str, Any]:
    folder = home / topic.replace(" ", "-")
    shutil.rmtree(folder, ignore_errors=True)  # of a run that was interrupted
    folder.mkdir()
    cell = collect(web, topic, limits, folder, str((options.out or home).resolve() / "cache"))
    if options.reference:
        rows = next((home / "reference").glob(f"*-{folder.name}.jsonl"))
        cell["reference"] = web.score(topic, rows)["f1"]
    return cell


def _print(cell: dict[str, Any]) -> dict[str, Any]:
    line = f"{cell['layout']:10}{cell['seed']:5} {cell['topic']:12} {cell['precision']:5.2f} {cell['recall']:6.2f} "
    line += f"{cell['f1']:5.2f} {cell['requests']:5} {cell['searches']:5} {cell['cpu']:6.1f}"
    line += f" {cell['reference']:6.2f}" if "reference" in cell else ""
    sys.stdout.write(f"{line}  {cell['trap requests'] or '-'}\n")
    sys.stdout.flush()
    return cell


def _summary(cells: list[dict[str, Any]], compared: bool) -> bool:
    """Print the means; true when a target is missed."""
    precision, f1 = (statistics.mean(cell[name] for cell in cells) for name in ("precision", "f1"))
    worst, traps = min(cell["f1"] for cell in cells), sum(bool(cell["trap requests"]) for cell in cells)
    behind = sum(cell["f1"] <= cell["reference"] for cell in cells) if compared else 0
    sys.stdout.write(
        f"{len(cells)} cells: mean precision {precision:.3f} (target {MEAN_PRECISION}), mean F1 {f1:.3f} "
        f"(target {MEAN_F1}), worst F1 {worst:.3f} (target {WORST_F1}), trap requests in {traps} cells"
        + (f", behind the reference in {behind} cells\n" if compared else "\n")
    )
    return precision < MEAN_PRECISION or f1 < MEAN_F1 or worst < WORST_F1 or bool(traps or behind)


def _run(job: Job, folder: Path) -> Work:
    file = folder / "job.json"
    file.write_text(job.model_dump_json())
    environment = {**os.environ, "SERPAPI_API_KEY": "test-key"}
    with (folder / "stderr.txt").open("wb") as log:
        command = [sys.executable, "-m", "soprag.benchmarks.collecting", str(file)]
        answer = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=log, check=False)
    if answer.returncode:
        return Work(kept=(), seconds=0.0)
    return Work.model_validate_json(answer.stdout)


def _free_port() -> int:
    """A port that is free together with the next one."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = int(first.getsockname()[1])
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


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
    parser.add_argument("--out", type=Path, help="folder that keeps collections, figures and request logs")
    options = parser.parse_args()
    options.config = options.config or options.webs / "dev.toml"
    return options


if __name__ == "__main__":
    main()
