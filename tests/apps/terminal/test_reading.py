"""The prompt: what keys do, driven through prompt_toolkit's own pipe instead of a terminal; and plain lines."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from soprag.apps.terminal.line_readers import LineReader, PromptReader, command_completer


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def reader(folder: Path, keys: PipeInput) -> PromptReader:
    return PromptReader(folder / "history", lambda name: ["20260101-a", "20260102-b"], input=keys, output=DummyOutput())


async def test_enter_sends_and_alt_enter_and_ctrl_j_begin_a_new_line(tmp_path: Path, keys: PipeInput) -> None:
    keys.send_text("first\x1b\rsecond\nthird\r")
    assert await reader(tmp_path, keys).line("> ") == "first\nsecond\nthird"


async def test_a_pasted_text_keeps_its_lines_and_is_not_sent_by_them(tmp_path: Path, keys: PipeInput) -> None:
    keys.send_text("\x1b[200~alarm 1\nalarm 2\n\x1b[201~what now\r")
    assert await reader(tmp_path, keys).line("> ") == "alarm 1\nalarm 2\nwhat now"


async def test_control_characters_that_were_pasted_are_gone(tmp_path: Path, keys: PipeInput) -> None:
    keys.send_text("\x1b[200~a\x07b\u202ec\x1b[201~\r")
    assert await reader(tmp_path, keys).line("> ") == "abc"


async def test_ctrl_r_finds_what_was_typed_in_an_earlier_session(tmp_path: Path, keys: PipeInput) -> None:
    first = reader(tmp_path, keys)
    keys.send_text("pump P-101 tripped\r")
    await first.line("> ")
    keys.send_text("\x12tripp\r\r")
    assert await reader(tmp_path, keys).line("> ") == "pump P-101 tripped"


async def test_ctrl_c_and_ctrl_d_are_told_apart(tmp_path: Path, keys: PipeInput) -> None:
    prompt = reader(tmp_path, keys)
    keys.send_text("half\x03")
    with pytest.raises(KeyboardInterrupt):
        await prompt.line("> ")
    keys.send_text("\x04")
    with pytest.raises(EOFError):
        await prompt.line("> ")


async def test_short_answers_are_edited_in_place_and_stay_out_of_the_history(tmp_path: Path, keys: PipeInput) -> None:
    prompt = reader(tmp_path, keys)
    keys.send_text("!\r")
    assert await prompt.answer("to> ", "shift@plant") == "shift@plant!"
    assert not (tmp_path / "history").exists()


OFFERED = {"resume": ["20260101-a", "20260102-b"], "sops": ["Pump Start"], "": ["Pump Start", "Pump Stop", "Start"]}


def completions(text: str, *, requested: bool = False) -> list[str]:
    completer = command_completer(lambda name: OFFERED.get(name, []))
    event = CompleteEvent(completion_requested=requested)
    return [one.text for one in completer.get_completions(Document(text), event)]


def test_commands_and_what_may_follow_them_are_completed() -> None:
    assert completions("/s") == ["sops", "source", "steps", "skip", "stop", "sessions"]
    assert completions("/resume 2026010") == ["20260101-a", "20260102-b"]
    assert completions("/resume 20260102") == ["20260102-b"]
    assert completions("/sops pu") == ["Pump Start"]
    assert completions("pump /s") == completions("/x") == completions("/source 1") == []


def test_titles_are_completed_in_a_message_when_that_is_asked_for() -> None:
    assert completions("guide me through pump st", requested=True) == ["Pump Start", "Pump Stop"]
    assert completions("guide me through pump st") == completions("pu", requested=True) == []


async def test_plain_lines_come_as_they_are_until_there_are_no_more() -> None:
    lines = LineReader(io.StringIO("a\x1b[2J\n\nlast"))
    assert not lines.attended
    assert [await lines.line("> "), await lines.line("> ", "kept"), await lines.line("> ")] == ["a[2J", "kept", "last"]
    with pytest.raises(EOFError):
        await lines.line("> ")
