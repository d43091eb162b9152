"""Limits of time and memory hold for whatever a program waits for, and nothing of it is left afterwards."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue

from soprag.tools.sandbox import Program, SandboxLimits
from tests.tools.sandbox.backends import EVERY, LIMITS, descendants, linux, open_backend, stop, wait_for_end

SHORT = SandboxLimits(seconds=0.5, memory=256 << 20)
AMPLE = SandboxLimits(seconds=60.0, memory=256 << 20)
SOON = 30.0  # seconds: far less than what the programs wait for, far more than a busy machine needs
every = pytest.mark.parametrize("backend", EVERY)

WAITS = {
    "sleep": "import time\ntime.sleep(3600)",
    "select": "import select\nselect.select([], [], [], 3600)",
    "caught": "import time\nwhile True:\n    try: time.sleep(3600)\n    except BaseException: pass",
    "streams": (
        "import os, time\n"
        "for handle in range(3, 20):\n"
        "    try: os.read(handle, 1)\n"
        "    except OSError: pass\n"
        "time.sleep(3600)"
    ),
    "tool": "tool('hang')",
    "loop": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
}
CHILDREN = {
    "fork": "import os, time\nif os.fork() == 0: time.sleep(3600)\nanswer = True",
    "subprocess": "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'input()'])\nanswer = True",
    "multiprocessing": (
        "import multiprocessing, time\n"
        "multiprocessing.get_context('fork').Process(target=time.sleep, args=(3600,)).start()\n"
        "answer = True"
    ),
    "posix_spawn": "import os\nos.posix_spawn('/bin/sleep', ['sleep', '3600'], {})\nanswer = True",
    "session": "import os\nos.setsid()\nanswer = True",
}
# Host code that starts a program, says so, and is then killed.
HOST = """
import asyncio, sys
from soprag.tools.sandbox import Program, SandboxLimits
from tests.tools.sandbox.backends import open_backend

def started(arguments):
    print("started", flush=True)

asyncio.run(open_backend(sys.argv[1], {"started": started}).run(
    Program("import time\\ntool('started')\\ntime.sleep(3600)"), SandboxLimits(seconds=3600.0)))
"""


@pytest.fixture
def hanging() -> Iterator[threading.Event]:
    """Set at the end of the test: what a tool of the host waits for."""
    event = threading.Event()
    yield event
    event.set()


@every
@pytest.mark.parametrize("wait", WAITS)
async def test_no_wait_outlasts_the_time_limit(backend: str, wait: str, hanging: threading.Event) -> None:
    def hang(_arguments: dict[str, JsonValue]) -> JsonValue:
        return hanging.wait(3600)

    outcome = await open_backend(backend, {"hang": hang}).run(Program(WAITS[wait]), SHORT)
    assert outcome.failure is not None
    assert outcome.failure.kind == "timeout"
    assert outcome.seconds < SOON


@every
async def test_the_standard_input_of_a_program_is_empty(backend: str) -> None:
    outcome = await open_backend(backend).run(Program("import sys\nanswer = sys.stdin.read()"), AMPLE)
    assert outcome.value == ""


@linux
@every
async def test_cancelling_ends_every_process_of_the_run(backend: str) -> None:
    started = threading.Event()
    sandbox = open_backend(backend, {"started": lambda _arguments: started.set()})
    before = descendants(os.getpid())
    task = asyncio.create_task(sandbox.run(Program("import time\ntool('started')\ntime.sleep(3600)"), AMPLE))
    assert await asyncio.to_thread(started.wait, SOON)
    processes = descendants(os.getpid()) - before
    assert processes
    await stop(task)
    assert wait_for_end(processes) == set()


@linux
@every
def test_a_host_that_is_killed_takes_the_program_with_it(backend: str) -> None:
    open_backend(backend)  # skips where it does not work
    host = subprocess.Popen([sys.executable, "-c", HOST, backend], stdout=subprocess.PIPE, cwd=Path.cwd())
    assert host.stdout
    assert host.stdout.readline() == b"started\n"
    processes = descendants(host.pid)
    host.send_signal(signal.SIGKILL)
    host.wait(SOON)
    host.stdout.close()
    assert processes
    assert wait_for_end(processes) == set()


@linux
@every
@pytest.mark.parametrize("child", CHILDREN)
async def test_a_program_starts_no_other_process(backend: str, child: str) -> None:
    before = descendants(os.getpid())
    sandbox = open_backend(backend)
    outcome = await sandbox.run(Program(CHILDREN[child]), AMPLE)
    assert outcome.failure is not None, outcome
    if backend != "wasm":  # whose worker waits for the next program
        assert wait_for_end(descendants(os.getpid()) - before) == set()


@every
async def test_memory_beyond_the_limit_is_refused(backend: str) -> None:
    sandbox = open_backend(backend)
    for code in ("x = 1 << 8 * 2**30", "x = b'1' * (300 * 2**20)", "x = [bytes(2**20) for _ in range(300)]"):
        outcome = await sandbox.run(Program(code), AMPLE)
        assert outcome.failure is not None, code
        assert outcome.failure.kind == "limit", code


@every
async def test_memory_within_the_limit_is_granted(backend: str) -> None:
    outcome = await open_backend(backend).run(Program("answer = len(b'1' * (200 * 2**20))"), AMPLE)
    assert outcome.value == 200 * 2**20


@linux
async def test_shared_memory_does_not_get_around_the_limit() -> None:
    outcome = await open_backend("native").run(Program("import mmap\nmmap.mmap(-1, 2**30)"), AMPLE)
    assert outcome.failure is not None


@linux
async def test_threads_share_the_limits_of_their_program_and_end_with_it() -> None:
    code = (
        "import resource, threading, time\n"
        "threading.Thread(target=time.sleep, args=(3600,)).start()\n"
        "answer = [resource.getrlimit(kind)[1] for kind in (resource.RLIMIT_CPU, resource.RLIMIT_DATA)]"
    )
    before = descendants(os.getpid())
    outcome = await open_backend("native").run(Program(code), SandboxLimits(seconds=5.0, memory=128 << 20))
    assert outcome.failure is None, outcome
    assert isinstance(outcome.value, list)
    seconds, memory = outcome.value
    assert isinstance(seconds, int)
    assert isinstance(memory, int)
    assert 5 <= seconds <= 10
    assert 128 << 20 < memory < 192 << 20
    assert wait_for_end(descendants(os.getpid()) - before) == set()


@linux
async def test_a_program_cannot_raise_its_own_limits() -> None:
    code = "import resource\nresource.setrlimit(resource.RLIMIT_DATA, (-1, -1))"
    outcome = await open_backend("native").run(Program(code), AMPLE)
    assert outcome.failure is not None


@every
async def test_a_sandbox_works_again_after_a_program_was_stopped(backend: str) -> None:
    sandbox = open_backend(backend)
    await sandbox.run(Program("import time\ntime.sleep(3600)"), SHORT)
    assert (await sandbox.run(Program("answer = tool('double', x=4)"), AMPLE)).value == 8


@linux
@pytest.mark.parametrize("backend", EVERY[:1])
async def test_the_worker_of_a_program_that_ended_takes_the_next_one(backend: str) -> None:
    sandbox = open_backend(backend)
    before = descendants(os.getpid())
    await sandbox.run(Program("answer = 1"), AMPLE)
    workers = descendants(os.getpid()) - before
    for code in ("answer = 2", "answer = 1 / 0", "x = bytes(2**30)"):
        await sandbox.run(Program(code), AMPLE)
    assert len(workers) == 1
    assert descendants(os.getpid()) - before == workers


async def test_hanging_tools_take_a_limited_number_of_threads(hanging: threading.Event) -> None:
    from soprag.tools.sandbox.calls import CONCURRENT, HostTools

    host = HostTools({"hang": lambda _arguments: hanging.wait(3600)})
    for _ in range(CONCURRENT):
        calls = host.for_run(LIMITS)
        threading.Thread(target=calls.call, args=("hang", "{}"), daemon=True).start()
    while host.slots._value:  # type: ignore[attr-defined]
        time.sleep(0.01)
    assert '"timeout"' in host.for_run(SandboxLimits(seconds=0.1)).call("hang", "{}")
