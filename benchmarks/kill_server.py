"""Kills processes of a server in the middle of turns (kill -9): is a session lost, is anything of a record doubled?

    uv run python -m soprag.benchmarks.kill_server --index ./plant --sessions postgresql://... --kills 20
    uv run python -m soprag.benchmarks.kill_server --index ./plant --sessions postgresql://... --kills 4 \
        --stop "pg_ctl -D data -m immediate stop" --start "pg_ctl -D data -w -l log start"

Operators ask questions and reply to guided runs meanwhile. Whose connection breaks waits until the thread is at rest,
and says again only what the thread does not hold. At the end every record is verified against the state of its thread,
and must hold each question once and no entry twice; exit code 1 otherwise. With `--stop` and `--start` the processes
live, and the database is away for `--away` seconds instead. Linux only.
"""

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from soprag.apps.cli.audit import verify_logbook
from soprag.benchmarks.served import Served, client, new_schema, serving
from soprag.tools.store.logbook import Logbook
from soprag.tools.store.postgres_record import PostgresRecord
from soprag.tools.store.session_database import SessionDatabase

_REST = 120.0  # seconds until a thread is at rest again
_REPLIES = ("ack", "done", "stop")


@dataclass
class WatchedOperator:
    """One operator; `asked` are the questions that the thread must hold, each once."""

    url: str
    number: int
    thread: str = ""
    asked: list[str] = field(default_factory=list)
    broken: int = 0

    async def work(self, until: Callable[[], bool]) -> None:
        """Ask, be guided, and begin again."""
        self.thread = (await self._patient(lambda at: at.threads.create()))["thread_id"]
        while not until():
            await self._say(f"coolant pump tripped, note {self.number}-{len(self.asked)}")
            await self._say(f"guide me through it, note {self.number}-{len(self.asked)}")
            for reply in _REPLIES:
                await self._reply(reply)

    async def _say(self, words: str) -> None:
        self.asked.append(words)
        message = {"messages": [{"role": "user", "content": words}]}

        def held(state: Any) -> bool:  # noqa: ANN401 - JSON
            return any(words in str(one["content"]) for one in state["values"].get("messages", []))

        await self._send({"input": message}, held)

    async def _reply(self, words: str) -> None:
        card = _card(await self._rest())
        if card:
            decision = {"resume": {"decisions": [{"type": "respond", "message": words}]}}
            await self._send({"command": decision}, lambda state: _card(state) != card)

    async def _send(self, request: dict[str, Any], held: Callable[[Any], bool]) -> None:
        """Send it until the thread holds it."""
        for _ in range(10):
            try:
                await self._once(lambda at: at.runs.wait(self.thread, "troubleshoot", raise_error=True, **request))
            except Exception:  # noqa: BLE001 - any broken connection
                self.broken += 1
            if held(await self._rest()):
                return
        raise RuntimeError(f"Thread {self.thread} does not take {request}.")

    async def _rest(self) -> Any:  # noqa: ANN401 - JSON
        """The state, once no turn is under way."""
        deadline = time.monotonic() + _REST
        while time.monotonic() < deadline:
            state = await self._patient(lambda at: at.threads.get_state(self.thread))
            if not state["next"] or _card(state):
                return state
            await asyncio.sleep(0.5)
        raise RuntimeError(f"Thread {self.thread} did not come to rest: {state['next']}.")

    async def _patient(self, request: Callable[[Any], Awaitable[Any]]) -> Any:  # noqa: ANN401 - JSON
        for _ in range(60):
            try:
                return await self._once(request)
            except Exception:  # noqa: BLE001 - any broken connection
                await asyncio.sleep(1)
        raise RuntimeError("No process answers.")

    async def _once(self, request: Callable[[Any], Awaitable[Any]]) -> Any:  # noqa: ANN401 - JSON
        """One request on a connection of its own, so that any process may get it."""
        at = client(self.url)
        try:
            return await request(at)
        finally:
            await at.aclose()


def main() -> None:
    """Kill, verify, and print what was found."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the servers end with this program
    options = _options()
    sessions = new_schema(options.sessions)
    with serving(options.index, options.processes, sessions) as served:
        operators = asyncio.run(_disturbed(served, options))
    findings = [finding for operator in operators for finding in _verified(sessions, operator)]
    asked = sum(len(operator.asked) for operator in operators)
    broken = sum(operator.broken for operator in operators)
    what = f"times without database for {options.away:.0f} s," if options.stop else "kills"
    sys.stdout.write(
        f"{options.kills} {what} of {options.processes} processes; {len(operators)} sessions with {asked} questions, "
        f"{broken} broken connections; {len(findings)} sessions lost, records broken or entries doubled\n"
    )
    sys.stdout.writelines(f"  {finding}\n" for finding in findings)
    sys.exit(1 if findings else 0)


async def _disturbed(served: Served, options: argparse.Namespace) -> list[WatchedOperator]:
    disturbance = _away(options) if options.stop else _kill(served, options.kills, options.every)
    disturbing = asyncio.create_task(disturbance)
    operators = [WatchedOperator(served.url, number) for number in range(options.operators)]
    await asyncio.gather(disturbing, *(operator.work(disturbing.done) for operator in operators))
    return operators


async def _away(options: argparse.Namespace) -> None:
    """Stop the database, and start it again."""
    for _ in range(options.kills):
        await asyncio.sleep(random.uniform(0.5, 1.5) * options.every)
        await asyncio.to_thread(subprocess.run, options.stop, shell=True, check=True)
        await asyncio.sleep(options.away)
        await asyncio.to_thread(subprocess.run, options.start, shell=True, check=True)


async def _kill(served: Served, kills: int, every: float) -> None:
    """Kill any process, at any moment, also while the other one is being replaced."""
    for _ in range(kills):
        await asyncio.sleep(random.uniform(0.5, 1.5) * every)
        while not (workers := served.workers()):
            await asyncio.sleep(0.1)
        os.kill(random.choice(workers), signal.SIGKILL)


def _verified(sessions: str, operator: WatchedOperator) -> list[str]:
    """What is wrong with the session of an operator."""
    verdict = verify_logbook(operator.thread, sessions)
    entries = Logbook(PostgresRecord(SessionDatabase.of(sessions), operator.thread)).entries()
    questions = Counter(str(entry.facts.get("text")) for entry in entries if entry.kind == "question")
    keys = Counter(entry.key for entry in entries if entry.key)
    return [
        *(f"{operator.thread}: {fault}" for fault in verdict.faults),
        *(
            f"{operator.thread}: {questions[words]} times {words!r}"
            for words in operator.asked
            if questions[words] != 1
        ),
        *(f"{operator.thread}: {count} entries {key}" for key, count in keys.items() if count > 1),
    ]


def _card(state: Any) -> str:  # noqa: ANN401 - JSON
    """The id of what waits for a person; empty when nothing does."""
    return next((str(one["id"]) for task in state["tasks"] for one in task["interrupts"]), "")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", required=True, metavar="DIR", help="The index the operators ask.")
    parser.add_argument("--sessions", required=True, metavar="URL", help="A PostgreSQL database; a schema is made.")
    parser.add_argument("--processes", type=int, default=2, help="Server processes.")
    parser.add_argument("--operators", type=int, default=4, help="Operators at once.")
    parser.add_argument("--kills", type=int, default=20, help="How often a process is killed.")
    parser.add_argument("--every", type=float, default=15.0, help="Seconds between two kills, on average.")
    parser.add_argument("--stop", default="", metavar="COMMAND", help="Stops the database.")
    parser.add_argument("--start", default="", metavar="COMMAND", help="Starts it again.")
    parser.add_argument("--away", type=float, default=10.0, help="Seconds that the database is away.")
    options = parser.parse_args()
    if bool(options.stop) != bool(options.start):
        parser.error("--stop and --start belong together")
    return options


if __name__ == "__main__":
    main()
