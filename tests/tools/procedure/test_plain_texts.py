"""Ways as careful writers of work instructions tell them: sections that join, retries, notes for any time, tables."""

import pytest

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure
from tests.tools.procedure.flow_ways import ways


def read(*lines: str) -> ProcedureFlow:
    return read_procedure("# A procedure\n\n" + "\n".join(lines) + "\n")


def leads(flow: ProcedureFlow, line: int) -> set[int | str]:
    return set(ways(flow, line).values())


# sections ----------------------------------------------------------------------------------------------------------


_CHOOSING = [
    "## A. Look", "", "1. Which lamp is lit?", "   - Green: go to section D.", "   - Amber: go to section B.",
    "   - Red: go to section {}.", "", "## B. Cool it", "", "2. Open the damper.", "",
]  # fmt: skip


def test_a_section_that_others_send_to_closes_what_each_of_them_did() -> None:
    rows = [row.format("C") for row in _CHOOSING] + [
        "## C. Move the goods",
        "",
        "3. Count them. If one is missing, go to section D.",
    ]
    flow = read(*rows, "4. Carry them over.", "", "## D. Records", "", "5. Fill in the form.")
    assert leads(flow, 16) == {17, 21}
    assert leads(flow, 17) == {21}


@pytest.mark.parametrize("title", ["At any time", "Return of the alarm", "Later in the shift"])
def test_a_section_for_any_time_follows_nothing(title: str) -> None:
    flow = read(
        "## Work", "", "1. Open it.", "2. Close it.", "", f"## {title}", "", "If the horn sounds, leave the hall."
    )
    assert leads(flow, 6) == {"END"}
    assert [point.step for point in flow.entry_points] == [flow.steps[-1].id]


def test_a_rule_for_any_of_the_steps_follows_nothing() -> None:
    flow = read("1. Open it.", "2. Close it.", "", "If the horn sounds during any of these steps, leave the hall.")
    assert leads(flow, 4) == {"END"}


# outcomes ----------------------------------------------------------------------------------------------------------


def test_what_is_only_forbidden_before_a_jump_is_no_step() -> None:
    flow = read(
        "1. Is a second person there?", "   - Yes: take the key.", "   - No: do not go alone. Go to step 3.",
        "2. Open the door.", "3. Call the lead.",
    )  # fmt: skip
    assert leads(flow, 3) == {4, 7}
    assert 5 in flow.steps[0].lines


def test_how_often_it_was_found_is_asked_where_it_was_found() -> None:
    flow = read(
        "1. Look at the lamp.", "   - Green: go on.", "   - Amber: wait a minute and repeat step 1. If it is amber a "
        "second time, go to step 3.", "2. Start it.", "3. Call the lead.",
    )  # fmt: skip
    assert leads(flow, 3) == {5, 6, 7}
    assert leads(flow, 5) == {3}


def test_a_limit_of_passes_is_an_outcome_of_the_decision() -> None:
    flow = read(
        "1. Are all open?", "   - Yes: go to step 4.", "   - No: go on with step 2. After three passes, go to step 5.",
        "2. Push it.", "3. Go back to step 1.", "4. Log it.", "5. Call the lead.",
    )  # fmt: skip
    assert leads(flow, 3) == {6, 8, 9}


def test_a_value_that_is_read_again_and_still_low_is_an_outcome_of_the_reading() -> None:
    flow = read(
        "1. Read the pressure.", "   - 5 bar or more: go on with step 2.",
        "   - Less than 5 bar: wait a minute and read the pressure again.",
        "   - Still less than 5 bar: go to step 3.", "2. Start it.", "3. Call the lead.",
    )  # fmt: skip
    assert leads(flow, 3) == {5, 7, 8}
    assert leads(flow, 5) == {3}


def test_a_caution_at_the_end_of_an_outcome_is_a_warning() -> None:
    flow = read(
        "1. Which code is shown?", "   - E1: press RESET. CAUTION: never press it twice.", "   - E2: call the lead."
    )
    assert [warning.lines for warning in flow.warnings] == [(4,)]


# tables ------------------------------------------------------------------------------------------------------------


def test_a_table_of_orders_is_one_of_cases_and_its_head_may_number_the_step() -> None:
    flow = read(
        "1. Read the date.", "", "| Model | Step 2: apply the gas |", "|---|---|", "| MX-2 | Fit the cap. |",
        "| HS-1 | Press START. |", "", "3. Compare the readings. If one is wrong, go back to step 2.",
    )  # fmt: skip
    assert leads(flow, 7) == leads(flow, 8) == {10}
    asked = next(iter(leads(flow, 10) - {"END"}))
    assert isinstance(asked, int)
    assert leads(flow, asked) == {7, 8}


def test_whose_duty_it_is_makes_no_case() -> None:
    flow = read("| Person | Duty |", "|---|---|", "| Operator | Stop it. |", "| Fitter | Lock it. |", "", "1. Open it.")
    assert [step.lines for step in flow.steps] == [(8,)]


def test_a_remedy_behind_its_cause_is_done_before_the_way_back() -> None:
    flow = read(
        "1. Switch it on.", "2. Read it.", "", "## Troubleshooting", "", "| Symptom | What to do |", "|---|---|",
        "| It creeps | The hose leaks. Replace the hose and start again at step 2. |",
        "| PUMP is shown | Change the filter and repeat step 1. |",
    )  # fmt: skip
    assert leads(flow, 10) == {4}
    assert leads(flow, 11) == {3}


# variants and people ------------------------------------------------------------------------------------------------


def test_words_that_only_say_what_variants_depend_on_are_no_step() -> None:
    flow = read(
        "1. Lock the brake.", "2. The way down depends on the lift:", "   - Lifts 1 and 2: turn the handwheel.",
        "   - Lift 3: open the valve.", "3. Measure the step. If it is more than 30 cm, repeat step 2.",
    )  # fmt: skip
    assert leads(flow, 3) == {5, 6}
    assert 4 not in {step.lines[0] for step in flow.steps if step.kind != "decision"}
    assert leads(flow, 5) == leads(flow, 6) == {7}


@pytest.mark.parametrize("who", ["control room operator", "field operator then", "shift leader", "electrician"])
def test_what_people_do_in_prose_is_a_step(who: str) -> None:
    flow = read(
        "## 1. Start", "", f"Open the drain. The {who} closes the valve at once.", "", "## 2. Stop", "", "Press STOP."
    )
    assert [step.text for step in flow.steps][1] == f"The {who} closes the valve at once."


def test_a_sentence_behind_a_repetition_says_where_it_leads_when_that_fails_too() -> None:
    flow = read(
        "1. Insert the disk.", "2. Look at its light.", "   - Green: go on.",
        "   - Amber: take it out and repeat step 1 with the other disk. If the other is amber as well, go to step 4.",
        "3. Start it.", "4. Call the lead.",
    )  # fmt: skip
    assert leads(flow, 4) == {6, 7, 8}
    assert leads(flow, 6) == {3}


def test_what_has_come_back_and_what_is_still_gone_leave_no_case_open() -> None:
    flow = read(
        "1. Wait. If the display has come back, go to step 3; if it is still dark, go to step 4.",
        "2. Note it.", "3. Read it.", "4. Call the lead.",
    )  # fmt: skip
    assert leads(flow, 3) == {5, 6}


def test_what_is_handed_back_ends_there() -> None:
    flow = read(
        "1. Is the light on?", "   - Yes: go on with step 2.",
        "   - No: touch nothing and hand the ticket back to the storage team.", "2. Pull the disk.",
    )  # fmt: skip
    assert leads(flow, 5) == {"END"}


def test_a_warning_that_speaks_of_any_time_is_no_rule_to_act_on() -> None:
    flow = read("**WARNING:** The doors may move at any time. Keep your hands out of the gap.", "", "1. Open the door.")
    assert [warning.lines for warning in flow.warnings] == [(3,)]
    assert [step.lines for step in flow.steps] == [(5,)]


# tests and what they are about --------------------------------------------------------------------------------------


def test_a_condition_behind_a_second_test_is_about_that_test() -> None:
    flow = read(
        "## 1. Work", "",
        "Read the pressure. If it is below 4 bar, open the valve, wait a minute and read it again. If it is still too "
        "low, cancel the work and call the lead.", "", "Start the pump.",
    )  # fmt: skip
    first, again, end, after = flow.steps
    assert {edge.target for edge in flow.edges if edge.source == first.id} == {again.id, after.id}
    assert {edge.target for edge in flow.edges if edge.source == again.id} == {end.id, after.id}


def test_an_act_that_repeats_the_test_before_it_goes_back() -> None:
    flow = read(
        "1. Weigh the tubes. If they differ, add water to the lighter one and weigh them again.", "2. Load them."
    )
    first, act, after = flow.steps
    assert {edge.target for edge in flow.edges if edge.source == first.id} == {act.id, after.id}
    assert {edge.target for edge in flow.edges if edge.source == act.id} == {first.id}


def test_what_it_is_and_what_it_is_instead_leave_no_case_open() -> None:
    flow = read(
        "1. Is the door shut? If it is, go to step 3. If it stands ajar, shut it and go to step 2.",
        "2. Read the display.", "3. Call the lead.",
    )  # fmt: skip
    assert leads(flow, 3) == {4, 5}


def test_a_rest_that_is_sound_leaves_no_case_open() -> None:
    flow = read(
        "1. Inspect the rotor. If you find a crack, hang a red tag on it and report it to the manager; no run is made "
        "with it. If it is sound, set it on the spindle.", "2. Close the lid.",
    )  # fmt: skip
    test, cracked, sound, _ = flow.steps
    assert {edge.target for edge in flow.edges if edge.source == test.id} == {cracked.id, sound.id}
    assert {edge.target for edge in flow.edges if edge.source == cracked.id} == {"END"}


def test_a_value_without_a_comma_before_the_way_is_a_condition() -> None:
    flow = read(
        "1. Read the temperature. If it is below 5 °C, leave it off and call the lead. At 5 °C or more continue with "
        "step 3.", "2. Note it.", "3. Reset it.",
    )  # fmt: skip
    assert leads(flow, 3) == {5, "END"}


# tables and sections ------------------------------------------------------------------------------------------------


def test_a_column_that_names_sections_by_letter_decides() -> None:
    flow = read(
        "## First response", "", "1. Look up the code in the table and go to the section named there.", "",
        "| Code | Meaning | Section |", "|---|---|---|", "| SMK | Smoke | A |", "| FRZ | Frost | B |", "",
        "## Section A: Smoke", "", "1. Press the button and leave.", "", "## Section B: Frost", "", "1. Close it.",
    )  # fmt: skip
    assert leads(flow, 5) == {14, 18}


def test_the_section_before_chosen_ones_leads_into_the_first() -> None:
    flow = read(
        "## 1. Charge", "", "1. Compare the weights. If they differ, go to section 3.", "", "## 2. Close", "",
        "1. Sign the sheet. The work ends here.", "", "## 3. Search", "",
        "1. Look for leaks. If one is found, go to section 2.",
    )  # fmt: skip
    assert leads(flow, 5) == {9, 13}


def test_a_caution_between_labelled_bullets_is_no_outcome() -> None:
    flow = read(
        "- B1. Read it. If it is low, go to B3.", "- **CAUTION:** The coil may burst. Do not touch it.",
        "- B2. Reset it.", "- B3. Watch it.",
    )  # fmt: skip
    assert [warning.lines for warning in flow.warnings] == [(4,)]
    assert 4 not in {step.lines[0] for step in flow.steps}


# limits -------------------------------------------------------------------------------------------------------------


def test_a_table_of_limits_above_the_steps_states_ranges_of_no_single_step() -> None:
    flow = read(
        "## 2. Equipment and limits", "", "Use the meter.", "", "| Quantity | Limit |", "|---|---|",
        "| Supply pressure | at least 4.0 bar |", "| Oxygen before charging | not above 2.0 % |", "",
        "## 3. Work", "", "1. Read the pressure.", "2. Start it.",
    )  # fmt: skip
    assert [(one.quantity, one.low, one.high, one.step) for one in flow.ranges] == [
        ("Supply pressure", 4.0, None, ""), ("Oxygen before charging", None, 2.0, ""),
    ]  # fmt: skip


@pytest.mark.parametrize("words", ["must not differ by more than", "may differ by no more than"])
def test_a_difference_that_must_not_be_exceeded_is_an_upper_bound(words: str) -> None:
    flow = read(f"1. Weigh both tubes. They {words} 0.5 g.")
    assert [(one.low, one.high) for one in flow.ranges] == [(None, 0.5)]


def test_the_question_of_a_heading_is_not_asked_where_only_jumps_enter_its_section() -> None:
    flow = read(
        "1. Is it warm?", "   - Yes: go to step 3.", "   - No: go to step 2.", "", "## If the pump is cold", "",
        "2. Call the fitter and end the work here.", "", "## Closing", "", "3. Log it.",
    )  # fmt: skip
    assert [step.lines[0] for step in flow.steps] == [3, 9, 13]
    assert leads(flow, 9) == {"END"}


def test_a_table_in_html_with_heads_is_a_table_though_a_cell_holds_a_list() -> None:
    flow = read(
        "<table>", "<thead>", "<tr>", "<th>#</th>", "<th>Action</th>", "</tr>", "</thead>", "<tbody>",
        "<tr>", "<td>1</td>", "<td>Open the drain.</td>", "</tr>",
        "<tr>", "<td>2</td>", "<td>Calibrate the axis:", "<ol>", "<li>Read the baseline.</li>", "</ol>",
        "(b) Move the blade.", "(c) Compute the slope.</td>", "</tr>",
        "<tr>", "<td>3</td>", "<td>Restore it.</td>", "</tr>", "</tbody>", "</table>",
    )  # fmt: skip
    assert [step.lines[0] for step in flow.steps] == [13, 17, 21, 22, 26]


# ways in sentences ----------------------------------------------------------------------------------------------------


def test_a_step_of_a_numbered_section_is_found() -> None:
    flow = read(
        "## 3 Wipe",
        "",
        "1. Raise it.",
        "2. Wipe it.",
        "",
        "## 4 Count",
        "",
        "Count it. If it is high, go back to step 2 of section 3.",
    )
    assert ways(flow, 10)["it is high"] == 6


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        ("If it is warm, inform the cooling team and postpone the test.", {"END", 4}),
        ("Count the trips; from the third time on, go to step 3.", {4, 5}),
        ("If it is torn, do not start the fan but go to step 3.", {4, 5}),
        ("If it is old, skip the test and go to step 3.", {4, 5}),
        ("For lift 4, go straight to step 3.", {4, 5}),
    ],
)
def test_ways_in_a_sentence(words: str, ends: set[int | str]) -> None:
    flow = read(f"1. Read it. {words}", "2. Start it.", "3. Call the lead.")
    first = {step.id: step.lines[0] for step in flow.steps}
    reached = {first.get(edge.target, edge.target) for edge in flow.edges if first[edge.source] == 3}
    assert reached - {3} == ends


def test_a_repetition_from_a_numbered_step_leads_to_that_step() -> None:
    flow = read(
        "1. Open it.", "2. Read it.", "3. Replace the weak blocks, then repeat the test from step 2.", "4. Log it."
    )
    assert leads(flow, 5) == {4}


def test_an_outcome_that_repeats_its_step_and_fails_again_has_two_ways() -> None:
    flow = read(
        "1. Read the voltage.", "   - 432 V or more: go on with step 2.",
        "   - Below 432 V: wait an hour, then repeat this step. If it is still below 432 V after the second charge, "
        "go to step 3.", "2. Start it.", "3. Call the lead.",
    )  # fmt: skip
    assert leads(flow, 3) == {5, 6, 7}
    assert leads(flow, 5) == {3}


def test_a_caption_over_a_table_is_no_step() -> None:
    flow = read(
        "1. Open it.",
        "2. Report it.",
        "",
        "Table 1: load and lowest permitted voltage",
        "",
        "| Load | Voltage |",
        "|---|---|",
        "| 50 % | 2.1 V |",
    )
    assert [step.lines[0] for step in flow.steps] == [3, 4]


def test_a_remedy_that_may_repeat_a_section_leads_back_into_the_work() -> None:
    flow = read(
        "## 1 Work", "", "1. Open it.", "2. Close it.", "", "## Alarms", "", "| Alarm | Meaning | What to do |",
        "|---|---|---|",
        "| A1 | Fan stopped | Press RESET. If it runs again, repeat section 1; if not, call the lead and stop. |",
        "| A2 | Lamp dark | Change the lamp. |",
    )  # fmt: skip
    assert 5 in {first for first in leads(flow, 12) if isinstance(first, int)}


def test_a_way_for_one_thing_is_no_way_for_all() -> None:
    flow = read("1. For lift 4, go straight to step 3.", "2. Read the display.", "3. Call the lift company.")
    assert leads(flow, 3) == {4, 5}
    assert flow.steps[0].kind == "decision"


def test_what_is_for_more_information_is_no_condition() -> None:
    flow = read("1. Open it.", "2. For more information, see section 9.", "3. Close it.")
    assert "decision" not in {step.kind for step in flow.steps}


def test_the_end_of_ones_own_work_is_no_condition() -> None:
    flow = read(
        "## A. Out of use",
        "",
        "1. Hang up the red tag. Your check ends here.",
        "",
        "## B. Release",
        "",
        "2. Sign the log.",
    )
    assert leads(flow, 5) == {"END"}


def test_what_was_done_already_is_asked_before_it_is_done_again() -> None:
    flow = read(
        "1. Press the latch.", "2. Does it close?", "", "| Finding | What to do |", "|---|---|",
        "| It does not close | Oil the latch and repeat step 1. If it has been oiled already, go to step 4. |",
        "| It closes | Go to step 3. |", "", "3. Use it.", "4. Call the fitter.",
    )  # fmt: skip
    assert leads(flow, 8) - {8} == {3, 12}


@pytest.mark.parametrize("words", ["At 4.0 to 6.0 L/h go on to step 3.", "From 4.0 to 6.0 bar, continue with step 3."])
def test_a_range_before_a_way_is_a_condition(words: str) -> None:
    flow = read(f"1. Read the gauge. {words}", "2. Call the lead and stop.", "3. Start it.")
    assert leads(flow, 3) == {4, 5}


def test_what_somebody_is_made_to_end_does_not_end_the_work() -> None:
    flow = read("1. Start the fan. Have the control room end the test mode.", "2. File the form.")
    assert leads(flow, 3) == {4}


def test_a_column_behind_what_is_done_says_where_to_go_then() -> None:
    flow = read(
        "1. Read the type.", "2. Press it. If it is still, go to step 4.", "3. Log it and stop.", "4. Look at it:", "",
        "| What you see | What to do | Then |", "|---|---|---|",
        "| It is stiff | Stop, oil the bearings. | Begin again at 1. |",
        "| It is stuck | Tie a red tag to it. | Go to 3. |",
    )  # fmt: skip
    assert leads(flow, 10) == {3}
    assert leads(flow, 11) == {5}


def test_a_section_for_a_failure_is_entered_by_its_jumps_only() -> None:
    flow = read(
        "## Work", "", "1. Read the gauge. If it is above 6 bar, go to the section \"Overpressure\".", "2. Log it.", "",
        "## Overpressure", "", "3. Close the valve and call the lead.",
    )  # fmt: skip
    assert leads(flow, 5) == {6, 10}
    assert leads(flow, 6) == {"END"}
