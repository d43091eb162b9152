"""The first start: a machine without an index leads to an answer, and never to one from somebody else's procedures."""

import dataclasses
import io
from pathlib import Path

import click
import pytest

from soprag.apps.compose import example_index
from soprag.apps.compose.index import open_retriever
from soprag.apps.terminal.chat import open_screen
from soprag.apps.terminal.example_index import choose_index
from soprag.apps.terminal.screen import RichScreen
from soprag.apps.terminal.session_start import ChatCall, Setup, set_up
from soprag.apps.terminal.sessions import Sessions
from soprag.tools.errors import UsageError
from tests.apps.terminal.desk import card

SOP = "# Reset the fan\n\n1. Lock out FAN-2.\n2. Press reset.\n"


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    library = tmp_path / "library"
    library.mkdir()
    (library / "fan.md").write_text(SOP, encoding="utf-8")
    monkeypatch.setattr(example_index, "example_library", lambda: library)
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOPRAG_CHAT__FOLDER", str(tmp_path / "sessions"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return set_up(ChatCall(profile="offline"))


def says(monkeypatch: pytest.MonkeyPatch, answers: list[bool]) -> None:
    monkeypatch.setattr(click, "confirm", lambda question, default: answers.pop(0))


def test_after_a_yes_the_example_library_is_indexed_apart_and_answers(
    setup: Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, [True])
    ready = choose_index(setup, attended=True)
    folder = ready.settings.index.folder
    assert not (tmp_path / "index").exists()
    with open_retriever(ready.settings) as retriever:
        assert retriever.find("reset the fan").hits[0].title == "Reset the fan"
    assert "not your procedures" in capsys.readouterr().out
    again = choose_index(setup, attended=True)  # nothing is asked a second time
    assert again.settings.index.folder == folder
    assert "EXAMPLE LIBRARY" in capsys.readouterr().out


def test_after_a_no_it_is_said_how_to_make_an_index(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, [False])
    with pytest.raises(UsageError, match="soprag index add DIR"):
        choose_index(setup, attended=True)


def test_where_nobody_can_be_asked_stderr_says_that_it_is_the_example_library(
    setup: Setup, capsys: pytest.CaptureFixture[str]
) -> None:
    ready = choose_index(setup, attended=False, quiet=True)
    out, err = capsys.readouterr()
    assert example_index.is_example(ready.settings)
    assert (out, example_index.NOTICE in err) == ("", True)


def test_an_index_that_the_settings_name_is_never_replaced_by_the_examples(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOPRAG_INDEX__FOLDER", "plant-2")
    with pytest.raises(UsageError, match="There is no index in 'plant-2'"):
        choose_index(set_up(ChatCall(profile="offline")), attended=False)


def test_an_index_that_was_named_and_is_not_there_is_an_error(setup: Setup) -> None:
    named = set_up(ChatCall(profile="offline", folder="elsewhere"))
    with pytest.raises(UsageError, match="'elsewhere'"):
        choose_index(named, attended=True)


def test_a_resumed_session_keeps_its_index_its_profile_and_its_model(setup: Setup, tmp_path: Path) -> None:
    held = card(
        id="20260101-a", profile="offline", index=str(tmp_path / "plant"), model="openai:x", base_url="http://h"
    )
    Sessions(tmp_path / "sessions").new(held)
    settings = set_up(ChatCall(resume="2026")).settings
    assert settings.index.folder == str(tmp_path / "plant")
    assert (settings.llm.model, settings.llm.base_url) == ("openai:x", "http://h")
    other = set_up(ChatCall(resume="2026", model="rules", folder="here")).settings
    assert (other.llm.model, other.index.folder) == ("rules", "here")


def test_a_new_session_notes_what_it_was_opened_with(setup: Setup, tmp_path: Path) -> None:
    made = setup.start().read()
    assert (made.profile, made.index, made.turns) == ("offline", str(tmp_path / "index"), 0)


def test_the_example_index_is_one_per_embedding_model(setup: Setup) -> None:
    openai = setup.settings.model_copy(
        update={"embedding": setup.settings.embedding.model_copy(update={"model": "openai:text-embedding-3-small"})}
    )
    assert example_index.example_folder(openai) != example_index.example_folder(setup.settings)
    assert example_index.example_folder(openai).name == "openai-text-embedding-3-small"


@pytest.mark.parametrize(
    ("there", "plain", "term", "drawn"),
    [
        (True, False, "xterm-256color", True),
        (True, True, "xterm-256color", False),
        (True, False, "dumb", False),
        (False, False, "xterm-256color", False),
    ],
)
def test_only_a_capable_terminal_is_drawn_on(
    setup: Setup, monkeypatch: pytest.MonkeyPatch, there: bool, plain: bool, term: str, drawn: bool
) -> None:
    class Stream(io.StringIO):
        def isatty(self) -> bool:
            return there

    monkeypatch.setattr("sys.stdin", Stream())
    monkeypatch.setattr("sys.stdout", Stream())
    monkeypatch.setenv("TERM", term)
    screen, capable = open_screen(dataclasses.replace(setup, call=ChatCall(plain=plain)))
    assert (capable, isinstance(screen, RichScreen)) == (drawn, drawn)
