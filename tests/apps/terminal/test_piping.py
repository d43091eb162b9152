"""`soprag ask`: what goes to stdout, what to stderr, and the exit code."""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from soprag.apps.terminal import ask_call
from soprag.apps.terminal.ask_call import LONGEST, AskCall, Form, ask_once, read_context
from soprag.apps.terminal.session_start import ChatCall
from soprag.apps.terminal.sessions import Sessions
from soprag.tools.errors import ApprovalNeeded, ModelUnavailable, UsageError
from soprag.tools.text.sanitize import sanitize
from tests.apps.terminal.scripted import WARNING, open_scripted

Ask = Callable[..., int]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("SOPRAG_CHAT__FOLDER", str(tmp_path / "sessions"))
    monkeypatch.setattr(ask_call, "choose_index", lambda setup, **_: setup)
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    def call(question: str, form: Form = "text", resume: str | None = None, **options: Any) -> int:
        chat = ChatCall(profile="offline", operator="ana", resume=resume)
        return ask_once(AskCall(chat, question, form=form, **options), open_scripted)

    return call


def test_the_answer_is_on_stdout_and_nothing_else(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask("the fan stopped") == 0
    out, err = capsys.readouterr()
    assert out == f"Reset the fan (fan)\n\n! {sanitize(WARNING)}\n1. Lock out *FAN-2*.\n[1: Reset the fan, line 5]\n"
    assert err.startswith("1) retrieval: look\n")
    assert "soprag ask --resume" in err


def test_quiet_says_nothing_on_stderr(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask("the fan stopped", quiet=True) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("question", "code"), [("which", 0), ("nothing", 4), ("guide me", 5)])
def test_the_exit_code_says_how_it_went(ask: Ask, question: str, code: int) -> None:
    assert ask(question) == code


def test_a_failure_keeps_its_own_exit_code(ask: Ask) -> None:
    with pytest.raises(ModelUnavailable):
        ask("fail")


def test_what_a_person_has_to_decide_is_printed_and_left_alone(
    ask: Ask, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert ask("guide me") == 5
    out, err = capsys.readouterr()
    assert sanitize(WARNING) in out
    assert "Open <V-101>" not in out
    session = Sessions(tmp_path / "sessions").find()
    assert f"soprag chat --resume {session.id}" in err
    with pytest.raises(ApprovalNeeded, match="waits for a person"):
        ask("ack", resume="latest")


def test_json_is_one_envelope(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    ask("the fan stopped", "json")
    envelope = json.loads(capsys.readouterr().out)
    assert (envelope["schema_version"], envelope["command"]) == (1, "ask")
    data = envelope["data"]
    assert (data["kind"], data["exit_code"], data["waiting"]) == ("answer", 0, None)
    assert data["sources"] == [{"n": 1, "sop": "fan", "title": "Reset the fan", "lines": [5, 5]}]
    ask("guide me", "json")
    waiting = json.loads(capsys.readouterr().out)["data"]["waiting"]
    assert (waiting["name"], waiting["args"]["warnings"][0]["text"]) == ("warning", WARNING)


def test_jsonl_is_an_event_per_line(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    ask("the fan stopped", "jsonl")
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kinds = ["session", "progress", "progress", "block", "block", "message", "result"]
    assert [event["type"] for event in events] == kinds
    with pytest.raises(ModelUnavailable):
        ask("fail", "jsonl")
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["exit_code"] == 6


def test_the_next_turn_of_a_session_goes_on_with_it(ask: Ask, tmp_path: Path) -> None:
    ask("which pump?")
    ask("A", resume="latest")
    cards = Sessions(tmp_path / "sessions").cards()
    assert [(card.title, card.turns) for card in cards] == [("which pump?", 2)]


def test_piped_text_is_context(tmp_path: Path) -> None:
    file = tmp_path / "alarms.log"
    file.write_text("A1\x1b[2J\nA2\n", encoding="utf-8")
    with file.open(encoding="utf-8") as source:
        assert read_context(source, required=False) == "A1[2J\nA2"
    with Path(os.devnull).open(encoding="utf-8") as nothing:
        assert read_context(nothing, required=False) == ""
    assert read_context(io.StringIO("A1"), required=False) == ""
    assert read_context(io.StringIO("A1"), required=True) == "A1"
    with pytest.raises(UsageError, match="pipe the part that matters"):
        read_context(io.StringIO("a" * (LONGEST + 1)), required=True)
