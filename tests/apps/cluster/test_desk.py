"""Workers ask the coordinator's models by its desk: same answers, one ledger, one limit, the same errors."""

import asyncio
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

dask = pytest.importorskip("dask")

from soprag.apps.cluster.build_runner import DaskRunner  # noqa: E402
from soprag.apps.cluster.desk import Desk, open_desk  # noqa: E402
from soprag.apps.cluster.desk_models import DeskEmbedder, DeskLink, DeskLlm  # noqa: E402
from soprag.apps.cluster.stage_work import StageDone, StageTask  # noqa: E402
from soprag.graphs.benchmark.context import StageItem  # noqa: E402
from soprag.tools.embedding import Vectors  # noqa: E402
from soprag.tools.errors import ConfigError, ModelRefused  # noqa: E402
from soprag.tools.llm import Llm, Spent  # noqa: E402
from soprag.tools.tasks.archive import DESCRIBE_FIGURE, FigureAsk  # noqa: E402
from soprag.tools.tasks.picture import Picture  # noqa: E402
from tests.scripting import scripted  # noqa: E402


class Lengths:
    """Embeds a text as its length; every vector has two numbers."""

    name = "test:lengths"

    def embed(self, texts: list[str]) -> Vectors:
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


PICTURE = Picture.of(b"\x89PNG pump", "image/png")
assert PICTURE is not None
ASK = FigureAsk(around="[the picture] of pump P-101", picture=PICTURE)


def open_model(llm: Llm) -> AbstractAsyncContextManager[Desk]:
    return open_desk(Desk(llm, Lengths()), "tcp://127.0.0.1", {})


async def test_an_answer_of_the_desk_is_that_of_the_model_and_counts_there() -> None:
    heard: list[FigureAsk] = []

    def look(ask: FigureAsk) -> dict[str, Any]:
        heard.append(ask)
        return {"caption": "A pump."}

    llm = scripted({"figure": look})
    async with open_model(llm) as desk:
        link = DeskLink(desk.address, {})
        asked = DeskLlm("test:scripted", {"figure": "edition 1"}, link)
        assert (await asked.ask(DESCRIBE_FIGURE, ASK)).caption == "A pump."
        assert asked.fingerprint(DESCRIBE_FIGURE) == "edition 1"
        await link.close()
    assert heard == [ASK]
    assert llm.ledger.tasks == {"figure": Spent(calls=1)}
    assert not asked.ledger.tasks


async def test_an_error_of_the_model_reaches_the_worker_as_what_it_is() -> None:
    async with open_model(scripted({"figure": ModelRefused("It declined to look at 'pump'.")})) as desk:
        link = DeskLink(desk.address, {})
        with pytest.raises(ModelRefused, match="declined to look at 'pump'"):
            await DeskLlm("m", {}, link).ask(DESCRIBE_FIGURE, ASK)
        await link.close()


async def test_a_desk_that_is_gone_is_named() -> None:
    async with open_model(scripted()) as desk:
        address = desk.address
    soon = dask.config.set({"distributed.comm.timeouts.connect": "300ms"})
    with soon, pytest.raises(ConfigError, match=rf"{address}.*open connections"):
        await DeskLink(address, {}).call("tell", ticket="1", event={})


async def test_vectors_of_a_service_come_from_the_coordinator() -> None:
    async with open_model(scripted()) as desk:
        link = DeskLink(desk.address, {})
        embedder = DeskEmbedder("test:lengths", link, asyncio.get_running_loop())
        vectors = await asyncio.to_thread(embedder.embed, ["a", "pump"])
        await link.close()
    assert vectors.tolist() == [[1, 1], [4, 1]]


async def test_progress_reaches_who_waits_for_it_and_nobody_else() -> None:
    events: list[dict[str, Any]] = []
    async with open_model(scripted()) as desk:
        desk.listeners["open"] = events.append
        link = DeskLink(desk.address, {})
        await link.call("tell", ticket="open", event={"stage": "archive", "standing": "page 3"})
        await link.call("tell", ticket="gone", event={"stage": "archive", "standing": "page 4"})
        await link.close()
    assert events == [{"stage": "archive", "standing": "page 3"}]


async def test_progress_is_told_in_the_context_of_the_node_that_waits() -> None:
    node: ContextVar[str] = ContextVar("node")
    told: list[str] = []
    desk = Desk(scripted(), Lengths())

    class Telling:
        """A workforce whose worker tells something in a context of its own."""

        async def run(self, item: str, function: object, task: StageTask) -> StageDone:
            node.set("another")
            await desk.tell(task.ticket, {"stage": "archive"})
            return StageDone([], [])

    telling: Any = Telling()
    telling.desk = desk
    build: Any = SimpleNamespace(run=SimpleNamespace(path="run"))
    node.set("archive")
    item = StageItem("archive", "1", "pump.pdf")
    sending = DaskRunner(telling)._send(item, build, lambda event: told.append(node.get()))
    await asyncio.create_task(sending)
    assert told == ["archive"]
    assert not desk.listeners
