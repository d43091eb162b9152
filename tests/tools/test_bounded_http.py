"""An answer of a configured service is complete within its deadline, or it is a failure."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from soprag.tools import bounded_http
from soprag.tools.actions.action import ToolCall
from soprag.tools.actions.ticket import TicketDesk, TicketDraft
from soprag.tools.bounded_http import send_request
from soprag.tools.errors import ModelUnavailable
from soprag.tools.history import StepFailure
from soprag.tools.math.wolfram import Wolfram, WolframAlpha
from soprag.tools.parsing.engines.deadline import deadline_transport
from soprag.tools.research.reward import RewardModel
from tests.tools.web.site import Request, Site, serve

HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n"
SLOW = {
    "informational": (b"HTTP/1.1 102 Processing\r\n\r\n", HEAD + b"\r\n{}"),
    "headers": (HEAD, b"\r\n{}"),
    "body": (HEAD + b"\r\n{", b"}"),
}


@pytest.fixture
def site() -> Iterator[Site]:
    with serve() as site:
        yield site


def dripping(kind: str) -> Callable[[Request], None]:
    """An answer that would be complete after some seconds, with bytes in between except in the body."""
    first, last = SLOW[kind]

    def answer(request: Request) -> None:
        try:
            request.wfile.write(first)
            for _ in range(30):
                time.sleep(0.05)
                request.wfile.write({"informational": first, "headers": b"x: y\r\n", "body": b""}[kind])
            request.wfile.write(last)
        except OSError:
            request.close_connection = True

    return answer


@pytest.mark.parametrize("kind", SLOW)
async def test_an_answer_that_drips_is_late(site: Site, kind: str) -> None:
    site.put("/slow", dripping(kind))
    with pytest.raises(httpx2.TimeoutException):
        await send_request("GET", site.url("/slow", "127.0.0.1"), 0.4)


@pytest.mark.parametrize("kind", SLOW)
def test_an_answer_of_a_parsing_server_that_drips_is_late(site: Site, kind: str) -> None:
    site.put("/slow", dripping(kind))
    site.put("/fast", lambda request: request.answer(b"{}"))
    with httpx2.Client(timeout=0.4, transport=deadline_transport()) as client:
        assert client.get(site.url("/fast", "127.0.0.1")).text == "{}"
        with pytest.raises(httpx2.TimeoutException):
            client.get(site.url("/slow", "127.0.0.1"))
        assert client.get(site.url("/fast", "127.0.0.1")).text == "{}"


async def test_an_answer_over_the_size_limit_is_a_failure(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_http, "MAX_BYTES", 1000)
    site.put("/large", lambda request: request.answer(b"x" * 1001))
    site.put("/fits", lambda request: request.answer(b"x" * 1000))
    with pytest.raises(httpx2.ReadError, match="1,000 bytes"):
        await send_request("GET", site.url("/large", "127.0.0.1"), 5.0)
    assert (await send_request("GET", site.url("/fits", "127.0.0.1"), 5.0)).text == "x" * 1000


async def test_a_redirect_is_an_answer_and_not_followed(site: Site) -> None:
    site.put("/away", lambda request: request.answer(b"", status=307, location="/other"))
    reply = await send_request("POST", site.url("/away", "127.0.0.1"), 5.0, content=b"secret")
    assert (reply.status, site.visits("/other")) == (307, 0)


async def test_the_services_that_use_it_fail_when_their_answer_drips(site: Site, tmp_path: Path) -> None:
    url = site.url("/chat", "127.0.0.1")
    site.put("/chat", dripping("headers"))
    site.put("/chat/chat/completions", dripping("headers"))
    site.put("/chat?appid=x&input=1&maxchars=2000&units=metric", dripping("headers"))
    with pytest.raises(ModelUnavailable):
        await RewardModel(url, "reward", 0.4).score("q", "a")
    computed = await WolframAlpha("x", url, 0.4).ask(Wolfram(query="1"))
    assert isinstance(computed, StepFailure)
    assert computed.kind == "unavailable"
    ticket = TicketDraft(TicketDesk(url, timeout=0.4))
    outcome = await ticket.act({"title": "t", "description": "d"}, ToolCall("key", tmp_path))
    assert isinstance(outcome, StepFailure)
    assert outcome.kind == "timeout"
