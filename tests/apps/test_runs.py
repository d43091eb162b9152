"""Where the SQLite files and the lock of a run are, and that one process works on it."""

import socket
from pathlib import Path

import pytest

from soprag.apps.runs import CHECKPOINT, COORDINATOR, only_one, own_folder
from soprag.tools.errors import UsageError
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Coordinator, ledger_page


def test_the_files_of_a_shared_run_are_with_its_coordinator(tmp_path: Path) -> None:
    run, cache = RunFolder(tmp_path / "shared" / "pumps"), tmp_path / "cache"
    assert own_folder(run, cache, shared=False) == run.path
    own = own_folder(run, cache, shared=True)
    assert own.is_relative_to(cache)
    assert own_folder(run, cache, shared=False) == own  # also when it goes on without workers
    assert own_folder(RunFolder(tmp_path / "other" / "pumps"), cache, shared=True) != own


def test_a_run_that_began_without_workers_keeps_its_files(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "pumps")
    run.path.mkdir()
    (run.path / CHECKPOINT).touch()
    assert own_folder(run, tmp_path / "cache", shared=True) == run.path


def test_another_machine_does_not_go_on_with_a_shared_run(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "pumps")
    run.write("", COORDINATOR, Coordinator(host="elsewhere", folder="/var/soprag/pumps"))
    with pytest.raises(UsageError, match=r"'elsewhere'.*coordinator\.json"):
        own_folder(run, tmp_path / "cache", shared=True)


def test_the_lock_is_in_the_own_folder(tmp_path: Path) -> None:
    run, own = RunFolder(tmp_path / "pumps"), tmp_path / "own"
    with only_one(run, own), pytest.raises(UsageError, match="another process"), only_one(run, own):
        pass
    assert (own / ".lock").exists()
    assert not run.path.exists()


def test_a_page_of_a_ledger_names_machine_and_process() -> None:
    assert ledger_page().count("-") >= 4
    assert socket.gethostname().split(".")[0].replace("_", "-") in ledger_page()
