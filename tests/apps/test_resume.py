"""A run killed in any stage goes on, ends with the same benchmark, and pays for no answer twice."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import operator
from tests.documents import write_memo, write_procedure
from tests.killing import kill_when, questions
from tests.loopback import Loopback

ROOT = Path(__file__).parents[2]
BENCHMARK = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
# The run is killed as soon as a file like this appears: once in each stage.
MOMENTS = ("search/phrases.json", "documents/*.json", "parsed/*.json", "sops/*.json", "questions/*.json")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


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
            counts.append(questions(server))
    assert read(folders[0]) == read(folders[1])
    assert set(counts[0]) == set(counts[1])
    # One item is under way at a time, so a kill can cost no more than the one answer that was on its way.
    assert sum(counts[1].values()) - sum(counts[0].values()) <= len(MOMENTS)
    assert max(counts[0].values()) == 1
