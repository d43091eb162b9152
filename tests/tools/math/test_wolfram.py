"""Wolfram|Alpha is asked only with a key, and believed only when it understood the question."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest

from soprag.tools.history import StepFailure
from soprag.tools.math.tool import Computed
from soprag.tools.math.wolfram import KEY, Wolfram, WolframAlpha, tools

GOOD = """Query:
"boiling point of ethanol"

Input interpretation:
ethanol | boiling point

Result:
78.29 °C (degrees Celsius)
"""


class Page(BaseHTTPRequestHandler):
    text: ClassVar[str] = GOOD
    status: ClassVar[int] = 200
    paths: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.paths.append(self.path)
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.text.encode())

    def log_message(self, *words: object) -> None:
        return


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Page, "text", GOOD)
    monkeypatch.setattr(Page, "status", 200)
    server = HTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/llm-api"
    server.shutdown()
    server.server_close()


async def test_a_number_comes_back_with_its_unit(url: str) -> None:
    made = await WolframAlpha("secret", url).ask(Wolfram(query="boiling point of ethanol", expect="ethanol boiling"))
    assert isinstance(made, Computed)
    assert (made.first.value, made.first.unit) == (78.29, "°C")
    assert "units=metric" in Page.paths[-1]


async def test_another_question_than_ours_is_refused(url: str) -> None:
    made = await WolframAlpha("secret", url).ask(Wolfram(query="x", expect="methanol"))
    assert isinstance(made, StepFailure)
    assert made.kind == "inconsistent"


async def test_a_fault_of_the_service_is_a_failure_without_the_key(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Page, "status", 403)
    made = await WolframAlpha("secret", url).ask(Wolfram(query="x"))
    assert isinstance(made, StepFailure)
    assert made.kind == "unavailable"
    assert "secret" not in made.model_dump_json()


async def test_powers_of_ten_are_read(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Page, "text", "Input:\nmass\n\nResult:\n5.97×10^24 kg (kilograms)\n")
    made = await WolframAlpha("secret", url).ask(Wolfram(query="mass"))
    assert isinstance(made, Computed)
    assert made.first.value == pytest.approx(5.97e24)


def test_without_a_key_there_is_no_such_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY, raising=False)
    assert tools() == ()
    monkeypatch.setenv(KEY, "x")
    assert [tool.protocol.name for tool in tools()] == ["wolfram"]
