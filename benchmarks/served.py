"""A `soprag serve` as a process of its own, for measurements: its address, its processes, their memory."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from soprag.tools.errors import StorageError

_START = 300.0  # seconds for all processes on a busy machine
_END = 60.0  # seconds until it has drained
_MIB = 1024.0


@dataclass(frozen=True)
class Served:
    """A server that answers at `url`."""

    url: str
    process: "subprocess.Popen[bytes]"
    processes: int = 1

    def workers(self) -> list[int]:
        """The ids of the processes that take turns, less those that are being replaced."""
        if self.processes == 1:
            return [self.process.pid]
        return [pid for pid in _children(self.process.pid) if "spawn_main" in _command(pid)]

    def memory(self) -> float:
        """MiB that all processes together have for themselves; what they share counts once."""
        return sum(_proportional(pid) for pid in self.workers()) / _MIB


@contextmanager
def serving(index: str, processes: int, sessions: str, turns: int = 4) -> Iterator[Served]:
    """A server without a model, ready at the beginning; its files lie in a folder of their own."""
    with tempfile.TemporaryDirectory() as folder, socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        command = [str(Path(sys.executable).with_name("soprag")), "serve", "--port", str(port), "--index", index]
        command += ["--processes", str(processes), *(["--sessions", sessions] if sessions else [])]
        variables = {
            "SOPRAG_CHAT__FOLDER": f"{folder}/sessions",
            "SOPRAG_SERVE__TURNS": str(turns),
            "LOG_LEVEL": "ERROR",
        }
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(command, cwd=folder, env=os.environ | variables, stdout=log, stderr=log)
        served = Served(f"http://127.0.0.1:{port}", process, processes)
        try:
            _await_ready(served, Path(folder) / "log")
            yield served
        finally:
            process.terminate()
            process.wait(_END)


def new_schema(database: str) -> str:
    """The URL of a schema that is not there yet."""
    joint = "&" if "?" in database else "?"
    return f"{database}{joint}schema=sessions_{time.time_ns()}"


def _await_ready(served: Served, log: Path) -> None:
    deadline = time.monotonic() + _START
    while time.monotonic() < deadline and served.process.poll() is None:
        with suppress(URLError, OSError), urlopen(f"{served.url}/ready", timeout=5) as answer:
            if answer.status == 200:
                return
        time.sleep(0.5)
    raise StorageError(f"The server did not start:\n{log.read_text()[-2000:]}")


def _children(parent: int) -> list[int]:
    """The processes that a process started (Linux)."""
    text = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii")
    return [int(pid) for pid in text.split()]


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def _proportional(pid: int) -> float:
    """KiB of a process, shared pages divided among those that share them (Linux)."""
    with suppress(OSError):
        rows = dict(
            row.split(":", 1) for row in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").split("\n")[1:] if row
        )
        return float(rows["Pss"].split()[0])
    return 0.0


def client(url: str) -> Any:  # noqa: ANN401 - of a library without stubs here
    """A client with connections of its own."""
    from langgraph_sdk import get_client

    return get_client(url=url)
