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


async def status() -> int:
    return (await site.ready(Request({"type": "http"}))).status_code


def test_an_index_that_could_not_be_opened_is_tried_again_until_the_server_is_ready(index: AbsentAtFirst) -> None:
    assert asyncio.run(status()) == 503
    asyncio.run(site._open_index())
    assert index.asked == 2
    assert asyncio.run(status()) == 200
