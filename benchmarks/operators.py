"""How many operators a server answers: turns a second, p50 and p95 of a turn, memory; SQLite against PostgreSQL.

    uv run python -m soprag.benchmarks.operators --index ./plant
    uv run python -m soprag.benchmarks.operators --index ./plant --sessions postgresql://... --processes 1,2 --idle 1000

Each operator has a thread and asks one question after the other, without a model. All servers run at the same time and
take their load in turn, `--rounds` times: what else the machine does falls on all alike. Of each the median round is
printed, and `ratio`: its turns a second to those of the first row in the same round, median [least, most]. Times are
those of a machine with the load average printed below them; only ratios say something about another. `--idle` measures
what sessions cost that wait: each has had one turn. Linux only, since memory is read from /proc.
"""

import argparse
import asyncio
import os
import signal
import statistics
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

from soprag.benchmarks.conversation import QUESTIONS
from soprag.benchmarks.served import Served, client, new_schema, serving

_ROW = "{:<11} {:>9} {:>9} {:>8} {:>18} {:>8} {:>8} {:>8}"


@dataclass
class Measured:
    """What one server did for a number of operators: turns a second of every round, and seconds of all turns."""

    name: str
    served: Served
    operators: int
    rates: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def row(self, first: "Measured") -> str:
        """Its line in the table, with the ratio to the first."""
        ratios = sorted(own / other for own, other in zip(self.rates, first.rates, strict=True))
        ratio = f"{statistics.median(ratios):.2f} [{ratios[0]:.2f}, {ratios[-1]:.2f}]"
        half, most = _spread(self.times)
        shown = (f"{statistics.median(self.rates):.1f}", ratio, f"{half:.2f}", f"{most:.2f}")
        return _ROW.format(self.name, self.served.processes, self.operators, *shown, f"{self.served.memory():.0f}")


def main() -> None:
    """Print a row per database, number of processes and number of operators."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the servers end with this program
    options = _options()
    places = [("SQLite", 1, "")]
    if options.sessions:
        places += [("PostgreSQL", count, options.sessions) for count in options.processes]
    with ExitStack() as stack:
        servers = [
            (name, stack.enter_context(serving(options.index, count, url and new_schema(url), options.at_once)))
            for name, count, url in places
        ]
        table = asyncio.run(rounds(servers, options))
        heads = ("sessions", "processes", "operators", "turns/s", "ratio", "p50 s", "p95 s", "MiB")
        sys.stdout.write("\n".join([_ROW.format(*heads), *(measured.row(table[0]) for measured in table)]) + "\n")
        sys.stdout.write(f"load average of the machine: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores\n")
        for name, served in servers if options.idle else ():
            sys.stdout.write(f"{name}, {served.processes}: ")
            asyncio.run(idle(served, options.idle))


async def rounds(servers: list[tuple[str, Served]], options: argparse.Namespace) -> list[Measured]:
    """All servers take each load in turn, again and again."""
    for _, served in servers:
        await warm(served)
    table = [Measured(name, served, operators) for operators in options.operators for name, served in servers]
    for _ in range(options.rounds):
        for measured in table:
            seconds, times = await load(measured.served, measured.operators, options.turns)
            measured.rates.append(len(times) / seconds)
            measured.times += times
    return table


async def warm(served: Served) -> None:
    """A few turns that load what is loaded once, in every process."""
    await load(served, 4 * len(served.workers()), 1)


async def load(served: Served, operators: int, turns: int) -> tuple[float, list[float]]:
    """Seconds for all turns, and those of each."""
    began = time.perf_counter()
    times = await asyncio.gather(*(_operate(served.url, number, turns) for number in range(operators)))
    return time.perf_counter() - began, [one for operator in times for one in operator]


async def idle(served: Served, sessions: int) -> None:
    """Print what sessions that had one turn cost in memory, and how long a turn takes among them."""
    before = served.memory()
    for _ in range(sessions // 20):
        await load(served, 20, 1)
    after = served.memory()
    _, times = await load(served, 1, 10)
    sys.stdout.write(
        f"{sessions} idle sessions: {(after - before) / sessions * 1024:.0f} KiB each in all processes together, "
        f"a turn among them {statistics.median(times):.2f} s\n"
    )


async def _operate(url: str, number: int, turns: int) -> list[float]:
    operator: Any = client(url)
    thread = (await operator.threads.create())["thread_id"]
    times = []
    for question in islice(cycle(QUESTIONS), number, number + turns):
        began = time.perf_counter()
        message = {"messages": [{"role": "user", "content": question}]}
        state = await operator.runs.wait(thread, "troubleshoot", input=message)
        times.append(time.perf_counter() - began)
        if state["messages"][-1]["type"] != "ai":
            raise RuntimeError(f"No answer to {question!r}.")
    await operator.aclose()
    return times


def _spread(times: list[float]) -> tuple[float, float]:
    ordered = sorted(times)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", required=True, metavar="DIR", help="The index the operators ask.")
    parser.add_argument(
        "--sessions", default="", metavar="URL", help="A PostgreSQL database; every server gets a schema."
    )
    parser.add_argument("--processes", type=_numbers, default=[1, 2], metavar="N,N", help="Server processes.")
    parser.add_argument("--operators", type=_numbers, default=[1, 8, 32], metavar="N,N", help="Operators at once.")
    parser.add_argument("--turns", type=int, default=5, help="Turns of each operator.")
    parser.add_argument("--rounds", type=int, default=3, help="How often every server takes every load.")
    parser.add_argument("--at-once", type=int, default=4, help="Turns that a process works on at once (serve.turns).")
    parser.add_argument("--idle", type=int, default=0, help="Idle sessions whose memory is measured.")
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


if __name__ == "__main__":
    main()
