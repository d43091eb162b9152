"""A run on the workers of a scheduler: the same benchmark, and clear words for what keeps it from working."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

distributed = pytest.importorskip("distributed")

from soprag.apps.cli.build import BuildCall, BuildResult, build_benchmark  # noqa: E402
from soprag.apps.cluster import edition as editions  # noqa: E402
from soprag.apps.cluster.dask_cluster import open_client  # noqa: E402
from soprag.apps.cluster.task_pool import TaskPool  # noqa: E402
from soprag.apps.runs import CHECKPOINT  # noqa: E402
from soprag.configs.settings import ClusterSettings, load  # noqa: E402
from soprag.tools.errors import ConfigError, DocumentError, ServiceError, SopragError, UsageError  # noqa: E402
from soprag.tools.store.run_folder import RunFolder  # noqa: E402
from soprag.tools.store.run_records import Coordinator  # noqa: E402
from tests import operator  # noqa: E402
from tests.documents import write_memo, write_procedure  # noqa: E402
from tests.loopback import Loopback  # noqa: E402

BENCHMARK = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
NONE = load("offline", environment={}).cluster


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(2):
        write_procedure(folder, number)
    write_memo(folder)
    (folder / "empty.pdf").write_bytes(b"")
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    return folder


def build(documents: Path, out: Path, **more: Any) -> BuildResult:
    call = BuildCall(topic="Pumps", source=str(documents), out=str(out), questions=3, profile="offline", **more)
    return build_benchmark(call, quiet=True)


def read(out: Path) -> list[bytes]:
    return [(out / "benchmark" / name).read_bytes() for name in BENCHMARK]


@pytest.mark.slow
def test_workers_make_the_same_benchmark(documents: Path, tmp_path: Path, scheduler: str) -> None:
    alone = build(documents, tmp_path / "alone")
    shared = build(documents, tmp_path / "shared", scheduler=scheduler)
    assert read(tmp_path / "alone") == read(tmp_path / "shared")
    assert shared.summary.failed == alone.summary.failed == {"archive": 1}  # the empty file, put down by a worker
    run = RunFolder(tmp_path / "shared")
    own = Path(run.read("", "coordinator", Coordinator).folder)
    assert (own / CHECKPOINT).exists()
    assert not list(run.path.rglob("*.sqlite*"))


def test_the_coordinator_asks_the_model_for_all_workers(documents: Path, tmp_path: Path, scheduler: str) -> None:
    with Loopback(answer=operator.answer, delay=0.1) as server:
        model: dict[str, Any] = {"model": "openai:operator", "base_url": server.url, "concurrency": 2}
        result = build(documents, tmp_path / "run", scheduler=scheduler, **model)
    assert server.peak == 2  # of two workers that could have asked four times at once
    assert result.ledger.total.calls == server.count
    pages = [json.loads(file.read_bytes()) for file in (tmp_path / "run" / "ledger").glob("*.json")]
    assert sum(spent["calls"] for page in pages for spent in page["tasks"].values()) == server.count


def test_a_worker_of_another_edition_is_named(
    documents: Path, tmp_path: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = iter(range(1000))
    monkeypatch.setattr("soprag.apps.cluster.workforce.edition", lambda: f"soprag 9.{next(calls)}")
    with pytest.raises(ConfigError, match=rf"worker tcp://.*{editions.edition()[:12]}.*coordinator soprag 9\.\d"):
        build(documents, tmp_path / "run", scheduler=scheduler)


@pytest.mark.parametrize(
    ("cluster", "error", "words"),
    [
        ({"scheduler": "tcp://127.0.0.1:9", "workers": 2}, UsageError, "not both"),
        ({"scheduler": "tcp://127.0.0.1:9", "patience": 0.3}, ServiceError, "no Dask scheduler at tcp://127.0.0.1:9"),
    ],
)
async def test_wrong_clusters_are_named(cluster: dict[str, Any], error: type[SopragError], words: str) -> None:
    with pytest.raises(error, match=words):
        async with open_client(_cluster(**cluster), 1, lambda event: None):
            pass


async def test_a_scheduler_without_workers_is_named() -> None:
    async with distributed.Scheduler(
        host="127.0.0.1", port=0, dashboard=False, dashboard_address="127.0.0.1:0"
    ) as scheduler:
        with pytest.raises(ServiceError, match=r"No worker has joined.*dask worker tcp"):
            async with open_client(_cluster(scheduler=scheduler.address, patience=0.3), 1, lambda event: None):
                pass


async def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"pip install 'soprag\[cluster\]'"):
        async with open_client(_cluster(workers=2), 1, lambda event: None):
            pass


class Client:
    """A client whose tasks meet these ends, in order."""

    def __init__(self, *ends: object) -> None:
        self.ends = list(ends)

    def submit(self, function: object, *arguments: object, **options: object) -> Any:
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        end = self.ends.pop(0)
        if isinstance(end, Exception):
            future.set_exception(end)
        else:
            future.set_result(end)
        future.release = lambda: None  # type: ignore[attr-defined]
        return future


def _killed() -> Exception:
    last = type("Last", (), {"address": "tcp://10.0.0.7:1"})()
    return distributed.KilledWorker("key", last, 1)  # type: ignore[no-any-return]


async def test_an_item_whose_worker_was_killed_for_another_one_is_done_alone() -> None:
    assert await TaskPool(Client(_killed(), "done")).run("a.pdf", print) == "done"


async def test_an_item_that_ends_its_workers_again_and_again_is_given_up() -> None:
    with pytest.raises(DocumentError, match=r"'bomb.pdf' ended every worker"):
        await TaskPool(Client(_killed(), _killed())).run("bomb.pdf", print)


async def test_workers_without_soprag_are_told_to_install_it() -> None:
    with pytest.raises(ConfigError, match="install soprag there"):
        await TaskPool(Client(ModuleNotFoundError("No module named 'soprag'"))).run("a.pdf", print)


def _cluster(**more: Any) -> ClusterSettings:
    return NONE.model_copy(update=more)
