"""What reaches a terminal or a pipe, and that an SOP's words reach it unchanged."""

import io
import sys

import pytest

from soprag.apps.terminal.block_looks import drawn
from soprag.apps.terminal.message_page import text_blocks
from soprag.apps.terminal.pages import page_of
from soprag.apps.terminal.progress import ExpertProgress, LineWorking, Trail
from soprag.apps.terminal.requests import StepRequest
from soprag.apps.terminal.screen import PlainScreen, RichScreen
from soprag.apps.terminal.turn_account import tokens_used
from soprag.tools.flow.requests import StepArguments
from soprag.tools.procedure.page import PageBlock, raw
from soprag.tools.tasks.cost import Spent

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
    screen.page([PageBlock(TRICKY, "! ", role="warning"), PageBlock(TRICKY)])
    screen.say(TRICKY, "bold")
    assert out.getvalue().count(PLAIN) == 3
    assert "\x1b[2J" not in out.getvalue()
    assert "\x1b[1;38;5;208m▲ " in out.getvalue()  # the warning


def test_no_color_leaves_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    RichScreen().page([PageBlock("**WARNING:** hot", "! ", role="warning")])
    assert "38;5" not in out.getvalue() and "▲" in out.getvalue()


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


def test_the_words_of_a_step_are_not_said_twice_by_the_passage_around_them() -> None:
    step = StepArguments(
        sop="ups", number=6, label="2.", text="Wait for the lamp.", passage="Wait for the lamp. If not, stop."
    )
    page = raw(page_of(StepRequest(step)))
    assert page.count("Wait for the lamp.") == 1 and "The text goes on: If not, stop." in page
    inside = step.model_copy(update={"passage": "At dusk: Wait for the lamp. If not, stop."})
    assert "From: At dusk: Wait for the lamp. If not, stop." in raw(page_of(StepRequest(inside)))


def test_a_reading_that_was_taken_does_not_look_like_one_that_was_refused() -> None:
    noted = "Noted: 398 V. The SOP also states '50 Hz': reply `done` and that value."
    step = StepArguments(sop="ups", number=1, text="Check it.", problem=noted)
    assert page_of(StepRequest(step))[-1].role == "ask"
    refused = step.model_copy(update={"problem": "470 V is outside '400 V'"})
    assert page_of(StepRequest(refused))[-1].role == "problem"


def test_what_a_turn_cost_is_told_only_where_a_model_was_asked() -> None:
    before = Spent(calls=1, tokens_in=100, tokens_out=10, cost=0.5)
    assert tokens_used(before, before) == ""
    assert tokens_used(before, before + Spent(tokens_in=1602, tokens_out=26, cost=0.0003)) == (
        "1,602 tokens sent, 26 received, $0.0003"
    )
    assert tokens_used(before, before + Spent(tokens_in=1, tokens_out=1, cost=None)) == "1 tokens sent, 1 received"


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


def test_marks_of_warnings_ways_and_citations_are_known_again_in_plain_text() -> None:
    blocks = text_blocks("! hot\n   -> if open: go to step 2\n    ! code\n[1: Fan, lines 5-6]\n")
    assert [block.role for block in blocks] == ["warning", "way", "", "source"]
    assert blocks[0].marker + blocks[0].text == "! hot"


@pytest.mark.parametrize(
    ("text", "seen", "bold"),
    [
        ("**DANGER:** 400 V. Press **STOP**.", "■ DANGER: 400 V. Press STOP.", ["DANGER:", "STOP"]),
        ("Dose 5**3**2 ml ** twice", "■ DANGER: Dose 5**3**2 ml ** twice", ["DANGER:"]),
        ("DANGER: run `a **b** c`", "■ DANGER: run `a **b** c`", ["DANGER:"]),
    ],
)
def test_a_label_stands_out_and_only_marks_of_bold_are_drawn(text: str, seen: str, bold: list[str]) -> None:
    marker = "! " if "DANGER" in text else "! DANGER: "
    line = drawn(PageBlock(text, marker, role="danger"), 100)
    assert line.plain == seen
    label, *others = [line.plain[span.start : span.end] for span in line.spans if "bold" in str(span.style)][1:]
    assert label == bold[0] and set(bold[1:]) <= set(others) | {label}


def test_a_long_warning_keeps_its_edge_and_its_words() -> None:
    line = drawn(PageBlock("hot " * 30, "! WARNING: ", role="warning"), 40)
    rows = line.plain.split("\n")
    assert rows[0].startswith("▲ WARNING: hot") and all(row.startswith("│ hot") for row in rows[1:])
    assert max(map(len, rows)) <= 40 and line.plain.count("hot") == 30


def test_the_rule_of_a_step_is_heavy_as_far_as_the_run_is() -> None:
    line = drawn(PageBlock("Step 6 of 11", role="progress", share=0.5), 60).plain
    assert len(line) == 60 and abs(line.count("━") - 2 - line.count("─")) <= 1
