"""Runs that are killed: when, and what a model was asked all the same."""

import os
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

from soprag.tools.sop import digest
from tests import operator
from tests.loopback import Loopback


def kill_when(process: "subprocess.Popen[bytes]", run: Path, pattern: str) -> None:
    """kill -9 the whole process group as soon as a file like `pattern` is in the run folder."""
    for _ in range(6000):
        if list(run.glob(pattern)) or process.poll() is not None:
            break
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(20)


def questions(server: Loopback) -> Counter[tuple[str, str]]:
    """How often each question was put to the model: (task, hash of the user message)."""
    bodies = [received.body for received in server.requests]
    return Counter((operator.task_of(body), digest(body["messages"][1]["content"])) for body in bodies)
