"""Processes that run programs: started here, spoken to in lines of JSON, and killed when their time is over.

The time limit is enforced from this process and by nothing inside the other one, so that it holds for whatever a
program waits for: a sleep, a read, a tool of the host that does not return.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from soprag.tools.errors import ConfigError
from soprag.tools.history import StepFailure
from soprag.tools.sandbox import SandboxLimits, SandboxOutcome
from soprag.tools.sandbox.calls import HostCalls, read_response

START = 60.0  # seconds the process may take to start on a busy machine; the program's own time begins afterwards
REAP = 10.0  # seconds a killed process may take to disappear
EXIT = 1.0  # seconds a process may take to exit after it has closed its standard output
LONGEST_LINE = 4 << 20  # bytes of one message

Result = TypeVar("Result")
Message = dict[str, Any]


class MessageTooLong(Exception):
    """A process wrote a line of `LONGEST_LINE` bytes or more."""


class GuestProcess:
    """One process, in a session of its own, with pipes to and from it."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command, env=dict(environment), cwd=os.path.abspath(os.sep), start_new_session=True,  # noqa: PTH100
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.ready = False  # has said that it is
        self.busy = False  # has a request without an answer
        self._killed = False

    @property
    def pid(self) -> int:
        """Id of the process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process has neither ended nor been killed."""
        return not self._killed and self._process.poll() is None

    def send(self, line: str) -> None:
        """Write one line; that the process has ended is noticed by `receive`."""
        assert self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def receive(self) -> Message | None:
        """The next message, other lines are skipped; None when the process has ended. Raises `MessageTooLong`."""
        assert self._process.stdout
        with contextlib.suppress(OSError, ValueError):  # closed by `kill`
            while line := self._process.stdout.readline(LONGEST_LINE):
                if len(line) == LONGEST_LINE:
                    raise MessageTooLong
                message = _parse(line)
                if message is not None:
                    return message
        return None

    def converse(self, request: str, calls: HostCalls) -> Message | None:
        """Send a request, serve the calls that come back, and return the final message; ends as `receive` does."""
        self.busy = True
        self.send(request)
        while (message := self.receive()) is not None and "call" in message:
            self.send(calls.call(str(message["call"]), str(message.get("arguments"))))
        self.busy = message is None
        return message

    def exit_report(self) -> tuple[int, str]:
        """Exit status and last line of errors of a process that closed its output; kills it if it goes on."""
        try:
            status = self._process.wait(EXIT)
        except subprocess.TimeoutExpired:
            self.kill()
            return self._process.returncode, ""
        errors = self._process.stderr.read(8000) if self._process.stderr else b""
        return status, errors.decode(errors="replace").strip().rpartition("\n")[2][-500:]

    def kill(self) -> None:
        """End the process with all of its session, and wait until it is gone."""
        if self._killed:
            return
        self._killed = True
        if self._process.returncode is None:  # else its id may belong to another process by now
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if sys.platform == "win32":
                    self._process.kill()
                else:
                    os.killpg(self._process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(REAP)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                if stream:
                    stream.close()


async def in_thread(work: Callable[[], Result], seconds: float | None) -> Result:
    """The result of blocking `work`, done in a daemon thread, which keeps no process from exiting.

    Raises `TimeoutError` after `seconds`; the thread is then abandoned, and the caller ends what it waits for.
    """
    future: Future[Result] = Future()

    def run() -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits
            future.set_exception(error)

    threading.Thread(target=run, name="sandbox-run", daemon=True).start()
    return await asyncio.wait_for(asyncio.wrap_future(future), seconds)


async def wait_until_ready(process: GuestProcess) -> None:
    """Return when the process can take a request; raises `ConfigError` when it does not start."""
    if process.ready:
        return
    try:
        message = await in_thread(process.receive, START)
    except TimeoutError as late:
        raise ConfigError(f"The sandbox process did not start within {START:g} s; the machine is too busy.") from late
    if message is None or "ready" not in message:
        reason = message.get("failed") if message else process.exit_report()[1]
        raise ConfigError(f"The sandbox process did not start: {reason or 'no reason was given'}.")
    process.ready = True


async def execute(
    process: GuestProcess,
    request: str,
    limits: SandboxLimits,
    calls: HostCalls,
    explain: Callable[[Message | None], StepFailure],
) -> SandboxOutcome:
    """The outcome of one request; `explain`, which may block, gives the reason when there is no response.

    A process that did not answer in time is still running afterwards and `busy`: the caller kills it.
    """
    began = time.monotonic()
    try:
        message = await in_thread(lambda: process.converse(request, calls), limits.seconds)
    except TimeoutError:
        failure = timed_out(limits)
    except MessageTooLong:
        failure = StepFailure(kind="limit", message=f"The program sent more than {LONGEST_LINE >> 20} MiB at once.")
    else:
        if message is not None and "done" in message:
            return read_response(str(message["done"]), time.monotonic() - began)
        failure = await in_thread(lambda: explain(message), None)
    return SandboxOutcome(failure=failure, seconds=time.monotonic() - began)


def timed_out(limits: SandboxLimits) -> StepFailure:
    """The failure of a program that took too long."""
    message = f"The program did not end within {limits.seconds:g} s; do less, or in larger steps."
    return StepFailure(kind="timeout", message=message)


def _parse(line: bytes) -> Message | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
