"""How much time a process has used: what it computed, and the time in which it did nothing.

A process that is ready to run and waits for a core of a busy machine uses no time. So a good document is not given up
because of other work, and a process that hangs is. Read from /proc; where there is none, all time counts.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_BUSY = 0.02  # of a core; below this a process that is not ready to run does nothing
_READY = frozenset("RD")  # running or ready, and waiting for a disk
_LONGEST_WAIT = 20  # times its limit a job may take on a machine that hardly ever gives it a core
_LONGEST_STEP = 0.25  # seconds between two samples


@dataclass(frozen=True)
class ProcessSample:
    """A process with its children at one moment.

    `wall` and `cpu` are seconds, on the monotonic clock and of processor time; `cpu` is None where it is not known.
    `ready` is whether one of its threads could run.
    """

    wall: float
    cpu: float | None
    ready: bool


def sample_process(process: int) -> ProcessSample:
    """The state of the process and all below it."""
    cpu, ready = 0.0, False
    with contextlib.suppress(OSError, ValueError, IndexError):
        for member in _family(process):
            cpu += _cpu_seconds(Path(f"/proc/{member}/stat"))
            ready = ready or any(_state(thread) in _READY for thread in Path(f"/proc/{member}/task").iterdir())
        return ProcessSample(time.monotonic(), cpu, ready)
    return ProcessSample(time.monotonic(), None, ready=False)


def used_between(before: ProcessSample, after: ProcessSample) -> float:
    """Seconds that count against a limit: processor time of one core, or all where the process did nothing."""
    wall = after.wall - before.wall
    if before.cpu is None or after.cpu is None:
        return wall
    cpu = max(after.cpu - before.cpu, 0.0)
    return min(wall, cpu) if after.ready or cpu > _BUSY * wall else wall


class TimeWatch:
    """Counts the time that a process uses from now on, in a thread, and calls `expire` once it is `seconds`."""

    def __init__(self, process: int, seconds: float, expire: Callable[[], None]) -> None:
        self.used = 0.0
        self.expired = False
        self._process, self._seconds, self._expire = process, seconds, expire
        self._first = self._last = sample_process(process)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="soprag-parser-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop counting; `used` and `expired` are final then."""
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        step = min(self._seconds / 4, _LONGEST_STEP)
        while not self._done.wait(step):
            self._count()
            waited = self._last.wall - self._first.wall
            if self.used >= self._seconds or waited >= _LONGEST_WAIT * self._seconds:
                self.expired = True
                self._expire()
                return
        self._count()

    def _count(self) -> None:
        before, self._last = self._last, sample_process(self._process)
        self.used += used_between(before, self._last)


def _family(process: int) -> Iterator[int]:
    waiting = [process]
    while waiting:
        member = waiting.pop()
        yield member
        for thread in Path(f"/proc/{member}/task").iterdir():
            with contextlib.suppress(OSError):
                waiting += map(int, (thread / "children").read_text().split())


def _fields(stat: Path) -> list[str]:
    """The fields after the command, which may contain anything."""
    return stat.read_text(errors="replace").rpartition(")")[2].split()


def _cpu_seconds(stat: Path) -> float:
    """User and system time, its own and of the children it has waited for."""
    return sum(map(int, _fields(stat)[11:15])) / os.sysconf("SC_CLK_TCK")


def _state(thread: Path) -> str:
    try:
        return _fields(thread / "stat")[0]
    except (OSError, IndexError):  # the thread has ended
        return ""
