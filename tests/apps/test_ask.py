"""`soprag ask` on a real index, as a person or a program calls it, and without an index of one's own."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from soprag.apps.cli.main import soprag
from soprag.apps.compose import example_index
from soprag.apps.compose.example_index import NOTICE
from soprag.apps.compose.index import extraction, open_index
from soprag.apps.compose.settings import open_settings
from soprag.apps.terminal.first_look import announce
from soprag.tools.errors import NothingFound, UsageError
from soprag.tools.rules.adapter import RulesLlm
from tests.tools.rules.reading import sop

BODY = (
    "# Reset the fan\n\n> **WARNING:** Moving\x1b[2J parts.\n\n1. Lock out *FAN-2*.\n2. Dose 5*3*2 ml.\n3. Close it.\n"
)


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without an index, and with an example library of one document."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "fan.md").write_text(BODY, encoding="utf-8")
    monkeypatch.setattr(example_index, "example_library", lambda: tmp_path / "library")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An index of one SOP."""
    asyncio.run(_fill(tmp_path / "plant"))
    return tmp_path / "plant"


async def _fill(folder: Path) -> None:
    settings = open_settings("offline", {"index": {"folder": str(folder)}})
    index = open_index(settings, create=True)
    fan = sop(BODY, "Reset the fan").model_copy(update={"id": "fan"})
    assert [outcome.event async for outcome in index.add([fan], extraction(settings, RulesLlm()))] == ["added"]
    index.close()


def call(*arguments: str) -> Any:
    return CliRunner().invoke(soprag, [*arguments, "--profile", "offline"])


def test_the_nearest_procedures_are_named_before_the_answer(folder: Path) -> None:
    assert call("ask", "the fan stopped", "--index", str(folder)).stderr.startswith("Nearest: Reset the fan\n1) ")
    assert "Nearest" not in call("ask", "the fan stopped", "--index", str(folder), "--quiet").stderr
    assert "Nearest" not in call("ask", "how do I bake a cake", "--index", str(folder)).stderr


def test_they_are_ranked_without_a_model_while_its_answers_are_recorded(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    llm = {"model": "openai:any", "record": str(tmp_path / "answers")}
    settings = open_settings("offline", {"index": {"folder": str(folder)}, "llm": llm})
    announce(settings, "the fan stopped")
    assert capsys.readouterr().err == "Nearest: Reset the fan\n"


def test_a_pipe_gets_the_plain_words_without_control_characters(folder: Path) -> None:
    text = call("ask", "the fan stopped", "--index", str(folder)).stdout
    assert "! **WARNING:** Moving[2J parts.\n1. Lock out *FAN-2*.\n[1: line 5]\n" in text
    assert "2. Dose 5*3*2 ml.\n" in text
    assert "\x1b" not in text


def test_json_holds_every_step_with_its_node_lines_and_warnings(folder: Path) -> None:
    envelope = json.loads(call("ask", "the fan stopped", "--json", "--index", str(folder)).stdout)
    assert (envelope["command"], envelope["data"]["index"]) == ("ask", str(folder))
    step = envelope["data"]["answer"]["steps"][0]
    assert (step["number"], step["lines"], step["citation"]) == (1, {"start": 5, "end": 5}, "Reset the fan, line 5")
    assert step["warnings"][0]["text"] == "**WARNING:** Moving[2J parts."


def test_source_prints_the_lines_of_a_step_and_of_its_warning(folder: Path) -> None:
    text = call("ask", "the fan stopped", "--source", "1", "--index", str(folder)).stdout
    assert text.strip() == "Reset the fan\n3| > **WARNING:** Moving[2J parts.\n5| 1. Lock out *FAN-2*."


def test_a_step_that_the_answer_has_not_has_no_source(folder: Path) -> None:
    fault = call("ask", "the fan stopped", "--source", "4", "--index", str(folder)).exception
    assert isinstance(fault, UsageError)
    assert "[4]" in str(fault)


def test_when_nothing_fits_the_exit_code_is_4(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOPRAG_RETRIEVER__ABSTAIN", "1.0")
    result = call("ask", "bake bread", "--index", str(folder))
    assert result.exit_code == NothingFound.exit_code
    assert "Reset the fan" in result.stdout
    assert "step by step" not in result.stderr  # there is no procedure to be led through


@pytest.mark.parametrize("arguments", [("ask", "the fan stopped"), ("search", "the fan stopped"), ("index", "list")])
def test_without_an_index_the_example_library_stands_in_and_stderr_says_so(arguments: tuple[str, ...]) -> None:
    result = call(*arguments)
    assert (result.exit_code, NOTICE in result.stderr) == (0, True)
    assert "Reset the fan" in result.stdout
    assert "EXAMPLE" not in result.stdout
    again = call(*arguments)
    assert (again.stdout == result.stdout or arguments[0] == "ask", NOTICE in again.stderr) == (True, True)
    assert "indexed now" not in again.stderr


def test_an_index_that_was_named_and_is_not_there_is_an_error() -> None:
    for command in ("ask", "search"):
        fault = call(command, "the fan stopped", "--index", "plnat").exception
        assert isinstance(fault, UsageError)
        assert "There is no index in 'plnat'; make one with `soprag index add DIR`" in str(fault)


def test_what_changes_an_index_needs_one_of_the_operators_own() -> None:
    for arguments in (("update",), ("remove", "fan")):
        assert isinstance(call("index", *arguments).exception, UsageError)
