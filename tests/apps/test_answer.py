"""`soprag answer` as a person or a program calls it."""

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from soprag.apps.cli import answer as command
from soprag.apps.cli import main
from soprag.apps.compose import components
from soprag.apps.compose.answering import AnswerCall, ask, ask_source
from soprag.tools.errors import NothingFound, UsageError
from soprag.tools.procedure.page import PageBlock
from soprag.tools.retriever.index.index import Index
from soprag.tools.rules.adapter import RulesLlm
from tests.tools.rules.reading import sop

BODY = (
    "# Reset the fan\n\n> **WARNING:** Moving\x1b[2J parts.\n\n1. Lock out *FAN-2*.\n2. Dose 5*3*2 ml.\n3. Close it.\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index of one SOP."""
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    settings = components.open_settings("offline", {"index": {"folder": str(tmp_path / "index")}})
    asyncio.run(_fill(Path(settings.index.folder), settings))
    return tmp_path / "index"


async def _fill(folder: Path, settings: Any) -> None:
    index = Index.open(folder, components.open_embedder(settings), settings.index)
    one = sop(BODY, "Reset the fan").model_copy(update={"id": "fan"})
    assert [outcome.event async for outcome in index.add([one], components.extraction(settings, RulesLlm()))] == [
        "added"
    ]
    index.close()


def call(folder: Path, *options: str) -> Any:
    arguments = ["answer", "the fan stopped", "--index", str(folder), "--profile", "offline", *options]
    return CliRunner().invoke(main.soprag, arguments, catch_exceptions=False)


def test_a_pipe_gets_the_plain_words_without_control_characters(folder: Path) -> None:
    text = call(folder).stdout
    assert "! **WARNING:** Moving[2J parts.\n1. Lock out *FAN-2*.\n[1: Reset the fan, line 5]\n" in text
    assert "2. Dose 5*3*2 ml.\n" in text
    assert "\x1b" not in text


def test_json_holds_every_step_with_its_node_lines_and_warnings(folder: Path) -> None:
    answer = json.loads(call(folder, "--json").stdout)
    assert answer["command"] == "answer"
    step = answer["data"]["steps"][0]
    assert (step["number"], step["lines"], step["citation"]) == (1, {"start": 5, "end": 5}, "Reset the fan, line 5")
    assert step["warnings"][0]["text"] == "**WARNING:** Moving[2J parts."


def test_source_prints_the_lines_of_a_step_and_of_its_warning(folder: Path) -> None:
    text = call(folder, "--source", "1").stdout
    assert text == "Reset the fan (fan)\n3| > **WARNING:** Moving[2J parts.\n5| 1. Lock out *FAN-2*.\n"


def test_a_step_that_the_answer_has_not_has_no_source(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"'Reset the fan' has 3 steps; there is no step \[4\]"):
        ask_source(AnswerCall("the fan stopped", folder=str(folder), profile="offline"), 4)


def test_when_nothing_fits_the_exit_code_is_4_and_the_nearest_are_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOPRAG_RETRIEVER__ABSTAIN", "1.0")
    with pytest.raises(NothingFound, match=r"'Reset the fan' \(fan\)") as fault:
        ask(AnswerCall("bake bread", folder=str(folder), profile="offline"))
    assert fault.value.exit_code == 4


def test_without_an_index_it_is_said_how_to_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    with pytest.raises(UsageError, match="soprag index add"):
        ask(AnswerCall("the fan stopped", folder=str(tmp_path / "none"), profile="offline"))


def test_only_a_terminal_gets_broken_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    page = [PageBlock("word " * 30)]
    assert "\n" not in command.fit(page)
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, command.fit(page).split("\n"))) <= 40
