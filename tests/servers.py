"""A LangGraph server as a process of its own on a free port of this machine."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[1]
DEV = ("langgraph", "dev", "--no-browser", "--no-reload")


@contextmanager
def running(command: Sequence[str], variables: Mapping[str, str], cwd: Path, log: Path) -> Iterator[str]:
    """The address of the server that a command of this environment starts; of our variables it gets PATH and HOME."""
    name, *arguments = command
    port = free_port()
    environment = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    whole = [str(Path(sys.executable).with_name(name)), *arguments, "--port", str(port)]
    with log.open("w") as written:
        process = subprocess.Popen(whole, cwd=cwd, env=environment | dict(variables), stdout=written, stderr=written)
        try:
            _await_ok(f"http://127.0.0.1:{port}", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await_ok(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(300):
        assert process.poll() is None, log.read_text()
        try:
            with urlopen(f"{address}/ok", timeout=1) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the server did not start:\n{log.read_text()}")
