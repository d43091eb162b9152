"""A server of several processes: what one of them began, another one goes on with, also after kill -9 and SIGTERM."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from soprag.apps.cli.audit import verify_logbook
from soprag.apps.cli.main import soprag
from soprag.benchmarks.served import Served, client, serving
from soprag.tools.errors import UsageError
from soprag.tools.store.session_database import SessionDatabase
from tests.graphs.plant import fill
from tests.postgres import new_schema

ASKED = "coolant pump P-101 tripped on low suction pressure"


@pytest.fixture
def sessions(server: str) -> str:
    return new_schema(server)


@pytest.fixture
def served(tmp_path: Path, sessions: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    settings = fill(tmp_path)
    monkeypatch.setenv("SOPRAG_RUN__CACHE", settings.run.cache)
    with serving(settings.index.folder, 2, sessions) as running:
        yield running


class Person:
    """An operator; each request has a connection of its own, so that any process may get it."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.thread = ""

    async def begin(self) -> None:
        self.thread = (await self._ask(lambda at: at.threads.create()))["thread_id"]

    async def say(self, words: str) -> str:
        return await self._run(input={"messages": [{"role": "user", "content": words}]})

    async def reply(self, words: str = "", **decision: Any) -> str:
        sent = decision or {"type": "respond", "message": words}
        return await self._run(command={"resume": {"decisions": [sent]}})

    async def state(self) -> Any:
        return await self._ask(lambda at: at.threads.get_state(self.thread))

    async def waits_for(self) -> str:
        """The name of what waits for the person, once no turn is under way."""
        for _ in range(120):
            state = await self.state()
            names = [
                one["value"]["action_requests"][0]["name"] for task in state["tasks"] for one in task["interrupts"]
            ]
            if names or not state["next"]:
                return str(names[0]) if names else ""
            await asyncio.sleep(0.5)
        raise AssertionError(f"the turn does not end: {state['next']}")

    async def _run(self, **request: Any) -> str:
        await self._ask(lambda at: at.runs.wait(self.thread, "troubleshoot", **request))
        return await self.waits_for()

    async def _ask(self, request: Callable[[Any], Any]) -> Any:
        at = client(self.served.url)
        try:
            return await request(at)
        finally:
            await at.aclose()


async def kill_all(served: Served) -> None:
    """Kill every process that takes turns; wait until others have taken their places."""
    before = set(served.workers())
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    for _ in range(240):
        await asyncio.sleep(0.5)
        if len(set(served.workers()) - before) == len(before):
            return
    raise AssertionError("the processes were not replaced")


async def turns_under_way(sessions: str) -> None:
    """Wait until a process works on a turn."""
    database = SessionDatabase.of(sessions)
    for _ in range(600):
        with database.transaction() as connection:
            if connection.execute("SELECT FROM turn").fetchone() is not None:
                break
        await asyncio.sleep(0.05)
    database.close()


async def was_answered(person: Person, reply: object) -> bool:
    """Whether a message was answered, once; one that was not received left nothing, and its connection said so."""
    assert await person.waits_for() == ""
    messages = (await person.state())["values"].get("messages", [])
    assert len(messages) == 2 or (isinstance(reply, Exception) and not messages)
    return bool(messages)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_an_approval_that_waits_is_given_to_another_process_after_all_were_killed(
    served: Served, sessions: str
) -> None:
    person = Person(served)
    await person.begin()
    await person.say(ASKED)
    assert await person.say("guide me through it") == "warning"
    for reply in ("ack", "done", "2 bar", "2", "done"):
        await person.reply(reply)
    assert await person.reply("use email") == "email"
    await kill_all(served)
    assert await person.waits_for() == "email"
    await person.reply(type="approve")
    state = await person.state()
    assert sum(".eml" in str(message["content"]) for message in state["values"]["messages"]) == 1
    verdict = await asyncio.to_thread(verify_logbook, person.thread, sessions)
    assert verdict.sound, verdict.faults


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_turn_that_is_cut_off_is_gone_on_with_and_a_turn_at_the_end_is_finished(
    served: Served, sessions: str
) -> None:
    people = [Person(served) for _ in range(8)]
    await asyncio.gather(*(person.begin() for person in people))
    asked = asyncio.gather(*(person.say(ASKED) for person in people), return_exceptions=True)
    await turns_under_way(sessions)
    for pid in served.workers()[:1]:
        os.kill(pid, signal.SIGKILL)
    answered = [person for person, reply in zip(people, await asked, strict=True) if await was_answered(person, reply)]
    os.kill(served.process.pid, signal.SIGTERM)
    ended = await asyncio.to_thread(served.process.wait, 60)
    assert ended == 0
    for person in answered:
        verdict = await asyncio.to_thread(verify_logbook, person.thread, sessions)
        assert verdict.sound, verdict.faults


def test_processes_without_a_database_are_refused() -> None:
    result = CliRunner().invoke(soprag, ["serve", "--processes", "2"])
    assert isinstance(result.exception, UsageError)
    assert "--sessions" in str(result.exception)
