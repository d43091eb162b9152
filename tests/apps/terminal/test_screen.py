"""What reaches a terminal or a pipe, and that an SOP's words reach it unchanged."""

import io
import sys
from typing import Any

import pytest

from soprag.apps.terminal.dialogue import Spoken
from soprag.apps.terminal.printed_blocks import Streamed, text_blocks
from soprag.apps.terminal.progress import ExpertProgress, LineWorking, Trail
from soprag.apps.terminal.screen import PlainScreen, RichScreen, style_of
from soprag.tools.procedure.page import PageBlock

TRICKY = "Close <V-101> and *wait* [red] :bell: 5*3*2 ml | __TAG__ \x1b[2J[/] {x} `a` & 100 %"
PLAIN = TRICKY.replace("\x1b", "")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def rich(monkeypatch: pytest.MonkeyPatch) -> tuple[RichScreen, Terminal]:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    return RichScreen(), out


def test_a_colourful_screen_changes_no_character(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, out = rich(monkeypatch)
    screen.page([PageBlock(TRICKY, "! "), PageBlock(TRICKY)])
    screen.say(TRICKY, "bold")
    assert out.getvalue().count(PLAIN) == 3
    assert "\x1b[2J" not in out.getvalue()
    assert "\x1b[1;33m" in out.getvalue()  # the warning


def test_no_color_leaves_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    RichScreen().page([PageBlock("hot", "! ")])
    assert "33" not in out.getvalue()
    assert "! hot" in out.getvalue()


def test_a_pipe_gets_no_escape_and_no_broken_line() -> None:
    out, aside = io.StringIO(), io.StringIO()
    screen = PlainScreen(out, aside)
    screen.page([PageBlock(TRICKY * 5, "! ")])
    with screen.working() as working:
        working.note(ExpertProgress(expert="math", step="s1", text="solve"))
    screen.bell()
    assert out.getvalue() == f"! {PLAIN * 5}\n"
    assert aside.getvalue() == "1) math: solve\n"


def test_a_plain_terminal_rings_only_when_it_should() -> None:
    silent, ringing = Terminal(), Terminal()
    PlainScreen(silent, None, bell=False).bell()
    PlainScreen(ringing, None, bell=True).bell()
    assert (silent.getvalue(), ringing.getvalue()) == ("", "\a")


def test_a_character_that_the_encoding_lacks_is_spelled_out() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    PlainScreen(out, None).say("-5 °C")
    assert raw.getvalue() == b"-5 \\xb0C\n"


def test_progress_is_told_in_one_line_and_slow_work_twice() -> None:
    now = [0.0]
    trail = Trail(lambda: now[0])
    trail.note(ExpertProgress(expert="retrieval", step="s1"))
    now[0] = 0.4
    trail.note(ExpertProgress(expert="retrieval", step="s1", phase="end"))
    trail.note(ExpertProgress(expert="flow", step="s2", text="step 3/9"))
    now[0] = 4.4
    assert trail.line(live=True) == "① retrieval 0.4 s  ② flow: step 3/9 · 4 s"
    assert trail.line(live=False) == "① retrieval 0.4 s"
    out = io.StringIO()
    lines = LineWorking(out)
    lines.note(ExpertProgress(expert="math", step="s1"))
    lines.note(ExpertProgress(expert="math", step="s1", phase="end", seconds=2.0))
    assert out.getvalue() == "1) math\n1) math: 2.0 s\n"


def test_the_live_line_is_gone_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, out = rich(monkeypatch)
    with screen.working() as working:
        working.note(ExpertProgress(expert="math", step="s1", text="solve [red]"))
        screen.page([PageBlock("a block")])
    told = out.getvalue()
    assert "a block" in told
    assert told.rstrip().endswith("\x1b[2K") or "\x1b[?25h" in told  # the line is wiped, the cursor is back
    assert "solve [red]" in told


def rest(pieces: list[str], text: str, **parts: Any) -> str:
    streamed = Streamed()
    for piece in pieces:
        streamed.add(piece)
    return "\n".join(block.marker + block.text for block in streamed.rest(Spoken(text=text, **parts)))


def test_what_was_streamed_is_not_shown_again_and_what_was_not_is() -> None:
    assert rest(["a", "b"], "a\n\nb") == ""
    assert rest(["a"], "a\n\nb") == "b"
    assert rest(["x"], "a\n\nb") == "a\n\nb"  # blocks of something else: better twice than never
    assert rest([], "a") == "a"
    assert rest(["a"], "a\n\na") == "a"


def test_marks_of_warnings_and_ways_are_known_again_in_plain_text() -> None:
    blocks = text_blocks("! hot\n   -> if open: go to step 2\n    ! code\n[1: Fan, lines 5-6]\n")
    assert [style_of(block) for block in blocks] == ["bold yellow", "cyan", "", "dim"]
    assert "".join(block.marker + block.text for block in blocks[:1]) == "! hot"
