"""`soprag audit verify` compares the record with the state of the session and with what was noted of it elsewhere."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from soprag.apps.cli.audit import verify_logbook
from soprag.apps.terminal.sessions import SessionFolder
from soprag.graphs.flow import create_guided_run
from soprag.tools.errors import StorageError
from soprag.tools.store.log_entry import START, LogEntry, head_file
from soprag.tools.store.logbook import Logbook
from soprag.tools.store.logbook_audit import LogbookVerdict
from tests.apps.terminal.desk import card
from tests.graphs.guided import COOLANT, Books, Operator, desk
from tests.graphs.test_flow import fork


async def guided(folder: Path, *replies: str, refork: bool = False, books: Books | None = None) -> SessionFolder:
    """A session with a guided run, its record and its checkpoint."""
    session = SessionFolder(folder / "sessions" / "t1")
    session.path.mkdir(parents=True, exist_ok=True)
    async with AsyncSqliteSaver.from_conn_string(str(session.checkpoint)) as saver:
        operator = Operator(create_guided_run(context=desk(folder, books or Books()), checkpointer=saver))
        if not (await operator.graph.aget_state(operator.config)).values:
            await operator.begin("coolant")
        for reply in replies:
            await (operator.decide(type="approve") if reply == "approve" else operator.say(reply))
        if refork:
            await fork(operator, 1, type="respond", message="done 5.5 bar")
    session.write(card(id="t1", turns=1, record=Logbook(session.logbook).head.anchor()))
    return session


def verify(session: SessionFolder) -> LogbookVerdict:
    return verify_logbook(str(session.path), str(session.path.parent))


def rewrite(file: Path, change: Callable[[list[LogEntry]], list[LogEntry]]) -> None:
    """Forge the whole record and its head, as somebody can who knows how it is made."""
    previous, rows = START, []
    for number, entry in enumerate(change(Logbook(file).entries()), 1):
        unsealed = entry.model_copy(update={"number": number, "previous": previous})
        sealed = unsealed.model_copy(update={"hash": unsealed.sealed()})
        rows.append(sealed.line())
        previous = sealed.hash
    file.write_bytes(b"".join(row + b"\n" for row in rows))
    head_file(file).write_text(json.dumps({"number": len(rows), "hash": previous}))


def forget_anchor(session: SessionFolder) -> None:
    session.write(session.read().model_copy(update={"record": ""}))


async def test_a_record_that_agrees_with_its_state_is_sound(tmp_path: Path) -> None:
    session = await guided(tmp_path, "ack", "done", "ack", "done 4.2 bar", "back", "done 4.5 bar", "note smells")
    verdict = verify(session)
    assert (verdict.faults, verdict.notices) == ((), ())


async def test_a_forked_thread_and_its_record_agree(tmp_path: Path) -> None:
    session = await guided(tmp_path, "ack", "done", "ack", "done 4.2 bar", refork=True)
    assert verify(session).sound


async def test_a_run_carried_to_a_new_edition_agrees_with_its_record(tmp_path: Path) -> None:
    books = Books()
    session = await guided(tmp_path, "ack", "done", "ack", books=books)
    books.texts["coolant"] = ("Restore coolant pressure", COOLANT.replace("1. Notify", "1. Check.\n1. Notify"))
    await guided(tmp_path, "done 5 bar", "approve", "ack", "done 5 bar", books=books)
    assert verify(session).faults == ()


async def test_a_value_forged_in_the_whole_chain_contradicts_the_state(tmp_path: Path) -> None:
    session = await guided(tmp_path, "ack", "done", "ack", "done 4.2 bar")
    forget_anchor(session)

    def change(entries: list[LogEntry]) -> list[LogEntry]:
        text = [entry.model_dump_json().replace("4.2", "5.5") for entry in entries]
        return [LogEntry.model_validate_json(row) for row in text]

    rewrite(session.logbook, change)
    assert verify(session).faults == (
        "entry 9 records step 2 done with 5.5 bar, the state holds step 2 done with 4.2 bar",
    )


async def test_a_record_cut_together_with_its_head_contradicts_the_state(tmp_path: Path) -> None:
    session = await guided(tmp_path, "ack", "done", "ack", "done 4.2 bar")
    forget_anchor(session)
    rewrite(session.logbook, lambda entries: entries[:4])
    assert verify(session).faults == ("the state of 'Restore coolant pressure' holds 2 steps that the record does not",)


async def test_a_record_cut_together_with_its_head_contradicts_the_card(tmp_path: Path) -> None:
    session = await guided(tmp_path, "ack")
    rewrite(session.logbook, lambda entries: entries[:2])
    assert any("noted apart from the record" in fault for fault in verify(session).faults)


async def test_a_checkpoint_put_back_to_an_older_one_contradicts_the_record(tmp_path: Path) -> None:
    session = await guided(tmp_path, "ack")
    older = shutil.copy(session.checkpoint, tmp_path / "older.sqlite")
    await guided(tmp_path, "done", "ack", "done 4.2 bar")
    shutil.copy(older, session.checkpoint)
    [fault] = verify(session).faults
    assert fault.endswith("is 2 steps ahead of the state: the thread was taken back")


async def test_a_damaged_or_missing_checkpoint_is_a_fault(tmp_path: Path) -> None:
    session = await guided(tmp_path, "ack")
    session.checkpoint.write_bytes(b"not a database" * 100)
    assert (
        "could not be compared with the state: The checkpoint of the session 't1' is damaged"
        in verify(session).faults[0]
    )
    session.checkpoint.unlink()
    assert verify(session).faults == ("the session has no state any more, though turns were taken",)


async def test_a_record_deleted_with_its_head_is_missed(tmp_path: Path) -> None:
    session = await guided(tmp_path, "ack")
    session.logbook.unlink()
    head_file(session.logbook).unlink()
    with pytest.raises(StorageError, match="The record of the session 't1' is gone, with its head"):
        verify(session)


def test_a_record_outside_a_session_has_no_state_to_be_compared_with(tmp_path: Path) -> None:
    Logbook(tmp_path / "logbook.jsonl").append("note")
    verdict = verify_logbook(str(tmp_path), str(tmp_path))
    assert (verdict.sound, verdict.notices) == (
        True,
        ("There is no session beside the record, so no state to compare it with.",),
    )
