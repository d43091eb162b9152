"""Processes are spoken to in lines and killed with all that they started."""

import os
import sys

import pytest

from soprag.tools.errors import ConfigError
from soprag.tools.sandbox import SandboxLimits
from soprag.tools.sandbox.calls import HostTools
from soprag.tools.sandbox.process import GuestProcess, MessageTooLong, execute, timed_out, wait_until_ready
from tests.tools.sandbox.backends import linux, wait_for_end

FAMILY = """
import json, os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
if child:
    print(json.dumps({"ready": True, "child": child}), flush=True)
time.sleep(3600)
"""


def start(code: str) -> GuestProcess:
    return GuestProcess((sys.executable, "-I", "-c", code), dict(os.environ))


@linux
def test_killing_a_process_ends_its_children_too() -> None:
    process = start(FAMILY)
    message = process.receive()
    assert message is not None
    process.kill()
    assert not process.running
    assert wait_for_end({process.pid, message["child"]}) == set()


def test_lines_that_are_no_message_are_skipped() -> None:
    process = start('print("noise"); print("[1]"); print("{\\"done\\": \\"yes\\"}")')
    assert process.receive() == {"done": "yes"}
    assert process.receive() is None
    process.kill()


def test_a_line_without_end_is_refused() -> None:
    process = start("import sys\nwhile True: sys.stdout.write('x' * 2**20)")
    with pytest.raises(MessageTooLong):
        process.receive()
    process.kill()


async def test_a_process_that_does_not_start_gives_its_reason() -> None:
    process = start("raise SystemExit('no such interpreter')")
    with pytest.raises(ConfigError, match="no such interpreter"):
        await wait_until_ready(process)
    process.kill()


async def test_a_process_that_closes_its_output_and_goes_on_is_ended() -> None:
    process = start("import os, time\nos.close(1)\ntime.sleep(3600)")
    limits, statuses = SandboxLimits(seconds=60.0), []

    def explain(_message: object) -> object:
        statuses.append(process.exit_report())
        return timed_out(limits)

    outcome = await execute(process, "{}", limits, HostTools({}).for_run(limits), explain)  # type: ignore[arg-type]
    assert outcome.failure is not None
    assert len(statuses) == 1
    assert not process.running


@linux
def test_the_launcher_measures_the_memory_that_its_limit_counts() -> None:
    code = (
        "import importlib.util, json, sys\n"
        "spec = importlib.util.spec_from_file_location('launch', sys.argv[1])\n"
        "launch = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(launch)\n"
        "status = open('/proc/self/status').read()\n"
        "data = int(status.partition('VmData:')[2].split()[0]) << 10\n"
        "print(json.dumps({'measured': launch.private_memory(), 'kernel': data}), flush=True)\n"
    )
    from soprag.tools.sandbox.native import LAUNCHER

    process = GuestProcess((sys.executable, "-I", "-c", code, str(LAUNCHER)), dict(os.environ))
    message = process.receive()
    process.kill()
    assert message is not None
    assert abs(message["measured"] - message["kernel"]) < 4 << 20
