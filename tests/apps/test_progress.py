"""Progress on stderr where there is no terminal: lines, and not too many."""

import pytest

from soprag.apps import progress


def test_a_long_item_says_how_far_it_is_when_nothing_was_said_for_a_while(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.Lines() as lines:
        lines.note({"stage": "archive", "total": 2})
        for second in (1, 4, 6):
            now[0] = 100.0 + second
            lines.note({"stage": "archive", "item": "long.pdf", "standing": f"mineru flash, {second} s"})
        lines.note({"stage": "archive", "item": "long.pdf", "outcome": "parsed"})
        lines.note({"stage": "archive", "item": "short.pdf", "outcome": "parsed"})
    assert capsys.readouterr().err.splitlines() == [
        "parse to Markdown: long.pdf: mineru flash, 4 s",
        "parse to Markdown: 2/2 (2 parsed)",
    ]
