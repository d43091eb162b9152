"""The registry: what is typed, what it means, and that help, completion, documents and the chat agree on it."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from soprag.apps.terminal.actions import ACTIONS
from soprag.apps.terminal.commands import COMMANDS, Mistyped, find, help_lines, parse
from soprag.apps.terminal.replies import reply_called, reply_typed
from soprag.apps.terminal.requests import StepRequest, WarningRequest
from soprag.tools.flow.commands import Verb
from soprag.tools.flow.requests import StepArguments

ROOT = Path(__file__).parents[3]
STEP = StepRequest(StepArguments(sop="fan", number=1, of=3))
DECISION = StepRequest(StepArguments(sop="fan", number=2, of=3, kind="decision"))
WARNINGS = WarningRequest(StepArguments(sop="fan", number=1, of=3))


def test_a_command_is_found_by_its_name_and_by_any_beginning_that_only_it_has() -> None:
    assert find("/resume").name == find("RES").name == "resume"
    assert find("no").name == "no"  # a whole name, though others begin with it
    with pytest.raises(Mistyped, match="/s could be /sops, /source, /steps"):
        find("s")
    with pytest.raises(Mistyped, match="There is no command /x"):
        find("x")


def test_only_lines_that_begin_with_a_slash_are_commands() -> None:
    call = parse("/skip  the valve is locked ")
    assert call and (call.command.name, call.rest) == ("skip", "the valve is locked")
    assert parse("skip it") is None
    assert parse("a /skip") is None
    assert (call := parse("/")) and call.command.name == "help"


def test_every_command_is_either_done_by_the_chat_or_answers_a_step() -> None:
    assert {one.name for one in COMMANDS if not one.at_step} == set(ACTIONS)
    verbs = {*get_args(Verb), "yes", "no"}
    assert {one.name for one in COMMANDS if one.at_step} <= verbs


def test_help_names_every_command_and_one_command_alone() -> None:
    text = "\n".join(help_lines())
    assert all(one.usage in text and one.does in text for one in COMMANDS)
    assert list(help_lines("ski"))[1].split()[:2] == ["/skip", "REASON"]


def test_the_documents_name_the_commands_that_there_are() -> None:
    known = {one.name for one in COMMANDS}
    table = (ROOT / "docs" / "chat.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `/(\w+)", table, flags=re.MULTILINE)) == known
    for one in COMMANDS:
        assert f"| `{one.usage}` | {one.does}" in table.replace("\\|", "|"), one.name
    for page in (ROOT / "README.md", ROOT / "docs" / "transcript.md"):
        typed = re.findall(r"(?<![\w/.:>)])/([a-z]+)\b(?![/.\w-])", page.read_text(encoding="utf-8"))
        assert {name for name in typed if name not in known | {"min", "s", "bar", "dev"}} == set(), page


def typed(text: str, request: Any = STEP) -> dict[str, Any]:
    return reply_typed(text, request).wire()


def test_replies_are_sent_as_they_are_and_a_command_with_a_question_mark_is_a_question() -> None:
    for words in ("done", "done 4.2 bar", "skip it leaks", "back", "why", "note grey", "use email", "stop", "2"):
        assert typed(words) == {"type": "respond", "message": words}
    assert typed("yes", DECISION) == {"type": "respond", "message": "yes"}
    for words in ("what is a gasket", "why does it trip?", "back pressure is high", "stop the pump?"):
        assert typed(words) == {"type": "respond", "message": words}
    for words in ("done?", "skip?", "ask what is a gasket"):
        assert typed(words) == {"type": "respond", "message": f"ask {words}".replace("ask ask", "ask")}


def test_before_warnings_are_acknowledged_nothing_else_moves_the_run() -> None:
    assert typed("ack", WARNINGS) == typed("yes", WARNINGS) == {"type": "approve"}
    for words in ("done", "2", "no", "skip it", "use email"):
        with pytest.raises(Mistyped, match="The warnings come first"):
            reply_typed(words, WARNINGS)
    assert typed("stop", WARNINGS) == {"type": "respond", "message": "stop"}
    assert typed("what is OAT", WARNINGS) == {"type": "respond", "message": "what is OAT"}


def test_a_command_with_a_slash_means_the_same() -> None:
    for line in ("/done 4.2 bar", "/yes", "/skip it leaks", "/use email"):
        call = parse(line)
        assert call
        assert reply_called(call, STEP).wire() == {"type": "respond", "message": line[1:]}
    call = parse("/skip")
    assert call
    with pytest.raises(Mistyped, match="Say why"):
        reply_called(call, STEP)
