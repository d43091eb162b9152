"""When a server says that it is ready."""

import asyncio
from dataclasses import dataclass

import pytest
from starlette.requests import Request

pytest.importorskip("langgraph_api")

from soprag.apps import studio
from soprag.apps.serve import site
from soprag.tools.errors import StorageError


@dataclass
class AbsentAtFirst:
    """An index whose database does not answer the first time."""

    context: object | None = None
    failed: bool = False
    asked: int = 0

    async def open(self) -> None:
        self.asked += 1
        if self.asked == 1:
            raise StorageError("The database does not answer.")
        self.context = object()


@dataclass(frozen=True)
class NoTurns:
    """The turns of a server whose sessions are in files."""

    async def open(self) -> None:
        return None


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> AbsentAtFirst:
    absent = AbsentAtFirst()
    monkeypatch.setattr(site, "index", absent)
    monkeypatch.setattr(studio, "turns", NoTurns())
    monkeypatch.setattr(site, "_AGAIN", 0)
    return absent


async def answer() -> tuple[int, str]:
    response = await site.ready(Request({"type": "http"}))
    return response.status_code, bytes(response.body).decode()


def test_an_index_that_could_not_be_opened_is_tried_again_until_the_server_is_ready(index: AbsentAtFirst) -> None:
    assert asyncio.run(answer()) == (503, "The index is not open yet.")
    asyncio.run(site._open_index())
    assert index.asked == 2
    assert asyncio.run(answer()) == (200, "ready")


def test_a_server_whose_index_could_not_be_opened_says_so(index: AbsentAtFirst) -> None:
    async def tried_once() -> tuple[int, str]:
        trying = asyncio.create_task(site._open_index())
        while not index.asked:
            await asyncio.sleep(0)
        said = await answer()
        trying.cancel()
        return said

    assert asyncio.run(tried_once()) == (503, "The index cannot be opened; the log of the server says why.")
