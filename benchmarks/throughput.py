"""How long the benchmark builder takes when every answer of the chat model takes a second, against the ideal.

    python -m soprag.benchmarks.throughput [--documents 64] [--seconds 1.0] [--concurrency 16] [--workers 0]

Builds a benchmark from documents written for the purpose, with nothing cached, over a chat server on loopback that
answers by the rules. A first run without delay lets the server remember its answers, so that it takes no time of its
own in the second. The ideal is calls · seconds / concurrency; in whole rounds it is ceil(calls / concurrency) · seconds
for audit and examine, of which one begins when the other has ended. Prints the time of the run, that of the whole
process with its start, the most requests that were under way at once, and the ratios, as JSON; `processor` are the
seconds of it that all processes of the build used, which bound the run on a busy machine. The panel of retrieval
systems, which asks no model, is left out. With `--workers` the
documents are worked on by Dask workers; the concurrency is then still that of the run, so that two workers with twice
the concurrency are to take half the time. `work` is the time from the first request to the last answer, without the
start of the workers.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests import operator
from tests.documents import write_procedure
from tests.loopback import Loopback


class Memory:
    """Answers by the rules, each worked out once; notes when each task was first and last asked for."""

    def __init__(self) -> None:
        self._answers: dict[str, object] = {}
        self.asked: dict[str, list[float]] = {}

    def answer(self, body: dict[str, Any]) -> object:
        """What the rules say to this request."""
        task = operator.task_of(body)
        self.asked.setdefault(task, []).append(time.monotonic())
        key = task + json.dumps(body["messages"])
        if key not in self._answers:
            answer = operator.answer(body)
            self._answers[key] = _asked_for(answer, body) if task == "questions" else answer
        return self._answers[key]


def _asked_for(answer: Any, body: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """As many drafts as the request asks for, as a model gives them; the rules give several for each level."""
    fields = {name: text for name, _, text in operator.FIELD.findall(body["messages"][1]["content"])}
    wanted = Counter(json.loads(fields["levels"]))
    drafts = []
    for draft in answer["questions"]:
        if wanted[draft["level"]] > 0:
            wanted[draft["level"]] -= 1
            drafts.append(draft)
    return answer | {"questions": drafts}


def build(
    documents: Path, folder: Path, memory: Memory, seconds: float, concurrency: int, workers: int = 0
) -> dict[str, Any]:
    """One build in a process of its own with empty caches; what it said and how long it took."""
    memory.asked.clear()
    folder.mkdir()
    command = [sys.executable, "-m", "agents.build_benchmark", "--topic", "pumps", "--source", str(documents)]
    with Loopback(answer=memory.answer, delay=seconds) as server:
        options = ["--model", "openai:scripted", "--base-url", server.url, "--concurrency", str(concurrency)]
        options += ["--workers", str(workers), "--json"]
        environment = os.environ | {"OPENAI_API_KEY": "loopback", "XDG_CACHE_HOME": str(folder / "cache")}
        environment["SOPRAG_EXAMINE__PANEL"] = "false"
        began, used = time.monotonic(), _processor()
        command += [*options, "--out", str(folder / "run")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        wall = time.monotonic() - began
    if done.returncode:
        raise SystemExit(done.stderr)
    run = float(json.loads(done.stdout)["data"]["seconds"])
    spans = {task: [round(times[0] - began, 1), round(times[-1] - began, 1)] for task, times in memory.asked.items()}
    calls = {task: len(times) for task, times in memory.asked.items()}
    work = max(span[1] for span in spans.values()) - min(span[0] for span in spans.values()) + seconds
    clocks = {"run": run, "process": round(wall, 1), "work": round(work, 1), "processor": round(_processor() - used, 1)}
    return {"calls": calls, **clocks, "peak": server.peak, "first_and_last_asked": spans}


def _processor() -> float:
    """Seconds of the processor of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compare(timed: dict[str, Any], seconds: float, concurrency: int) -> dict[str, Any]:
    """What `build` told, with the two ideals and how many times them it took."""
    requests, examine = sum(timed["calls"].values()), timed["calls"]["questions"]  # all else is asked by the audit
    ideal = requests * seconds / concurrency
    rounds = sum(math.ceil(calls / concurrency) for calls in (requests - examine, examine)) * seconds
    ratios = {
        f"{clock}_to_{name}": round(timed[clock] / best, 2)
        for name, best in (("ideal", ideal), ("rounds", rounds))
        for clock in ("run", "process", "work")
        if best
    }
    return timed | {"ideal": round(ideal, 1), "rounds": rounds} | ratios


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each answer takes")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--workers", type=int, default=0, help="Dask workers; 0: none")
    options = parser.parse_args()
    memory = Memory()
    with tempfile.TemporaryDirectory() as scratch:
        documents = Path(scratch) / "documents"
        documents.mkdir()
        for number in range(options.documents):
            write_procedure(documents, number)
        build(documents, Path(scratch) / "first", memory, 0.0, options.concurrency)
        timed = build(documents, Path(scratch) / "timed", memory, options.seconds, options.concurrency, options.workers)
    sys.stdout.write(json.dumps(compare(timed, options.seconds, options.concurrency), indent=1) + "\n")


if __name__ == "__main__":
    main()
