"""Sessions on disk: found again, listed, never opened twice, never half written."""

import stat
from pathlib import Path

import pytest

from soprag.apps.terminal.session_list import session_lines
from soprag.apps.terminal.sessions import SessionFolder, Sessions, operator
from soprag.tools.errors import StorageError, UsageError
from tests.apps.terminal.desk import card


def made(folder: Path, id: str, updated: str) -> SessionFolder:
    return Sessions(folder).new(card(id=id, updated=updated))


def test_a_session_is_found_by_the_beginning_of_its_id_and_the_latest_without_one(tmp_path: Path) -> None:
    made(tmp_path, "20260101-a", "2026-01-03")
    made(tmp_path, "20260102-b", "2026-01-02")
    sessions = Sessions(tmp_path)
    assert sessions.find().id == sessions.find("latest").id == "20260101-a"
    assert sessions.find("20260102").id == "20260102-b"
    with pytest.raises(UsageError, match="could be 20260101-a, 20260102-b"):
        sessions.find("2026")
    with pytest.raises(UsageError, match="There is no session 'x'"):
        sessions.find("x")


def test_without_sessions_it_is_said_how_to_begin_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="begin one with `soprag chat`"):
        Sessions(tmp_path / "none").find()


def test_a_session_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    folder = made(tmp_path, "a", "2026")
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


def test_a_session_is_open_in_one_window_at_a_time(tmp_path: Path) -> None:
    folder = made(tmp_path, "a", "2026")
    with folder.held(), pytest.raises(UsageError, match="open in another window"), SessionFolder(folder.path).held():
        raise AssertionError
    with folder.held():
        pass


def test_a_card_notes_the_first_question_and_where_it_stands(tmp_path: Path) -> None:
    folder = made(tmp_path, "a", "2026")
    folder.turned(question="pump\x1b[2J tripped\nnow")
    folder.turned(question="guide me", position="step 2/9 of Pump trip")
    folder.turned(position="step 3/9 of Pump trip")
    held = folder.read()
    assert (held.title, held.turns, held.at) == ("pump[2J tripped now", 2, "step 3/9 of Pump trip")
    assert next(session_lines([held], "a")).startswith("* a  ")
    assert not (folder.path / "session.json.new").exists()


def test_a_damaged_card_hides_no_other_session(tmp_path: Path) -> None:
    made(tmp_path, "a", "2026")
    (made(tmp_path, "b", "2027").path / "session.json").write_text("{", encoding="utf-8")
    assert [held.id for held in Sessions(tmp_path).cards()] == ["a"]
    with pytest.raises(StorageError, match="'b' cannot be read"):
        SessionFolder(tmp_path / "b").read()


def test_who_is_at_the_terminal_is_the_name_given_or_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ana")
    assert (operator("M. Ito"), operator()) == ("M. Ito", "ana")
