"""A turn that is put into the queue is taken out at once, and none is lost or taken twice."""

import ast
import asyncio
import sys
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from soprag.apps.serve import turn_queue
from soprag.apps.serve.turn_queue import wake, wake_queue


def _runs() -> Any:
    """A queue that can only be looked into without waiting."""

    class Runs:
        waiting: ClassVar[list[str]] = []

        @staticmethod
        async def put(turn: str, *, thread: str) -> str:
            Runs.waiting.append(turn)
            return thread

        @staticmethod
        async def next(wait: bool, limit: int = 1) -> AsyncIterator[str]:
            assert not wait, "the queue itself must not wait"
            while Runs.waiting and limit:
                limit -= 1
                yield Runs.waiting.pop(0)

    return Runs


async def _next(runs: Any, limit: int = 1, *, wait: bool = True) -> list[str]:
    return [turn async for turn in runs.next(wait=wait, limit=limit)]


async def test_a_message_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """The look would wait for ever; the message ends it."""
    monkeypatch.setattr(turn_queue, "_LOOK", None)
    runs = _runs()
    wake(runs)
    look = asyncio.create_task(_next(runs))
    await asyncio.sleep(0)
    assert not look.done()
    assert await runs.put("first", thread="a") == "a"
    assert await look == ["first"]


async def test_a_message_before_the_look_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that came between two looks is not waited for either, and what is over the limit stays."""
    monkeypatch.setattr(turn_queue, "_LOOK", None)
    runs = _runs()
    wake(runs)
    for turn in ("first", "second", "third"):
        await runs.put(turn, thread="a")
    assert await _next(runs, 2) == ["first", "second"]
    assert await _next(runs, wait=False) == ["third"]


async def test_without_a_message_the_queue_is_looked_into_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns that were put off come without a new message."""
    monkeypatch.setattr(turn_queue, "_LOOK", 0.01)
    runs = _runs()
    wake(runs)
    runs.waiting.append("put off")
    assert await _next(runs) == ["put off"]


def test_only_a_queue_of_this_make_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server without such a queue starts all the same."""
    runs, other = _runs(), type("Runs", (), {})
    kept = runs.put
    for made in (runs, other):
        monkeypatch.setitem(sys.modules, turn_queue._QUEUE, SimpleNamespace(Runs=made))
        wake_queue()
    assert runs.put is not kept and not hasattr(other, "put")


def test_the_installed_server_has_such_a_queue() -> None:
    """The names and arguments that this relies on, read without starting the server."""
    package, _, module = turn_queue._QUEUE.partition(".")
    place = find_spec(package)
    assert place and place.submodule_search_locations, "the extra serve is not installed"
    folder = Path(place.submodule_search_locations[0])
    tree = ast.parse((folder / f"{module}.py").read_text("utf-8"))
    runs = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Runs")
    methods = {node.name: node for node in runs.body if isinstance(node, ast.AsyncFunctionDef)}
    assert [argument.arg for argument in methods["next"].args.args] == ["wait", "limit"]
    assert "put" in methods and "ops.Runs.next(" in (folder / "queue.py").read_text("utf-8")
