import pytest

from soprag.tools.flow.commands import parse
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.opening import opening
from soprag.tools.flow.required_readings import noted_readings
from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.unresolved_ways import stranded
from soprag.tools.flow.versions import carry
from soprag.tools.procedure.plan import plan
from soprag.tools.sop import FlowEdge, FlowGraph
from tests.tools.rules.reading import sop, views


def cursor(body: str) -> Cursor:
    return Cursor(plan(sop(body), views(body).flow))


def walk(cursor: Cursor, *replies: str) -> FlowRun:
    run = cursor.begin()
    for reply in replies:
        run = cursor.reply(run, parse(reply)).run
    return run


def at(cursor: Cursor, *replies: str) -> int:
    run = walk(cursor, *replies)
    return cursor.plan.by_id[run.at].number if run.at else 0


LOOP = "1. Add oil.\n2. Read the level.\n3. If the level is low, go back to step 1.\n4. Close.\n"


def test_done_follows_the_one_way_there_is() -> None:
    run = walk(cursor("1. Open.\n2. Close.\n"), "done", "done")
    assert (run.status, run.done) == ("finished", ("s1", "s2"))


@pytest.mark.parametrize(("reply", "number"), [("yes", 1), ("1", 1), ("no", 4), ("2", 4)])
def test_a_decision_is_answered_by_yes_no_or_a_number(reply: str, number: int) -> None:
    assert at(cursor(LOOP), "done", "done", reply) == number


@pytest.mark.parametrize("reply", ["done", "3", "skip no time", "0", "maybe", ""])
def test_a_decision_is_left_by_no_other_word(reply: str) -> None:
    run = walk(cursor(LOOP), "done", "done", reply)
    assert (run.at, bool(run.problem)) == ("s3", True)


def test_a_step_under_a_condition_asks_whether_it_applies() -> None:
    steps = cursor("1. If it drips, call the lead.\n2. Close.\n")
    assert steps.question(steps.begin()) == "it drips"
    run = walk(steps, "no")
    assert (run.at, run.trail[0].outcome, run.trail[0].reason) == ("s2", "skipped", "not: it drips")
    assert walk(steps, "yes").at == "s1"
    assert walk(steps, "yes", "done").done == ("s1",)


def test_whether_a_step_applies_is_asked_again_when_one_goes_back_to_it() -> None:
    steps = cursor("1. If it drips, call the lead.\n2. If it is hot, wait.\n3. Close.\n")
    assert steps.question(walk(steps, "yes", "done", "yes", "back")) == "it drips"


def test_a_run_that_begins_at_a_later_step_shows_the_warnings_of_those_before_and_no_later_ones() -> None:
    boxes = [f"> **WARNING:** {risk}.\n\n{step}\n\n" for risk, step in (("Hot", "1. Open."), ("Wet", "2. Drain."))]
    steps = cursor("".join([*boxes, "3. Read.\n\n", "> **WARNING:** Sharp.\n\n4. Close.\n"]))
    texts = [warning.text for warning in steps.warnings(steps.begin("s3"))]
    assert [risk for risk in ("Hot", "Wet", "Sharp") if any(risk in text for text in texts)] == ["Hot", "Wet"]


def test_a_way_that_the_reader_cannot_resolve_is_shown_with_its_lines() -> None:
    steps = cursor("1. Open.\n2. If it leaks, continue as described in Annex Q.\n3. Close.\n4. Log.\n")
    [part] = steps.plan.flow.unresolved
    text = stranded(steps.plan, part.step, part.when)
    assert "  2| 2. If it leaks, continue as described in Annex Q." in text
    assert "1 to 4" in text


def test_what_a_step_denies_is_the_way_of_no() -> None:
    steps = cursor("1. The lamp must be lit. If it is not, go to step 3.\n2. Go on.\n3. Stop.\n")
    assert (at(steps, "no"), at(steps, "yes")) == (3, 2)


def test_denying_the_only_condition_of_the_last_step_ends_the_run() -> None:
    steps = cursor("1. Read the level.\n2. If the level is low, go back to step 1.\n")
    assert [(edge.to, edge.condition) for edge in steps.plan.ways("s2")] == [
        ("s1", "the level is low"),
        ("", "otherwise"),
    ]
    assert (at(steps, "done", "yes"), walk(steps, "done", "no").status) == (1, "finished")


def test_a_loop_asks_before_it_goes_round_once_more() -> None:
    round_ = ("done", "done", "yes")
    run = walk(cursor(LOOP), *round_, *round_, *round_)
    assert (run.at, run.visits["s1"]) == ("s3", 3)
    assert "was begun 3 times" in run.problem
    assert walk(cursor(LOOP), *round_, *round_, *round_, "yes").at == "s1"
    assert walk(cursor(LOOP), *round_, *round_, *round_, "no").at == "s4"


def test_back_goes_the_way_that_was_taken_and_forgets_its_reading() -> None:
    steps = cursor("1. Read the pressure: 4 to 6 bar.\n2. Close.\n")
    run = walk(steps, "done 5 bar", "back")
    assert (run.at, run.readings, run.trail) == ("s1", (), ())
    assert walk(steps, "back").problem == "This is where the run began."


def test_a_reading_without_its_unit_has_that_of_the_range() -> None:
    run = walk(cursor("1. Read the pressure: 4 to 6 bar.\n2. Close.\n"), "done 5")
    assert str(run.trail[0].value) == "5 bar"


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("done", "Which reading?"),
        ("done 7 bar", "is outside '4 to 6 bar'"),
        ("done 5 °C", "is not measured in bar"),
        ("done fine", "is no reading"),
        ("skip", "only skipped for a reason"),
    ],
)
def test_a_step_is_not_left_without_the_reading_it_asks_for(reply: str, problem: str) -> None:
    run = walk(cursor("1. Read the pressure: 4 to 6 bar.\n2. Close.\n"), reply)
    assert run.at == "s1"
    assert problem in run.problem


def test_a_value_out_of_range_still_decides_a_later_comparison() -> None:
    body = "1. Read the pressure: 4 to 6 bar.\n2. If the pressure is below 3 bar, go to step 4.\n3. Go on.\n4. Stop.\n"
    steps = cursor(body)
    run = walk(steps, "done 2.5 bar", "skip it is low")
    suggested = steps.suggested(run)
    assert suggested
    assert (suggested.edge.to, str(suggested.reading.quantity)) == ("s4", "2.5 bar")


def test_a_reading_at_a_decision_decides_it() -> None:
    body = (
        "1. Measure the differential pressure:\n   - Below 85 Pa: go to step 3.\n   - 85 to 120 Pa: log it.\n"
        "   - Above 120 Pa: replace the filter.\n2. Close.\n3. Stop.\n"
    )
    steps = cursor(body)
    options = ["Below 85 Pa", "85 to 120 Pa", "Above 120 Pa"]
    assert [way.condition for way in steps.plan.ways("s1")] == options
    assert (at(steps, "done 90 Pa"), at(steps, "done 80 Pa"), at(steps, "done 0.2 kPa")) == (2, 5, 3)


def test_a_reading_at_a_decision_that_it_does_not_decide_is_noted_and_the_way_asked_for() -> None:
    check = cursor("1. Check that the pump delivers at least 400 L/min. If it does not, stop here.\n2. Close V1.\n")
    run = walk(check, "done 420 L/min")
    assert noted_readings(run.problem) == "420 L/min" and "way, 1 to 2" in run.problem
    assert run.at == check.plan.start and run.readings[0].quantity.value == 420


def test_the_warnings_of_a_section_are_read_also_when_one_jumps_into_it() -> None:
    body = "## A\n\n1. If it burns, go to step 4.\n2. Wait.\n\n## B\n\n> **DANGER:** 400 V.\n\n3. Open.\n4. Cut.\n"
    steps = cursor(body)
    run = walk(steps, "yes")
    assert (run.at, [warning.text for warning in steps.warnings(run)]) == ("s4", ["**DANGER:** 400 V."])


def test_an_end_under_a_condition_is_a_way() -> None:
    steps = cursor("1. If all is well, stop here.\n2. Repair.\n")
    assert walk(steps, "yes").status == "finished"
    assert at(steps, "no") == 2


def test_a_run_is_plain_json_and_comes_back_the_same() -> None:
    run = walk(cursor(LOOP), "done", "note slow", "done")
    assert FlowRun.model_validate_json(run.model_dump_json()) == run


def test_a_run_in_another_edition_stands_where_the_same_words_stand() -> None:
    run = walk(cursor(LOOP), "done")
    after = cursor("1. Isolate.\n" + LOOP.replace("1.", "2.", 1)).plan
    carried = carry(run, after)
    assert after.by_id[carried.at].text == "Read the level."
    assert [after.by_id[mark.node].text for mark in carried.trail] == ["Add oil."]
    gone = carry(run, cursor("1. Something else.\n").plan)
    assert (gone.at, gone.trail) == ("s1", ())
    assert "begins anew" in gone.problem


def test_a_cycle_without_a_way_out_and_steps_out_of_reach_are_named() -> None:
    body = "1. Open.\n2. Close.\n3. Never.\n"
    flow = views(body).flow
    edges = (FlowEdge(source="s1", target="s2"), FlowEdge(source="s2", target="s1"))
    odd = plan(sop(body), FlowGraph(steps=flow.steps, edges=edges))
    assert [step.number for step in odd.endless] == [1, 2]
    assert [step.number for step in odd.unreachable] == [3]
    run = Cursor(odd).begin()
    for _ in range(9):
        run = Cursor(odd).reply(run, parse("done")).run
    assert run.status == "running"
    assert "was begun 3 times" in run.problem or run.visits["s1"] > 3
    assert Cursor(odd).reply(run, parse("stop")).run.status == "stopped"


@pytest.mark.parametrize(
    ("reply", "verb", "text"),
    [
        ("done 4.8 bar", "done", "4.8 bar"),
        ("Yes.", "choose", "yes"),
        ("2", "choose", "2"),
        ("/skip it is locked", "skip", "it is locked"),
        ("why?", "why", ""),
        ("why is the valve hot?", "unknown", "why is the valve hot?"),
        ("back pressure is high", "unknown", "back pressure is high"),
        ("stop the pump?", "unknown", "stop the pump?"),
        ("", "unknown", ""),
        ("done\x00", "done", "\x00"),
    ],
)
def test_a_reply_is_a_command_only_when_it_is_meant_as_one(reply: str, verb: str, text: str) -> None:
    command = parse(reply)
    assert (command.verb, command.text.strip("?")) == (verb, text.strip("?"))


def test_every_reading_that_a_step_states_is_asked_for() -> None:
    steps = cursor("1. Check the supply: 400 V ± 10 % and 50 Hz ± 1 Hz.\n2. Close.\n")
    run = walk(steps, "done 398 V")
    assert (run.at, "The SOP also states '50 Hz ± 1 Hz'" in run.problem) == ("s1", True)
    assert walk(steps, "done 398 V", "done 50.2 Hz").at == "s2"
    assert walk(steps, "done 398 V, 50.2 Hz").at == "s2"
    assert "52 Hz is outside '50 Hz ± 1 Hz'" in walk(steps, "done 398 V", "done 52 Hz").problem


def test_two_quantities_of_one_kind_have_a_reading_each() -> None:
    steps = cursor("1. Read the gauges: suction 2 to 3 bar, discharge 6 to 8 bar.\n2. Close.\n")
    assert "discharge" not in walk(steps, "done 2.5 bar", "done 7 bar").problem
    assert walk(steps, "done 2.5 bar").at == "s1"
    assert walk(steps, "done 2.5 bar", "done 7 bar").at == "s2"


def test_a_variant_is_chosen_once_for_the_run() -> None:
    bounds = "PX-400: 60 to 70 °C, LM-250: 40 to 45 °C."
    body = f"1. Read the temperature. {bounds}\n2. Read the second gauge. {bounds}\n3. Sign.\n"
    steps = cursor(body)
    assert "for PX-400" in walk(steps, "done 42 °C").problem
    assert walk(steps, "done 42 °C LM-250").at == "s2"
    assert walk(steps, "done 42 °C LM-250", "done 41 °C").at == "s3"
    assert "is outside" in walk(steps, "done 42 °C PX-400").problem


def test_a_negated_limit_refuses_what_lies_beyond_it_in_the_words_of_the_text() -> None:
    steps = cursor("1. Check the flow: it must not dip below 380 L/min.\n2. Close.\n")
    assert "350 L/min is outside 'not dip below 380 L/min'" in walk(steps, "done 350 L/min").problem
    assert walk(steps, "done 390 L/min").at == "s2"


def test_a_date_is_no_range() -> None:
    assert walk(cursor("1. Check the magnet, last tested 2024-05-27 T.\n2. Close.\n"), "done").at == "s2"


@pytest.mark.parametrize(
    "stop",
    [
        "Check the other pump. If it does not run, stop here and go back to the hall lead.",
        "Check the drain. If the tray is wet, skip the remaining steps and call the lead.",
        "Look at the tray. If a puddle is visible, stop, leave the unit off and call the lead.",
        "Read the lamp. If it is red, stop and use LC-EOP-002.",
    ],
)
def test_a_stop_of_the_text_ends_the_run_on_its_condition(stop: str) -> None:
    steps = cursor(f"1. {stop}\n2. Choose OUT OF SERVICE.\n3. Start the pump.\n")
    run = steps.begin()
    while run.status == "running" and len(run.trail) < 3:  # acts before the stop are steps
        run = steps.reply(run, parse("yes" if len(steps.plan.ways(run.at)) > 1 else "done")).run
    assert run.status == "finished"
    assert {steps.plan.by_id[mark.node].lines.start for mark in run.trail} == {1}
    run = steps.begin()
    while steps.plan.by_id[run.at].lines.start == 1:
        run = steps.reply(run, parse("no" if len(steps.plan.ways(run.at)) > 1 else "done")).run
    assert steps.plan.by_id[run.at].lines.start == 2


def test_a_value_that_a_step_does_not_ask_for_is_asked_about_once() -> None:
    steps = cursor("1. Open the drain.\n2. Close the drain.\n")
    refused = walk(steps, "done 4.8 bar")
    assert (refused.at, refused.readings) == ("s1", ()) and "asks for no value" in refused.problem
    assert walk(steps, "done 4.8 bar", "done").at == "s2"
    recorded = walk(steps, "done 4.8 bar", "done 4.8 bar")
    assert (recorded.at, [str(reading.quantity) for reading in recorded.readings]) == ("s2", ["4.8 bar"])


@pytest.mark.parametrize("step", ["Read the pressure.", "Record the level.", "The pressure must be 4 to 6 bar."])
def test_a_value_that_a_step_asks_for_is_taken_at_once(step: str) -> None:
    assert walk(cursor(f"1. {step}\n2. Close.\n"), "done 4.8 bar").at == "s2"


def test_a_bare_number_does_not_complete_a_step_with_one_way() -> None:
    run = walk(cursor("1. Open the drain.\n2. Close the drain.\n"), "1")
    assert (run.at, bool(run.problem)) == ("s1", True)


def test_a_circle_without_a_way_out_is_told_before_the_run() -> None:
    flow = views("1. Open.\n2. Close.\n").flow
    edges = (FlowEdge(source="s1", target="s2"), FlowEdge(source="s2", target="s1"))
    odd = plan(sop("1. Open.\n2. Close.\n"), FlowGraph(steps=flow.steps, edges=edges))
    assert "from step 1 [1], step 2 [2]: `stop` ends the run there" in opening(odd)


def test_beginnings_under_one_heading_are_told_apart_by_what_is_done() -> None:
    body = "## High count\n\n1. Dose more.\n2. Call the laboratory.\n"
    odd = plan(sop(body), views(body).flow.model_copy(update={"entry": ("s1", "s2")}))
    assert [way.condition for way in odd.ways(odd.start)] == [
        "High count: Dose more.",
        "High count: Call the laboratory.",
    ]
