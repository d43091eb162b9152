"""What a server of several processes answers while the database of its sessions is away."""

import asyncio

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

pytest.importorskip("langgraph_api")

from soprag.apps.serve import shared_threads
from soprag.tools.errors import StorageError

THREAD = "/threads/01a2145d-1d80-766b-8f90-e12ae781aa8f"


class AbsentDatabase:
    """The shared threads of a database that does not answer."""

    async def take_up(self, thread: str = "") -> None:
        raise StorageError("connection refused")

    async def meet(self, thread: str) -> None:
        raise StorageError("connection refused")


@pytest.mark.parametrize("path", [f"{THREAD}/state", f"{THREAD}/runs/wait"])
def test_without_the_database_a_request_is_answered_by_a_sentence(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def absent() -> AbsentDatabase:
        await asyncio.sleep(0)
        return AbsentDatabase()

    monkeypatch.setattr(shared_threads, "shared_threads", absent)
    client = TestClient(shared_threads.MeetThreads(PlainTextResponse("passed on")))
    answer = client.post(path)
    assert (answer.status_code, answer.text) == (503, shared_threads._AWAY)
    assert client.post("/assistants/search").text == "passed on"
