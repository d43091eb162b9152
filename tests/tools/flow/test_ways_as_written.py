"""What a guided run does with procedures as people write them: stops, skips, jumps, alternatives, places unknown."""

from pathlib import Path

import pytest

from soprag.tools.approval import read_request
from soprag.tools.flow.commands import parse
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.opening import line_account, opening
from soprag.tools.flow.request_builder import next_request
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.plan import START, plan
from soprag.tools.sop import END, UNRESOLVED, Alternatives, FlowEdge, FlowGraph, Span, Step, Unresolved
from tests.tools.flow.test_cursor import cursor, walk
from tests.tools.rules.reading import sop

ROOT = Path(__file__).parents[3]
CARDS = (ROOT / "examples/sources/liquid-cooling/cdu-alarm-cards.md").read_text(encoding="utf-8")


def line(steps: Cursor, run: FlowRun) -> int:
    """The first line of the step where a run stands; 0 after its end."""
    return steps.plan.by_id[run.at].lines.start if run.at else 0


def answer(steps: Cursor, run: FlowRun, condition: str) -> FlowRun:
    """The run after the way with these words was chosen."""
    ways = steps.plan.ways(run.at)
    number = next(n for n, way in enumerate(ways, 1) if condition in way.condition)
    return steps.reply(run, parse(str(number))).run


def test_a_stop_under_a_condition_ends_the_run() -> None:
    first = "1. Check that the other pump delivers at least 400 L/min. If it does not, stop here."
    steps = cursor(f"{first}\n2. Choose OUT OF SERVICE.\n")
    run = answer(steps, steps.begin(), "does not")
    run = steps.reply(run, parse("done")).run if run.status == "running" else run
    assert run.status == "finished"
    assert all(mark.number < steps.plan.steps[-1].number for mark in run.trail)


def test_the_remaining_steps_are_skipped_where_the_text_says_so() -> None:
    steps = cursor("1. Look at the tray. If it is dry, skip the remaining steps.\n2. Open the case.\n3. Close it.\n")
    assert walk(steps, "yes").status == "finished"
    assert line(steps, walk(steps, "no")) == 2


def test_a_jump_to_a_section_leads_to_its_first_step() -> None:
    body = (
        "## Start\n\n1. Read the lamp. If it is red, proceed to [Repair](#repair).\n2. Press START.\n\n"
        "## Finish\n\n1. Sign.\n\n## Repair\n\n1. Isolate the drive.\n"
    )
    steps = cursor(body)
    run = walk(steps, "yes")
    assert steps.plan.by_id[run.at].text == "Isolate the drive."


def test_a_loop_repeats_until_it_is_left() -> None:
    steps = cursor("1. Add oil.\n2. Read the level. If it is low, go back to step 1.\n3. Close.\n")
    assert line(steps, walk(steps, "done", "yes")) == 1
    assert line(steps, walk(steps, "done", "yes", "done", "no")) == 3


def test_a_procedure_opens_at_the_alarm_card_that_is_chosen_and_no_card_follows_another() -> None:
    steps = cursor(CARDS)
    run = walk(steps, "ack", "done", "done")
    run = answer(steps, run, "CDU-P05")
    assert line(steps, run) == 90
    seen = {line(steps, run)}
    for _ in range(30):
        if run.status != "running":
            break
        run = steps.reply(run, parse("1" if len(steps.plan.ways(run.at)) > 1 else "done")).run
        seen.add(line(steps, run))
    assert run.status == "finished"
    assert max(seen) < 104, "the card after it was entered"


def test_one_condition_of_a_card_is_not_chained_to_the_next() -> None:
    steps = cursor(CARDS)
    run = answer(steps, walk(steps, "ack", "done", "done"), "CDU-F01")
    assert {way.condition for way in steps.plan.ways(run.at)} == {"All pumps stopped", "Pump running above 90 %"}
    assert line(steps, answer(steps, run, "All pumps stopped")) == 90
    assert line(steps, answer(steps, run, "Pump running")) == 43


def test_an_alternative_is_asked_for_once() -> None:
    body = "Stop the belt.\nOpen Q1.\nOpen Q1 and Q2.\nStart the belt.\nClose Q1.\nClose Q1 and Q2."
    texts = body.split("\n")
    named = (("s1", "s2", "Simplex"), ("s1", "s3", "Duplex"), ("s4", "s5", "Simplex"), ("s4", "s6", "Duplex"))
    plain = (("s2", "s4", ""), ("s3", "s4", ""), ("s5", END, ""), ("s6", END, ""))
    flow = FlowGraph(
        steps=tuple(
            Step(id=f"s{n}", kind="action", text=text, lines=Span(start=n, end=n)) for n, text in enumerate(texts, 1)
        ),
        edges=tuple(FlowEdge(source=a, target=b, condition=c) for a, b, c in (*named, *plain)),
        alternatives=(
            Alternatives(by="variant", entries=("s2", "s3")),
            Alternatives(by="variant", entries=("s5", "s6")),
        ),
    )
    steps = Cursor(plan(sop(body), flow))
    assert walk(steps, "done").at == "s1"
    assert walk(steps, "2", "done").chosen == {"variant": "Duplex"}
    assert walk(steps, "2", "done", "done").at == "s6"


def test_where_the_text_does_not_say_where_to_go_the_operator_chooses() -> None:
    steps = cursor("1. Read the lamp. If it is red, go to step 9.\n2. Wait.\n3. Close.\n")
    assert UNRESOLVED in {way.to for way in steps.plan.ways("s1")}
    assert "at 1 point of it you decide how to go on" in opening(steps.plan)
    assert "line 1: " in line_account(steps.plan)
    run = walk(steps, "yes")
    assert (run.at, run.leaving is not None) == ("s1", True)
    assert "1| 1. Read the lamp." in run.problem
    assert line(steps, walk(steps, "yes", "go 3")) == 3
    assert line(steps, walk(steps, "no")) == 2


def test_a_step_whose_words_speak_of_another_way_is_confirmed_before_the_run_goes_on() -> None:
    flow = FlowGraph(
        steps=tuple(Step(id=f"s{n}", kind="action", text=f"Do {n}.", lines=Span(start=n, end=n)) for n in (1, 2, 3)),
        edges=(
            FlowEdge(source="s1", target="s2"),
            FlowEdge(source="s2", target="s3"),
            FlowEdge(source="s3", target=END),
        ),
        unresolved=(Unresolved(lines=(2,), reason="speaks of a repetition", step="s2", doubt=True),),
    )
    steps = Cursor(plan(sop("Do 1.\nDo 2.\nDo 3."), flow))
    run = walk(steps, "done", "done")
    assert (run.at, "speaks of a repetition" in run.problem, "2| Do 2." in run.problem) == ("s2", True, True)
    assert walk(steps, "done", "done", "done").at == "s3"
    assert walk(steps, "done", "done", "go 1").at == "s1"


def test_a_step_cannot_be_jumped_to_where_the_text_tells_the_way() -> None:
    run = walk(cursor("1. Open.\n2. Close.\n3. Sign.\n"), "go 3")
    assert (run.at, "go` is for where it does not" in run.problem) == ("s1", True)


def test_a_run_begins_by_naming_the_lines_that_are_not_part_of_it() -> None:
    steps = cursor("# Pump\n\nThe pump cools the hall.\n\n1. Open.\n")
    assert opening(steps.plan) == "Start pump P-101: 1 line of it is not part of the run; `lines` shows which."
    told = steps.reply(steps.begin(), parse("lines"))
    assert told.text == "Lines of 'Start pump P-101' that are not part of the run: prose (3)."
    assert told.run.at == steps.begin().at
    assert parse("lines of the drawing are wrong").verb == "unknown"


def test_a_procedure_of_two_beginnings_asks_which_it_is() -> None:
    body = (
        "# Filter\n\nFor AHU-1 see section 1, for AHU-2 section 2.\n\n"
        "## Variant AHU-1\n\n1. Open the hood.\n2. Close.\n\n"
        "## Variant AHU-2\n\n1. Slide the frame out.\n2. Close.\n"
    )
    steps = cursor(body)
    run = steps.begin()
    assert run.at == START
    asked = read_request(next_request(steps, run, [], {}))[0].structured
    assert [way["condition"] for way in asked["ways"]] == ["Variant AHU-1", "Variant AHU-2"]
    after = walk(steps, "2")
    assert steps.plan.by_id[after.at].text == "Slide the frame out."
    assert walk(steps, "2", "done", "done").status == "finished"
    assert steps.reply(after, parse("back")).run.at == START


def test_a_heading_an_owner_line_and_a_table_caption_are_no_steps() -> None:
    body = (
        "# Pump\n\nOwner: Utilities\n\n## 5.2 Isolate the pump\n\nTable 1: limits\n\n| Item | Value |\n|---|---|\n"
        "| Voltage | 24.0 to 27.0 |\n\n1. Close V-1.\n"
    )
    assert [step.text for step in cursor(body).plan.steps] == ["Close V-1."]


@pytest.mark.parametrize(
    "warning",
    [
        '<div class="warning">Hot surface: do not touch.</div>',
        '<div class="warning">\n\nHot surface: do not touch.\n\n</div>',
        "> **CAUTION:** Hot surface: do not touch.",
        "**Caution nasty fumes**: do not breathe them.",
    ],
)
def test_a_warning_in_any_form_is_read_before_the_step_it_protects(warning: str) -> None:
    steps = cursor(f"1. Open.\n\n{warning}\n\n2. Close.\n3. Sign.\n")
    run = walk(steps, "ack", "done") if steps.warnings(steps.begin()) else walk(steps, "done")
    assert steps.warnings(run) or run.read
    assert "".join(step.text for step in steps.plan.steps) == "Open.Close.Sign."


def test_a_passage_of_several_steps_is_shown_whole_with_each_of_them() -> None:
    steps = cursor("1. Open V-1. Then start the pump. If it leaks, close V-1.\n2. Sign.\n")
    parts = [step for step in steps.plan.steps if step.lines.start == 1]
    assert len(parts) > 1
    assert {step.passage for step in parts} == {"Open V-1. Then start the pump. If it leaks, close V-1."}
