"""The end of a process."""

import subprocess
import sys

STUCK = """
import sys, threading, time, types

service = types.ModuleType("langchain_core.tracers.langchain")
service.wait_for_all_tracers = lambda: time.sleep({seconds})
sys.modules["langsmith.client"] = types.ModuleType("langsmith.client")
sys.modules["langchain_core.tracers.langchain"] = service
threading.Thread(target=time.sleep, args=({seconds},)).start()  # as the client's own threads

from soprag.apps import process

process._LAST_TRACES = 0.5
print("answer", end="")
process.end(4)
"""


def ended(seconds: float) -> subprocess.CompletedProcess[str]:
    program = STUCK.format(seconds=seconds)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)


def test_a_tracing_service_that_never_answers_does_not_keep_the_process() -> None:
    process = ended(seconds=600)
    assert (process.returncode, process.stdout) == (4, "answer")
    assert "took no traces for 0.5 s" in process.stderr


def test_traces_that_are_taken_in_time_are_not_mentioned() -> None:
    process = ended(seconds=0.0)
    assert (process.returncode, process.stdout, process.stderr) == (4, "answer", "")
