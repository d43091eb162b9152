"""Sessions on disk: found again, listed, never opened twice, never half written."""

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from soprag.apps.terminal.export import render
from soprag.apps.terminal.session_list import session_lines
from soprag.apps.terminal.sessions import SessionFolder, Sessions, operator
from soprag.apps.terminal.stored_state import check_state, checkpoint_errors
from soprag.tools.errors import StorageError, UsageError
from soprag.tools.store.logbook import Logbook
from tests.apps.terminal.desk import card, chat


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


def test_a_session_with_a_damaged_card_is_listed_with_the_way_to_its_record(tmp_path: Path) -> None:
    made(tmp_path, "a", "2026")
    Logbook(made(tmp_path, "b", "2027").logbook).append("note", text="x")
    (tmp_path / "b" / "session.json").write_text("{", encoding="utf-8")
    sessions = Sessions(tmp_path)
    assert {held.id for held in sessions.cards()} == {"a", "b"}
    assert "CARD DAMAGED, its record: soprag export b" in "\n".join(session_lines(sessions.cards()))
    with pytest.raises(StorageError, match=r"'b' cannot be read .* Its record can still be read: `soprag export b`"):
        check_state(sessions.find("b"))
    exported = render(sessions.find("b"), "md")
    assert "note" in exported
    assert "problem: The card of the session" in exported


def test_a_session_without_a_card_is_found_by_its_record(tmp_path: Path) -> None:
    Logbook(made(tmp_path, "b", "2027").logbook).append("note", text="x")
    (tmp_path / "b" / "session.json").unlink()
    assert json.loads(render(Sessions(tmp_path).find("b"), "json"))["data"]["record"][0]["kind"] == "note"


async def talked(folder: Path) -> SessionFolder:
    """A session whose checkpoint holds a guided run."""
    _, _, session = await chat(folder, "guide me", "ack")
    Logbook(session.logbook).append("note", text="x")
    return session


@pytest.mark.parametrize("damage", ["garbage", "truncated", "pages", "last page", "state"])
async def test_a_damaged_checkpoint_is_one_line_and_the_record_is_exported(damage: str, tmp_path: Path) -> None:
    session = await talked(tmp_path)
    whole = session.checkpoint.read_bytes()
    if damage == "garbage":
        session.checkpoint.write_bytes(b"not a database" * 100)
    elif damage == "truncated":
        session.checkpoint.write_bytes(whole[: len(whole) // 2])
    elif damage == "last page":
        session.checkpoint.write_bytes(whole[:-4096] + bytes(4096))
    elif damage == "pages":
        session.checkpoint.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    else:
        with closing(sqlite3.connect(session.checkpoint)) as database, database:
            database.execute("UPDATE checkpoints SET checkpoint = x'c1ff00'")
    with pytest.raises(StorageError, match=r"The checkpoint of the session '.*' is damaged \(.*soprag export"):
        check_state(session)
    assert "note" in render(session, "md")


@pytest.mark.parametrize("emptied", ["file", "rows", "gone"])
async def test_an_emptied_checkpoint_is_not_gone_on_with(emptied: str, tmp_path: Path) -> None:
    session = await talked(tmp_path)
    check_state(session)
    if emptied == "file":
        session.checkpoint.write_bytes(b"")
    elif emptied == "gone":
        session.checkpoint.unlink()
    else:
        with closing(sqlite3.connect(session.checkpoint)) as database, database:
            database.execute("DELETE FROM checkpoints")
    with pytest.raises(StorageError, match="is empty or missing, though 1 turns were taken"):
        check_state(session)


def test_a_session_in_which_nothing_was_asked_needs_no_checkpoint(tmp_path: Path) -> None:
    check_state(made(tmp_path, "a", "2026"))


def test_a_checkpoint_that_breaks_while_it_is_open_is_one_line() -> None:
    with (
        pytest.raises(StorageError, match=r"read or written \(disk image is malformed"),
        checkpoint_errors("a"),
    ):
        raise sqlite3.DatabaseError("disk image is malformed")


def test_who_is_at_the_terminal_is_the_name_given_or_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ana")
    assert (operator("M. Ito"), operator()) == ("M. Ito", "ana")
