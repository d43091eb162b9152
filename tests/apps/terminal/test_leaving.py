"""What leaves a session: the handover note and the exported file."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from soprag.apps.cli.export import export_session
from soprag.apps.cli.sessions import list_sessions
from soprag.apps.terminal.export import fenced, render
from soprag.apps.terminal.handover import handover
from soprag.apps.terminal.requests import StepRequest
from soprag.apps.terminal.sessions import SessionFolder, Sessions
from soprag.tools.flow.requests import StepArguments, WarningShown
from soprag.tools.store.logbook import Logbook
from tests.apps.terminal.desk import card, chat

HOT = "**WARNING:** Close <V-101> and *wait*.\n```\n| bar | 5*3*2 |"
MAIL = {"to": "shift@plant", "body": "Come."}


def entry(book: Logbook, kind: str, by: str = "ana", **facts: Any) -> int:
    return book.append(kind, by=by, **facts).number


def filled(folder: Path) -> tuple[SessionFolder, dict[str, int]]:
    """A session with a guided run in its record."""
    session = Sessions(folder).new(card(id="20260101-a", title="fan stopped"))
    book, step = Logbook(session.logbook), {"sop": "fan", "node": "n"}
    at = {"asked": entry(book, "question", text="fan stopped", aside=False)}
    at["answer"] = entry(book, "answer", "agent", text=f"Reset\n\n! {HOT}", shown="answer", sop="fan")
    at["begun"] = entry(book, "flow begun", sop="fan", title="Reset the fan", sha256="ab" * 32, steps=6)
    warnings = [{"kind": "warning", "text": HOT, "lines": [3, 5]}]
    at["shown"] = entry(book, "step shown", number=1, text="Open <V-101>.", warnings=warnings, **step)
    at["one"] = entry(book, "done", number=1, reply="done", **step)
    at["two"] = entry(book, "done", number=2, **step)
    at["wrong"] = entry(book, "not taken", number=3, text="9 bar is outside '2 to 6 bar'", **step)
    one_of_two = "Noted: 398.5 V. The SOP also states '50 Hz': reply `done` and that value."
    at["noted"] = entry(book, "not taken", number=3, text=one_of_two, **step)
    at["value"] = entry(book, "done", number=3, value={"value": 4.0, "unit": "bar"}, **step)
    at["skip"] = entry(book, "skipped", number=4, reason="the valve is locked", **step)
    at["undone"] = entry(book, "done", number=5, **step)
    at["back"] = entry(book, "back", number=6, **step)
    at["yes"] = entry(book, "approved", tool="email", before=MAIL, after={**MAIL, "body": "Now."}, approval=1, of=1)
    at["sent"] = entry(book, "acted", tool="email", outcome={"text": "The draft is in x.eml"}, **step)
    at["no"] = entry(book, "refused", "ito", tool="ticket", reason="not needed")
    at["note"] = entry(book, "note", text="filter is grey", number=5, **step)
    return session, at


def test_every_line_of_a_handover_cites_the_entries_it_stands_on(tmp_path: Path) -> None:
    session, at = filled(tmp_path)
    text = handover(session.read(), Logbook(session.logbook).entries())
    head, *lines, record, check, sign = text.split("\n")
    assert head.startswith("HANDOVER · ") and "ana" in head and "20260101-a" in head
    assert all(re.search(r"\[#\d+(, #\d+)*\]$", line) for line in [*lines, record]), text
    assert sign.startswith("Taken over by")
    anchor = Logbook(session.logbook).head.anchor()
    assert anchor in record
    assert check == f"To check it: soprag audit verify 20260101-a --head {anchor[:19]}"
    assert f"Asked: fan stopped [#{at['asked']}]" in lines
    assert f"Done: steps 1-2 [#{at['one']}, #{at['two']}]" in lines
    assert f"Done: step 3: 4 bar [#{at['value']}]" in lines
    assert f"Not taken at step 3: 9 bar is outside '2 to 6 bar' [#{at['wrong']}]" in lines
    assert f"Reading at step 3: 398.5 V [#{at['noted']}]" in lines
    assert f"Skipped: step 4, because the valve is locked [#{at['skip']}]" in lines
    assert f"Approved: email by ana after changes [#{at['yes']}]" in lines
    assert f"Happened: email: The draft is in x.eml [#{at['sent']}]" in lines
    assert f"Refused: ticket by ito: not needed [#{at['no']}]" in lines
    assert f"Note at step 5: filter is grey [#{at['note']}]" in lines
    assert not any(line.startswith("Done: step 5") for line in lines)  # it was gone back on


def test_a_handover_follows_the_path_of_a_forked_thread_and_names_what_had_happened(tmp_path: Path) -> None:
    session = Sessions(tmp_path).new(card(id="20260101-a"))
    book, step = Logbook(session.logbook), {"sop": "fan", "node": "n", "number": 1}
    book.append("flow begun", sop="fan", title="Reset the fan", sha256="ab" * 32, steps=6, run="r1")
    book.append("done", key="r1/0/reply", answer=20, value={"value": 20.0, "unit": "°C"}, **step)
    book.append("acted", key="c1/outcome", tool="email", outcome={"text": "The draft is in x.eml"}, **step)
    book.append("done", by="ana", key="r1/0/reply", answer=25, value={"value": 25.0, "unit": "°C"}, **step)
    lines = handover(session.read(), book.entries()).split("\n")
    assert [line for line in lines if line.startswith("Done")] == ["Done: step 1: 25 °C [#5]"]
    assert "Taken back: entries #2 to #3 gave way to another answer, by ana [#4]" in lines
    assert "Before it was taken back: Happened: email: The draft is in x.eml [#3]" in lines


def test_a_handover_ends_with_the_next_step_and_its_warnings_in_full(tmp_path: Path) -> None:
    session, _ = filled(tmp_path)
    at = StepArguments(sop="fan", sop_title="Reset the fan", number=5, of=6, text="Start it.", lines=(9, 9))
    at = at.model_copy(update={"warnings": (WarningShown(kind="warning", text=HOT),)})
    text = handover(session.read(), Logbook(session.logbook).entries(), StepRequest(at))
    assert "Stands at: step 5/6 of Reset the fan" in text
    assert text.index("5*3*2") < text.index("Start it.")
    assert all(line in text for line in HOT.split("\n"))


def test_a_session_without_a_run_has_a_handover_too(tmp_path: Path) -> None:
    session = Sessions(tmp_path).new(card())
    assert len(handover(session.read(), []).split("\n")) == 2


def test_exported_markdown_holds_every_warning_in_a_block_that_nothing_in_it_can_end(tmp_path: Path) -> None:
    session, _ = filled(tmp_path)
    text = render(session, "md")
    assert text.count(HOT) == 2
    opened = ""
    for line in text.split("\n"):
        if not opened and line.startswith("```"):
            opened = line.removesuffix("text")
        elif opened and line == opened:
            opened = ""
        elif not opened:
            assert "<V-101>" not in line
    assert opened == ""


def test_a_fence_is_longer_than_any_in_the_text() -> None:
    assert fenced("a\n````\nb")[0] == "`````text"
    assert fenced("a\x1b[2J") == ["```text", "a[2J", "```"]


def test_exported_json_is_the_record(tmp_path: Path) -> None:
    session, at = filled(tmp_path)
    data = json.loads(render(session, "json"))["data"]
    assert [one["number"] for one in data["record"]] == list(range(1, len(at) + 1))
    assert data["session"]["id"] == "20260101-a"


def test_sessions_are_listed_and_exported_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOPRAG_CHAT__FOLDER", str(tmp_path))
    filled(tmp_path)
    assert "20260101-a" in list_sessions("offline").text()
    assert export_session("offline", "2026", "md", None).startswith("# fan stopped\n\n- session: 20260101-a")
    assert export_session("offline", "latest", "json", str(tmp_path / "x.json")).startswith("Written to")
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["command"] == "export"


async def test_in_the_chat_both_are_written_where_they_were_asked_for(tmp_path: Path) -> None:
    typed = ("the fan stopped", f"/handover {tmp_path / 'note.txt'}", f"/export json {tmp_path / 'x.json'}", "/export")
    tape, _, session = await chat(tmp_path, *typed)
    assert (tmp_path / "note.txt").read_text(encoding="utf-8").startswith("HANDOVER")
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["data"]["session"]["id"] == session.id
    assert (session.path / "export.md").is_file()
    assert "StorageError" not in tape.text
