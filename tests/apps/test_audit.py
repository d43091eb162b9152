import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from soprag.apps.cli.main import soprag
from soprag.tools.errors import StorageError, UsageError
from soprag.tools.store.logbook import Logbook


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    book = Logbook(tmp_path / "s1" / "logbook.jsonl")
    book.append("flow begun", by="ann", sop="coolant")
    book.append("approved", by="bob", tool="email")
    return tmp_path


def run(*arguments: str) -> tuple[str, BaseException | None]:
    result = CliRunner().invoke(soprag, ["audit", *arguments])
    return result.stdout, result.exception


@pytest.mark.parametrize("named", ["s1", "latest", "{}/s1", "{}/s1/logbook.jsonl"])
def test_a_logbook_is_found_by_session_folder_file_or_being_the_latest(named: str, sessions: Path) -> None:
    said, fault = run("verify", named.format(sessions), "--sessions", str(sessions))
    assert fault is None
    assert "2 entries; the logbook is as it was written." in said


def test_tampering_is_printed_and_ends_with_the_code_of_a_damaged_file(sessions: Path) -> None:
    file = sessions / "s1" / "logbook.jsonl"
    file.write_text(file.read_text().replace("email", "call"))
    said, fault = run("verify", str(file), "--json")
    assert json.loads(said)["data"]["faults"] == ["line 2 (entry 2, 'approved') was changed"]
    assert isinstance(fault, StorageError)
    assert fault.exit_code == 8
    assert "! line 2 (entry 2, 'approved') was changed" in run("show", str(file))[0]


def test_entries_are_shown_by_kind_with_who_and_what(sessions: Path) -> None:
    said, _ = run("show", "s1", "--sessions", str(sessions), "--kind", "approved")
    assert "bob  approved  tool=email" in said
    assert "coolant" not in said


def test_a_session_that_is_not_there_is_named(tmp_path: Path) -> None:
    _, fault = run("show", "nosuch", "--sessions", str(tmp_path))
    assert isinstance(fault, UsageError)


def test_a_logbook_that_was_deleted_is_missed(sessions: Path) -> None:
    (sessions / "s1" / "logbook.jsonl").unlink()
    said, fault = run("verify", "s1", "--sessions", str(sessions))
    assert "entries 1 to 2 were cut off at the end" in said
    assert isinstance(fault, StorageError)
