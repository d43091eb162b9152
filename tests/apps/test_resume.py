"""A run killed in any stage goes on, ends with the same benchmark, and pays for no answer twice."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests import operator
from tests.documents import write_memo, write_procedure
from tests.loopback import Loopback
from tools.sop import digest

ROOT = Path(__file__).parents[2]
BENCHMARK = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
# The run is killed as soon as a file like this appears: once in each stage.
MOMENTS = ("search/phrases.json", "documents/*.json", "parsed/*.json", "sops/*.json", "questions/*.json")

pytestmark = pytest.mark.slow


def start(cwd: Path, server: Loopback, *more: str) -> "subprocess.Popen[bytes]":
    """The documented command against the loopback model, one item at a time."""
    command = ["--topic", "Pumps", "--source", "documents", "--out", "run", "--concurrency", "1", "--questions", "3"]
    command += ["--model", "openai:operator", "--base-url", server.url, *more]
    kept = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "SOPRAG_RUN__CACHE": str(cwd / "cache")}
    return subprocess.Popen(
        [sys.executable, "-m", "agents.build_benchmark", *command],
        cwd=cwd, env=kept | {"OPENAI_API_KEY": "sk-none", "SOPRAG_LLM__CACHE": "false"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


def kill_when(process: "subprocess.Popen[bytes]", run: Path, pattern: str) -> None:
    """kill -9 the whole process group as soon as a file like `pattern` is in the run folder."""
    for _ in range(6000):
        if list(run.glob(pattern)) or process.poll() is not None:
            break
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(20)


def requests(server: Loopback) -> Counter[tuple[str, str]]:
    """How often each question was put to the model: (task, hash of the user message)."""
    asked = [received.body for received in server.requests]
    return Counter((operator.task_of(body), digest(body["messages"][1]["content"])) for body in asked)


def read(folder: Path) -> list[bytes]:
    return [(folder / "run" / "benchmark" / name).read_bytes() for name in BENCHMARK]


def test_killed_in_every_stage_the_result_is_the_same_and_nothing_is_done_twice(tmp_path: Path) -> None:
    folders = [tmp_path / "whole", tmp_path / "killed"]
    for folder in folders:
        (folder / "documents").mkdir(parents=True)
        for number in range(3):
            write_procedure(folder / "documents", number)
        write_memo(folder / "documents")
    counts: list[dict[Any, int]] = []
    for folder, moments in zip(folders, ((), MOMENTS), strict=True):
        with Loopback(answer=operator.answer, delay=0.2) as server:
            for place, moment in enumerate(moments):
                kill_when(start(folder, server, *(["--resume"] if place else [])), folder / "run", moment)
            assert start(folder, server, *(["--resume"] if moments else [])).wait(100) == 0
            counts.append(requests(server))
    assert read(folders[0]) == read(folders[1])
    assert set(counts[0]) == set(counts[1])
    # One item is under way at a time, so a kill can cost no more than the one answer that was on its way.
    assert sum(counts[1].values()) - sum(counts[0].values()) <= len(MOMENTS)
    assert max(counts[0].values()) == 1
