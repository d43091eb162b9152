"""Ways that part by case: jumps of one sentence, parts under bold names, paragraphs for what was seen."""

import pytest

from soprag.tools.procedure.reader import read_procedure
from tests.tools.procedure.flow_ways import ways

_PLACES = (
    "\n\n## 2 Diesel\n\n1. Turn the key.\n2. Log it and go to Return.\n\n"
    "## 3 Electric\n\n1. Press START.\n\n## Return\n\n1. Hand in the key.\n"
)


@pytest.mark.parametrize(
    ("sentence", "first", "second"),
    [
        ("Go to section 2 with a BL-200 and to section 3 with a BL-300E.", "a BL-200", "a BL-300E"),
        ("K-301A continues with section 2, K-301B with section 3.", "K-301A", "K-301B"),
        ("For a BL-200, continue with section 2; for a BL-300E, go to section 3.", "a BL-200", "a BL-300E"),
        ("Lift 1 goes to section 2, while lift 2 goes on to section 3.", "Lift 1", "lift 2"),
    ],
)
def test_one_sentence_sends_two_cases_to_a_section_each(sentence: str, first: str, second: str) -> None:
    flow = read_procedure(f"# Loader\n\n## 1 Start\n\n1. Press stop.\n2. {sentence}{_PLACES}")
    assert ways(flow, 5) == {first: 10, second: 15}
    assert all(part.doubt for part in flow.unresolved)


def test_an_act_before_a_jump_to_a_title_leads_there() -> None:
    flow = read_procedure(f"# Loader\n\n## 1 Start\n\n1. Press stop.\n2. Put up the cones.{_PLACES}")
    assert set(ways(flow, 11).values()) == {19}


def test_parts_under_bold_names_are_ways_where_the_words_above_say_so() -> None:
    parts = "**C450**\n\n- Heat the oil.\n- Press START.\n\n**S320**\n\n- Move it.\n\n**M280**\n\n- Test it.\n"
    head = "# Chiller\n\n## Steps\n\n1. Open the valves.\n\n"
    flow = read_procedure(f"{head}What is done depends on the model.\n\n{parts}\n## Close\n\n1. Log it.\n")
    assert ways(flow, 5) == {"C450": 11, "S320": 16, "M280": 20}
    assert {next(iter(ways(flow, line).values())) for line in (12, 16, 20)} == {24}
    after = read_procedure(f"{head}The work follows.\n\n{parts}\n## Close\n\n1. Log it.\n")
    assert set(ways(after, 12).values()) == {16}


def test_paragraphs_for_what_was_seen_are_one_decision_where_it_decides() -> None:
    text = (
        "# Dock\n\n## Finding the cause\n\nPress RAISE and listen. What you observe decides how to go on.\n\n"
        "If the motor stays silent, call the electrician. The work ends here.\n\n"
        'If the motor runs, go to "Platform".\n\nIf the lip does not move, go to "Lip".\n\n'
        "## Platform\n\n1. Lock the switch.\n2. Free it. The work ends here.\n\n## Lip\n\n1. Set the prop.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 7).values()) == {15, 20, "END"}


def test_what_a_check_denies_is_about_that_check_and_not_about_the_step_before() -> None:
    text = (
        "# Loader\n\n## 2 Start\n\n1. Turn the key. If the engine still does not run, go to section 4.\n"
        "2. Read the gauge. It must stand above 110 bar. If it does not, go to section 4.\n3. Run the belt.\n\n"
        "## 4 Take it away\n\n1. Switch it off.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 5).values()) == {6, 11}
    assert set(ways(flow, 6).values()) == {7, 11}


@pytest.mark.parametrize("other", ["With any other value", "In all other cases", "At any other reading"])
def test_any_other_case_is_the_other_side(other: str) -> None:
    step = f"1. Read the voltage. Up to 5 V: go to step 3. {other}, stop and call the lead.\n"
    text = f"# Test\n\n{step}2. Wait.\n3. Log it.\n"
    assert set(ways(read_procedure(text), 3).values()) <= {5, "END"}


@pytest.mark.parametrize(
    ("first", "second"), [("it is still silent", "it now runs"), ("the lamp is dark", "the lamp is lit")]
)
def test_opposite_words_leave_no_case_open(first: str, second: str) -> None:
    step = f"1. Press RAISE. If {first}, go to step 3. If {second}, go to step 4.\n"
    text = f"# Test\n\n{step}2. Wait.\n3. Stop it.\n4. Log it.\n"
    assert set(ways(read_procedure(text), 3).values()) == {5, 6}


@pytest.mark.parametrize("order", ["Have him replace the fuse.", "Have all valves closed by the fitter."])
def test_what_somebody_is_made_to_do_is_an_act(order: str) -> None:
    flow = read_procedure(f"# Test\n\n## Steps\n\nCall the fitter.\n\n{order}\n")
    assert [step.lines[0] for step in flow.steps] == [5, 7]


def test_a_rule_for_any_time_is_entered_wherever_it_stands() -> None:
    rule = "If smoke comes out at any time, press the stop and call the fire service."
    text = f"# Loader\n\n## Tools\n\nA key.\n\n{rule}\n\n## Steps\n\n1. Turn the key.\n2. Log it.\n"
    flow = read_procedure(text)
    [rule_step] = [step.id for step in flow.steps if step.lines[0] == 7]
    assert rule_step in {point.step for point in flow.entry_points}
    assert [entry for entry in flow.entry if entry != rule_step] == [s.id for s in flow.steps if s.lines[0] == 11]


@pytest.mark.parametrize("title", ["Fix alerts before continuing", "First fix other alerts"])
def test_what_is_fixed_before_going_on_leads_into_the_work(title: str) -> None:
    text = (
        f"# Alert\n\n## Impact\n\nThe network is slow.\n\n### {title}\n\nResolve what may cause this one.\n\n"
        "## Diagnosis\n\n1. Check the pods.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 9).values()) == {13}


def test_a_command_under_a_condition_alone_is_what_is_done_then() -> None:
    text = "# Alert\n\n## Restart\n\nIf the issue persists and no error is found:\n\n```bash\noc delete pod x\n```\n"
    [step] = read_procedure(text).steps
    assert step.lines[0] == 5 and 8 in step.lines and step.only_if


def test_parts_named_by_model_are_ways_without_words_above() -> None:
    parts = "**Model GN-30 (gas)**\n1. Read the code.\n\n**Model OL-12 (oil)**\n1. Press the button.\n"
    text = f"# Boiler\n\n## 2 Start\n\n1. Open the door.\n\n## 3 Reset by model\n\n{parts}\n## 4 After\n\n1. Log it.\n"
    assert set(ways(read_procedure(text), 5).values()) == {10, 13}


@pytest.mark.parametrize("last", ["Sign sheet F-1 and report the truck as ready.", "Enter the weight in the log."])
def test_what_closes_the_work_does_not_lead_into_a_section_for_what_went_wrong(last: str) -> None:
    text = (
        "# Truck\n\n## C Heating\n\n1. Start it. If the lamp is dark, go to section D.\n"
        f"2. {last}\n\n## D Recovery\n\n1. Press RESET.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 5).values()) == {6, 10}
    assert set(ways(flow, 6).values()) == {"END"}


@pytest.mark.parametrize(
    "again",
    ["tie a red tag to it, fetch another one and repeat this step with it", "wait 30 minutes and repeat this step"],
)
def test_an_outcome_that_repeats_the_step_leads_back_and_is_not_in_doubt(again: str) -> None:
    text = (
        "# Fill\n\n1. Inspect the jacket, the neck and the handles.\n   - No damage: continue with step 2.\n"
        f"   - Dents in the jacket or a loose handle: {again}.\n2. Lift it.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 5).values()) == {3}
    assert set(ways(flow, 3).values()) >= {6}
    assert flow.unresolved == ()


@pytest.mark.parametrize("joint", ["; after the second restart without a flame", ", but after the third filling"])
def test_a_count_behind_a_way_back_leads_elsewhere(joint: str) -> None:
    text = (
        "# Burner\n\n## 1 Start\n\n1. Press START.\n"
        f"2. Read the lamp. If it is dark, go back to step 1{joint} go to section 2. If it lights, log it and stop.\n\n"
        "## 2 Out of service\n\n1. Hang the card.\n"
    )
    assert set(ways(read_procedure(text), 6).values()) >= {5, 10}


def test_a_rule_for_a_span_of_steps_is_entered_by_itself() -> None:
    text = (
        "# Transfer\n\n1. Press RETURN.\n2. Wait.\n3. Lock the panel.\n\n"
        "If the mains fails again between step 1 and step 2, turn the selector to AUTO.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 5).values()) == {"END"}
    assert {step.lines[0] for step in flow.steps if step.id in {p.step for p in flow.entry_points}} == {7}


def test_outcomes_that_each_say_where_to_go_are_one_decision_whatever_is_looked_at() -> None:
    text = (
        "# Fan\n\n1. Inspect every blade for cracks, ice and scale.\n"
        "   - A blade is cracked: leave the lock on and end the work here.\n"
        "   - There is ice: wash it off, then continue with step 2.\n"
        "   - The blades are sound: continue with step 2.\n2. Close the hatch.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 3).values()) == {4, 5, 7}
    assert set(ways(flow, 5).values()) == {7}


def test_bullets_for_one_type_follow_each_other_and_those_of_two_do_not() -> None:
    text = (
        "# Fan\n\n1. Inspect the drive:\n   - Type A: Check the oil.\n   - Type A: Tighten the bolts.\n"
        "   - Type B: Measure the belt.\n   - Type B: If it is torn, replace the belt.\n2. Close the hatch.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 3).values()) == {4, 6}
    assert set(ways(flow, 4).values()) == {5} and set(ways(flow, 6).values()) == {7}
    assert set(ways(flow, 5).values()) == set(ways(flow, 7).values()) == {8}


def test_what_one_has_to_begin_with_is_a_way_out() -> None:
    text = (
        "# Fill\n\n## Start\n\n"
        'Read the level. At 0 % the plate has run dry, and you have to begin with the section "Recovery".\n\n'
        "## Filling\n\n1. Open the valve.\n2. Fill it. The work ends here.\n\n## Recovery\n\n1. Warm the plate.\n"
    )
    assert 14 in ways(read_procedure(text), 5).values()


def test_a_table_that_a_rule_for_any_time_names_is_done_under_it_only() -> None:
    text = (
        "# Gas\n\n## While the system is off\n\n- Call the fire watch every 30 minutes.\n\n"
        "If smoke is seen at any time, clear the hall and order line F1 by radio.\n\n"
        "| Line | Technician |\n|---|---|\n| F1 | Open the valve. |\n"
        "| F2 | Release the gas. The procedure ends here. |\n\n"
        "## Return\n\n1. Walk through the hall.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 5).values()) == {16}
    assert set(ways(flow, 7).values()) == {11}
    assert set(ways(flow, 12).values()) == {"END"}


def test_what_is_read_otherwise_is_asked_about_next() -> None:
    text = (
        "# Alarm\n\n## Desk\n\nLook through the log. If it has tripped before, go to section 5. "
        "Otherwise read the flow. If it is below 5 L/min, tell the manager.\n\nTake the tools.\n\n"
        "## 5 Stop\n\n1. Switch it off.\n"
    )
    flow = read_procedure(text)
    [told] = [step for step in flow.steps if step.only_if]
    assert told.text.startswith("tell the manager")
    assert len([edge for edge in flow.edges if edge.target == told.id]) == 1


def test_a_lead_is_a_person_and_no_way() -> None:
    text = (
        "# Sample\n\n1. Choose the way on.\n\n| Result | Way on |\n|---|---|\n"
        "| Cloudy | Nothing is topped up. The hall lead sends the bottle off; then go to line 3. |\n"
        "| Clear | Go to line 2. |\n\n"
        "2. Top it up.\n3. Log it.\n"
    )
    flow = read_procedure(text)
    assert set(ways(flow, 7).values()) == {11}
