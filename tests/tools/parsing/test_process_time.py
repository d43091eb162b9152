"""Time limits count what a process does: other work on the machine is not held against a document, hanging is."""

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from soprag.tools.parsing.budget import TimeBudget
from soprag.tools.parsing.process_time import ProcessSample, TimeWatch, sample_process, used_between


def sample(wall: float, cpu: float | None, ready: bool = False) -> ProcessSample:
    return ProcessSample(wall, cpu, ready)


def test_waiting_for_a_core_of_a_busy_machine_uses_no_time() -> None:
    assert used_between(sample(0, 0), sample(240, 20, ready=True)) == 20
    assert used_between(sample(0, 0), sample(240, 0, ready=True)) == 0


def test_a_process_that_hangs_uses_the_time_of_the_clock() -> None:
    assert used_between(sample(0, 5), sample(240, 5)) == 240


def test_several_threads_use_no_more_than_the_time_of_the_clock() -> None:
    assert used_between(sample(0, 0), sample(10, 40, ready=True)) == 10


def test_where_processor_time_is_not_known_all_time_counts() -> None:
    assert used_between(sample(0, None), sample(7, None)) == 7


def test_a_budget_is_spent_by_what_processes_used_and_not_by_the_clock() -> None:
    budget = TimeBudget(60)
    budget.charge(45)
    assert (budget.remaining(), budget.remaining(0.5), budget.spent) == (15, 7.5, False)
    budget.widen(100)
    budget.charge(55)
    assert budget.spent


@pytest.fixture
def sleeper() -> Iterator[int]:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield process.pid
    process.kill()
    process.wait()


def test_a_process_that_sleeps_past_its_limit_expires(sleeper: int) -> None:
    late = threading.Event()
    watch = TimeWatch(sleeper, 0.2, late.set)
    assert late.wait(30)
    watch.stop()
    assert watch.expired


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_sample_holds_the_processor_time_of_a_process_and_that_of_its_children() -> None:
    burn = "x = 0\nfor n in range(10**7): x += n\n"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}]); print(1, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        state = sample_process(process.pid)
        process.kill()
    assert state.cpu is not None
    assert state.cpu > 0.1
