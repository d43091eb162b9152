"""kill -9 of workers and of the coordinator: tasks are done again, the benchmark is the same, nothing is done twice."""

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from soprag.apps.cluster.dask_cluster import open_client
from soprag.apps.cluster.task_pool import TaskPool
from soprag.benchmarks.workers import EVERY, RESULTS, build, read, write_documents
from soprag.configs.settings import load
from soprag.tools.errors import DocumentError

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
pytest.importorskip("distributed")


def end_worker(mark: str) -> None:
    """A task that ends its worker, and says so in a file."""
    with Path(mark).open("a", encoding="utf-8") as file:
        file.write("x")
    os.kill(os.getpid(), signal.SIGKILL)


def end_worker_once(mark: str) -> str:
    """The same for the first worker that takes it."""
    if not Path(mark).exists():
        end_worker(mark)
    return "done"


def wait(seconds: float) -> str:
    """A task beside it."""
    time.sleep(seconds)
    return "waited"


async def test_a_task_that_ends_its_workers_is_given_up_and_costs_no_other_one_its_result(tmp_path: Path) -> None:
    settings = load("offline", {"cluster": {"workers": 1}}, {}).cluster
    notes: list[str] = []
    async with open_client(settings, 4, lambda event: notes.append(event["note"])) as client:
        pool = TaskPool(client)
        beside = [asyncio.create_task(pool.run(f"doc-{n}", wait, 2.0)) for n in range(3)]
        assert await pool.run("once.pdf", end_worker_once, str(tmp_path / "once")) == "done"
        with pytest.raises(DocumentError, match=r"'bomb\.pdf' ended every worker"):
            await pool.run("bomb.pdf", end_worker, str(tmp_path / "bomb"))
        assert [await task for task in beside] == ["waited"] * 3
    assert 2 <= len((tmp_path / "bomb").read_text()) <= 4  # at most twice beside others, and twice alone


def test_kills_in_all_stages_and_of_the_coordinator_leave_the_same_benchmark(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    write_documents(documents, 8)
    alone, workers, coordinator = (
        build(case, documents, tmp_path / case, workers=2, sample=8) for case in ("pool", EVERY, "coordinator")
    )
    assert read(tmp_path / EVERY) == read(tmp_path / "coordinator") == read(tmp_path / "pool")
    assert workers["killed"].count("worker ") == len(RESULTS)  # one in each stage, none too late
    assert coordinator["killed"].startswith("coordinator ")
    assert workers["failed"] == coordinator["failed"] == alone["failed"]
    assert coordinator["written_again"] == 0
