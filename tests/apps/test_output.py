"""How results look on a terminal: no word is broken, and lines keep their indent."""

import sys

import pytest

from soprag.apps.cli.output import finish
from soprag.apps.compose.ingest import IndexReport


def test_a_terminal_gets_lines_broken_between_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unread = ["the file reads as no procedure"]
    report = IndexReport(index="i", size=1, counts={"added": 1}, failed=[], unread=unread, seconds=1)
    monkeypatch.setenv("COLUMNS", "24")
    finish("index", False, lambda: report)
    assert "  left out  the file reads as no procedure\n" in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    finish("index", False, lambda: report)
    assert "  left out  the file\n  reads as no procedure\n" in capsys.readouterr().out
