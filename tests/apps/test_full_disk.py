"""A disk that fills up in the middle of a run: a clear end, and nothing is lost once there is space again."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apps.test_build import soprag
from tests.documents import write_procedure

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="mounts a tmpfs")]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 200 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", disk], check=False).returncode:
        pytest.skip("no right to mount a tmpfs")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_full_disk_ends_the_run_clearly_and_resume_finishes_it(tmp_path: Path, small_disk: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for number in range(12):
        write_procedure(documents, number)
    run = str(small_disk / "run")
    full = soprag("--topic", "Pumps", "--source", "documents", "--out", run, cwd=tmp_path)
    assert full.returncode == 8
    assert "go on with --resume" in full.stderr and "Traceback" not in full.stderr
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    done = soprag("--resume", run, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "12 SOPs from 12 of 12 documents" in done.stdout
