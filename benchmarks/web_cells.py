"""One cell of the web table: a web by other hands is served, and the Collector and a plain collector run on it.

A folder of webs has `webs.py`, which serves a layout and writes `truth.json` and `requests.jsonl`, and `score.py`,
which scores a collection; `ref.py`, a plain collector, is optional. The pages of a web depend on its port, so every
cell has a port of its own that depends on nothing but its place in the whole table.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soprag.benchmarks.collecting import Job
from soprag.benchmarks.miniweb.score import Limits, Work

ROOT = Path(__file__).resolve().parents[1]
NETWORK = "127.0.1.0/24"  # the sites; 127.0.0.1 on the same port is their intranet
_WEB: dict[str, object] = {"delay": 0.01}
_PLAIN = "import json, sys, ref; print(json.dumps(ref.Collector(sys.argv[1], sys.argv[2], int(sys.argv[3])).collect()))"


@dataclass(frozen=True)
class Cell:
    """One collection of the table: the layout, seed and topic of its web, and the port it is served on."""

    layout: str
    seed: int
    topic: str
    port: int

    @property
    def slug(self) -> str:
        """The topic as part of a path."""
        return self.topic.replace(" ", "-")

    def figures_file(self, out: Path) -> Path:
        """Where the figures of the cell are kept."""
        return out / f"{self.layout}-{self.seed}" / f"{self.slug}.json"


@dataclass(frozen=True)
class Webs:
    """A folder of webs: where its programs are, and the options of `webs.py` that hold for every cell."""

    scripts: Path
    options: list[str]


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


def measure(webs: Webs, cell: Cell, limits: Limits, out: Path, *, compared: bool) -> dict[str, Any]:
    """The figures of one cell, from `out` if they are there; `compared` runs the plain collector too."""
    file = cell.figures_file(out)
    if file.is_file():
        kept: dict[str, Any] = json.loads(file.read_text())
        return kept
    home = file.with_suffix("")
    shutil.rmtree(home, ignore_errors=True)  # of a run that was interrupted
    home.mkdir(parents=True)
    with serving(webs.scripts, cell.layout, cell.seed, webs.options, home, cell.port) as web:
        figures = {"layout": cell.layout, "seed": cell.seed, **_collect(web, cell, limits, home, out / "cache")}
        if compared:
            figures["reference"] = _plain_f1(web, cell.topic, limits.fetches, home / "reference.jsonl")
    file.write_text(json.dumps(figures, indent=1))
    return figures


def _collect(web: Served, cell: Cell, limits: Limits, folder: Path, cache: Path) -> dict[str, Any]:
    """One collection, scored; one that fails counts as empty."""
    web.mark(cell.slug)
    job = Job(
        topic=web.topics[cell.topic], folder=str(folder), base_url=f"http://127.0.0.1:{web.port + 1}", limits=limits,
        cache=str(cache), allow=(NETWORK,), options={"web": _WEB},
    )  # fmt: skip
    work = _run(job, folder)
    rows = folder / "collected.jsonl"
    rows.write_text("".join(json.dumps({"url": url, "sha256": sha, "kept": True}) + "\n" for sha, url in work.kept))
    return web.score(cell.topic, rows, cell.slug) | {"cpu": work.cpu, "seconds": work.seconds}


def _plain_f1(web: Served, topic: str, fetches: int, rows: Path) -> float:
    """The F1 of the plain collector (`ref.py`) on the same web."""
    search = f"http://127.0.0.1:{web.port + 1}/search.json"
    command = [sys.executable, "-c", _PLAIN, search, web.topics[topic], str(fetches)]
    answer = subprocess.run(command, cwd=web.scripts, check=True, capture_output=True)
    rows.write_text("".join(json.dumps(row) + "\n" for row in json.loads(answer.stdout)))
    return float(web.score(topic, rows)["f1"])


def _run(job: Job, folder: Path) -> Work:
    file = folder / "job.json"
    file.write_text(job.model_dump_json())
    environment = {**os.environ, "SERPAPI_API_KEY": "test-key", "OPENBLAS_NUM_THREADS": "1"}
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
