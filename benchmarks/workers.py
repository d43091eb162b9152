"""Builds the same benchmark by the pool of one process and by Dask workers, also when processes are killed.

    python -m soprag.benchmarks.workers [--documents 60] [--sample 16] [--workers 2] [--only CASE ...]

The documents are those of the example library in their formats, and written ones up to the number; a sample of their
SOPs gets questions, and no panel is tried on them. Each case is a build with empty caches: `pool` without workers,
`workers` with them, `archive`, `audit` and `examine` with `kill -9` of one worker in the middle of that stage,
`coordinator` with `kill -9` of the coordinator while questions are written, and `--resume`; on request also `every`,
with a kill in each of the three stages. Prints as JSON, for each case, the seconds of its processes, the ratio to
`pool`, whether the corpus, the questions and the judgements are those of `pool` byte for byte, and what was killed; of
the coordinator's case also how many results were there when it was killed and were written again after it.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from tests.documents import write_procedure

BENCHMARK = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
RESULTS = {"archive": "parsed", "audit": "sops", "examine": "questions"}  # stage → the kind of its results
CASES = ("pool", "workers", *RESULTS, "coordinator")
EVERY = "every"  # the three of RESULTS in one build
_PATIENCE = 900.0  # seconds for one build


def write_documents(folder: Path, count: int) -> None:
    """Documents of the example library, and written ones up to `count`."""
    folder.mkdir()
    with as_file(files("soprag.examples") / "library") as library:
        ready = sorted(file for file in library.rglob("*") if file.is_file())[:count]
        for file in ready:
            shutil.copy(file, folder / file.name)
    for number in range(count - len(ready)):
        write_procedure(folder, number)


def start(documents: Path, folder: Path, workers: int, *more: str) -> "subprocess.Popen[str]":
    """A build in a process of its own with a cache of its own."""
    command = [sys.executable, "-m", "agents.build_benchmark", "--out", str(folder / "run"), "--profile", "offline"]
    command += ["--topic", "plant", "--source", str(documents), "--workers", str(workers), "--quiet", "--json", *more]
    environment = os.environ | {"SOPRAG_RUN__CACHE": str(folder / "cache"), "SOPRAG_EXAMINE__PANEL": "false"}
    with (folder / "said.txt").open("w", encoding="utf-8") as said:  # a pipe that nobody reads would stop it
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=environment, stdout=pipe, stderr=said, text=True, start_new_session=True)


def finish(process: "subprocess.Popen[str]", folder: Path) -> dict[str, Any]:
    """What the build said; ends this program with its message when it failed."""
    out, _ = process.communicate(timeout=_PATIENCE)
    if process.returncode:
        said = (folder / "said.txt").read_text("utf-8")[-2000:]
        raise SystemExit(f"A build ended with {process.returncode}: {out[-2000:]}\n{said}")
    answered: dict[str, Any] = json.loads(out)["data"]
    return answered


def await_results(process: "subprocess.Popen[str]", folder: Path, kind: str, count: int) -> None:
    """Wait until the run has this many results of a kind, or the process has ended."""
    while process.poll() is None and len(list((folder / "run" / kind).glob("*.json"))) < count:
        time.sleep(0.05)


def kill_worker(coordinator: int) -> int:
    """kill -9 of one worker process of this coordinator; its id."""
    import psutil

    children = psutil.Process(coordinator).children()
    workers = [child for child in children if any("spawn_main" in word for word in child.cmdline())]
    os.kill(workers[0].pid, signal.SIGKILL)
    return int(workers[0].pid)


def kill_in(stage: str, process: "subprocess.Popen[str]", folder: Path, count: int) -> str:
    """kill -9 of one worker when a quarter of the stage's `count` results is there; what was killed."""
    await_results(process, folder, RESULTS[stage], count // 4)
    return f"worker {kill_worker(process.pid)}" if process.poll() is None else "nothing: it was too fast"


def written(folder: Path) -> dict[str, float]:
    """When each result of the run was written, by its name."""
    return {
        f"{kind}/{file.name}": file.stat().st_mtime
        for kind in RESULTS.values()
        for file in (folder / "run" / kind).glob("*.json")
    }


def build(case: str, documents: Path, folder: Path, workers: int, sample: int) -> dict[str, Any]:
    """One case; what it told, with the seconds of its processes."""
    folder.mkdir()
    count, began = len(list(documents.iterdir())), time.monotonic()
    process = start(documents, folder, 0 if case == "pool" else workers, "--sample", str(sample))
    told: dict[str, Any] = {}
    stages = [stage for stage in RESULTS if case in (stage, EVERY)]
    if stages:
        counts = {"archive": count, "audit": count, "examine": sample}
        told["killed"] = ", ".join(kill_in(stage, process, folder, counts[stage]) for stage in stages)
    if case == "coordinator":
        await_results(process, folder, RESULTS["examine"], sample // 4)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        before = written(folder)
        process = start(documents, folder, workers, "--resume", str(folder / "run"))
        told["killed"] = f"coordinator {process.pid} after {len(before)} results"
    summary = finish(process, folder)["summary"]
    told["seconds"] = round(time.monotonic() - began, 1)
    if case == "coordinator":
        after = written(folder)
        told["written_again"] = sum(after.get(name) != at for name, at in before.items())
    return told | {name: summary[name] for name in ("parsed", "kept", "sops", "questions", "failed")}


def read(folder: Path) -> list[bytes]:
    """The files of a benchmark that systems are measured with."""
    return [(folder / "run" / "benchmark" / name).read_bytes() for name in BENCHMARK]


def measure(scratch: Path, count: int, sample: int, workers: int, cases: Sequence[str]) -> dict[str, Any]:
    """All cases over the same documents, compared with the first."""
    documents = scratch / "documents"
    write_documents(documents, count)
    table: dict[str, Any] = {}
    for case in cases:
        table[case] = build(case, documents, scratch / case, workers, sample)
        table[case]["ratio"] = round(table[case]["seconds"] / table[cases[0]]["seconds"], 2)
        table[case]["same_bytes"] = read(scratch / case) == read(scratch / cases[0])
        sys.stderr.write(f"{case}: {json.dumps(table[case])}\n")
    return {"documents": count, "sample": sample, "workers": workers, "cases": table}


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--sample", type=int, default=16, help="SOPs that get questions")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=(*CASES, EVERY), default=CASES, help="the first is compared with")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        result = measure(Path(scratch), options.documents, options.sample, options.workers, options.only)
    sys.stdout.write(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
