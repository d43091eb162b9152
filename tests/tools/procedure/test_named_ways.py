"""Ways that a text names: by labels of steps, names of outcomes, counted tries, compared values and hand-overs."""

import pytest

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.settling.control import END
from tests.tools.procedure.flow_ways import ways


def read(*lines: str) -> ProcedureFlow:
    return read_procedure("# A procedure\n\n" + "\n".join(lines) + "\n")


def warned(flow: ProcedureFlow) -> list[int]:
    return sorted(line for warning in flow.warnings for line in warning.lines)


def begins(flow: ProcedureFlow) -> list[int]:
    return sorted({step.lines[0] for step in flow.steps})


# labels of steps ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["A{}.", "**A{}.**"])
def test_letters_with_numbers_are_labels_of_steps_and_where_jumps_lead(label: str) -> None:
    rows = ["Look at the gauge. If it is low, go to A4.", "Open the drain.", "Wait a minute.", "Close the valve."]
    flow = read(*(f"{label.format(at)} {row}\n" for at, row in enumerate(rows, 1)))
    assert begins(flow) == [3, 5, 7, 9]
    assert ways(flow, 3)["it is low"] == 9


def test_a_label_alone_is_where_an_outcome_leads() -> None:
    flow = read(
        "1. Check the belt.", "   - torn: 3", "   - loose → 2", "   - sound: go on to step 4", "2. Tighten it.",
        "3. Replace it.", "4. Start it.",
    )  # fmt: skip
    assert ways(flow, 3) == {"torn": 8, "loose": 7, "sound": 9}


def test_a_question_right_before_a_jump_is_its_condition() -> None:
    flow = read("1. Is the lamp red? Go to step 3.", "2. Note it.", "3. Start it.")
    assert set(ways(flow, 3).values()) == {5, 4}


def test_a_denied_jump_leads_nowhere() -> None:
    flow = read("## A. Fill", "", "1. Fill it.", "", "## B. Heat", "", "1. Do not go back to A.", "2. Heat it.")
    assert set(ways(flow, 9).values()) == {10}


# outcomes by name --------------------------------------------------------------------------------------------------


def test_an_outcome_that_is_treated_as_another_leads_where_that_one_leads() -> None:
    flow = read(
        "1. Look at the lamp.", "   - **Green:** go to step 3.", "   - **Amber:** call the shift lead.",
        "   - **Flashing:** treat it as amber.", "2. Log it.", "3. Start it.",
    )  # fmt: skip
    assert ways(flow, 3) == {"Green": 8, "Amber": 5, "Flashing": 5}


def test_answers_are_told_in_sentences() -> None:
    flow = read("1. Turn the shaft by hand. Free: go to step 3. Stiff: grease it.", "2. Turn it again.", "3. Start it.")
    assert ways(flow, 3)["Free"] == 5


def test_what_a_finding_leads_to_stands_behind_a_dash() -> None:
    flow = read(
        "1. Look at the oil.",
        "   - milky – change it, then step 3",
        "   - clear – step 2",
        "2. Fit the cap.",
        "3. Sign.",
    )
    assert ways(flow, 3) == {"milky": 4, "clear": 6}
    assert 7 in ways(flow, 4).values()


def test_a_list_that_names_the_section_of_each_case_asks_which_it_is() -> None:
    flow = read(
        "## 1. Look", "", "Take the section of what you see:", "", "- Water on the floor: Section 2",
        "- Smell of gas: Section 3", "", "## 2. Water", "", "1. Close the main valve.", "",
        "## 3. Gas", "", "1. Leave the room.",
    )  # fmt: skip
    assert ways(flow, 5) == {"Water on the floor": 12, "Smell of gas": 16}


# counted tries -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    ["After two failed attempts, stop and call the lead.", "The second time, stop and call the lead.",
     "On the third failure stop and call the lead."],
)  # fmt: skip
def test_what_is_done_after_so_many_tries_is_done_only_then(words: str) -> None:
    flow = read("1. Press reset.", f"2. {words}", "3. Close the panel.")
    assert 5 in ways(flow, 4).values()
    assert END in ways(flow, 4).values()


def test_a_number_of_things_counts_no_tries() -> None:
    flow = read("1. Press reset.", "2. After two hours, read the meter.", "3. Close the panel.")
    assert ways(flow, 4) == {"": 5}


# compared values ---------------------------------------------------------------------------------------------------


def test_compared_values_before_commas_are_cases() -> None:
    flow = read(
        "1. Read the level.", "   - Below 10 mm, go to step 3.", "   - Between 10 and 20 mm, go to step 2.",
        "   - Above 20 mm, stop.", "2. Top up.", "3. Drain it.",
    )  # fmt: skip
    by = ways(flow, 3)
    assert set(by.values()) == {8, 7, END}


def test_a_value_behind_a_semicolon_is_a_case_of_its_own() -> None:
    flow = read(
        "1. Read it. Above 4 bar, go to step 3; below 2 bar, stop and call the lead.", "2. Note it.", "3. Start it."
    )
    assert set(ways(flow, 3).values()) == {5, 4, END}


def test_a_greater_than_sign_behind_a_bullet_compares() -> None:
    flow = read(
        "1. Measure it.", "   - < 220 V: call the electrician, do not start.", "   - > 240 V: switch it off.", "2. Go."
    )
    assert set(ways(flow, 3)) >= {"< 220 V", "> 240 V"}


def test_numbered_items_for_a_compared_value_each_are_the_outcomes_of_the_reading_above() -> None:
    flow = read(
        "1. Read the pressure.", "2. Below 2 bar: open the valve.", "3. Over 2 bar: bleed it.", "4. Sign the sheet.",
    )  # fmt: skip
    assert set(ways(flow, 4).values()) == set(ways(flow, 5).values()) == {6}
    assert {edge.when for edge in flow.edges} >= {"Below 2 bar", "Over 2 bar"}


# ends --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    ["close the ticket", "you are done", "the job ends here", "refuse the load", "postpone the job",
     "lock it off and leave it to the fitter"],
)  # fmt: skip
def test_words_that_end_the_work_end_it(words: str) -> None:
    flow = read(f"1. Look at the seal. If it is wet, {words}.", "2. Start the pump.", "3. Sign.")
    assert END in set(ways(flow, 3).values())


def test_a_section_that_closes_the_work_follows_each_of_the_chosen_ones() -> None:
    flow = read(
        "## If the pump is hot", "", "1. Cool it.", "", "## If the pump is noisy", "", "1. Grease it.", "",
        "## Closing", "", "1. Sign the sheet.",
    )  # fmt: skip
    assert ways(flow, 5)[""] == ways(flow, 9)[""] == 13


def test_a_section_for_when_something_goes_wrong_does_not_follow() -> None:
    flow = read("## Work", "", "1. Open it.", "2. Close it.", "", "## If something goes wrong", "", "1. Call the lead.")
    assert ways(flow, 6) == {"": END}


# warnings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    ["⚠ The pipe is hot.", "> [!CAUTION]\n> The pipe is hot.", "STOP! The pipe may be hot.",
     "**Electrical hazard:** the cover is live.", "Never work on the pipe alone."],
)  # fmt: skip
def test_signs_boxes_and_names_of_hazards_warn(words: str) -> None:
    flow = read("1. Open the cover.", "", words, "", "2. Loosen the flange.")
    assert 5 in warned(flow)


def test_a_prohibition_in_bold_warns_before_its_step() -> None:
    flow = read("1. Open the cover.", "2. Cool the cell. **Never open the doors to help the cooling.**", "3. Close it.")
    assert warned(flow) == [4]
    assert begins(flow) == [3, 4, 5]


# tables and lists -------------------------------------------------------------------------------------------------


def test_a_table_of_numbered_orders_is_one_of_steps_wherever_it_stands() -> None:
    flow = read(
        "## Roles and steps", "", "| Step | Who | Action | If OK | If not OK |", "|---|---|---|---|---|",
        "| 1 | Guard | Close the gate | Step 2 | Call the office |",
        "| 2 | Driver | Tip the load | End | Back to step 1 |",
    )  # fmt: skip
    assert begins(flow) == [7, 8]
    assert ways(flow, 8) == {"OK": END, "not OK": 7}


def test_a_table_of_numbered_checks_decides_in_every_row() -> None:
    flow = read(
        "| No. | Check | Limit | If OK | If not OK |", "|---|---|---|---|---|",
        "| 1 | Fan running | Green lamp | Go to 2 | Call facilities |",
        "| 2 | Level | Above the mark | Go to 3 | Top it up, go back to 1 |",
        "| 3 | Lid | Closed | Release the unit | Close it and repeat 3 |",
    )  # fmt: skip
    assert begins(flow) == [5, 6, 7]
    assert ways(flow, 6) == {"OK": 7, "go back to 1": 5}


def test_a_condition_right_below_bullets_belongs_to_all_of_them() -> None:
    flow = read(
        "1. Verify that", "   - the pump is off", "   - the valve is closed",
        "   If one of these is not met, do not continue and inform the lead.", "2. Open it.",
    )  # fmt: skip
    assert set(ways(flow, 6).values()) == {END, 7}


def test_work_that_is_stopped_ends() -> None:
    flow = read("1. Check the permit. If it is not valid, the work is stopped and the office informed.", "2. Open it.")
    assert set(ways(flow, 3).values()) == {END, 4}


def test_what_may_be_stopped_is_not_stopped() -> None:
    flow = read("1. Run it. If it is late, you may stop the test at any time.", "2. Open it.")
    assert END not in ways(flow, 3).values()


def test_cases_joined_by_semicolons_stand_beside_each_other() -> None:
    flow = read(
        "1. If both lamps are lit: go to step 3; if only one is lit: step 2; if none: stop.", "2. A.", "3. Start it."
    )
    assert set(ways(flow, 3).values()) == {5, 4, END}


def test_a_condition_at_the_end_of_an_item_governs_what_is_nested_in_it() -> None:
    flow = read("1. Check for damage. If it is torn:", "   - photograph it", "   - call the office", "2. Use it.")
    assert ways(flow, 3) == {"it is torn": 4, "otherwise": 6}
    assert ways(flow, 5) == {"": 6}


def test_a_column_for_what_is_abnormal_decides_where_it_leads_elsewhere() -> None:
    flow = read(
        "| Step | Action | If abnormal |", "|---|---|---|", "| 1 | Check the oil | top it up |",
        "| 2 | Check the belt | stop and call the lead |", "| 3 | Start it | go to step 1 |", "| 4 | Log it | - |",
    )  # fmt: skip
    assert set(ways(flow, 6).values()) == {END, 7}
    assert ways(flow, 7) == {"abnormal": 5, "otherwise": 8}


def test_an_answer_that_is_always_the_same_is_no_answer() -> None:
    flow = read(
        "| No. | Check | If OK | If not OK |", "|---|---|---|---|", "| 1 | Wash the lid | Release the unit | - |",
        "| 2 | Close the room | - | - |",
    )  # fmt: skip
    assert [step.kind for step in flow.steps] == ["action", "action", "action"]
    assert ways(flow, 5) == {"": 6}


def test_bullets_that_only_title_the_bullets_below_them_are_headings() -> None:
    flow = read(
        "- Plant room", "  - Look at the detector.", "    - under 0.5 ppm: go on", "    - 0.5 ppm or more: stop here",
        "- Pumps", "  - Start pump P-1.", "  - If it trips, go to \"No flow\".", "- Water", "  - Take a sample.",
        "- No flow", "  - Lock the dosing off.",
    )  # fmt: skip
    assert [line.n for line in flow.lines if line.role == "heading"] == [1, 3, 7, 10, 12]
    assert ways(flow, 4) == {"under 0.5 ppm": 8, "0.5 ppm or more": END}
    assert ways(flow, 9)["it trips"] == 13


def test_items_that_each_point_somewhere_are_outcomes_and_a_title_alone_is_a_place() -> None:
    flow = read(
        "## Check", "", "1. Pass the wand through.", "   - seen → next wand", "   - not seen → *Detector fault*",
        "2. Pass the other wand.", "", "## Detector fault", "", "3. Hold the boxes.",
    )  # fmt: skip
    assert {edge.when for edge in flow.edges} >= {"seen", "not seen"}
    assert ways(flow, 5).get("not seen", ways(flow, 7).get("not seen")) == 12


def test_every_bullet_on_safety_is_a_warning() -> None:
    flow = read(
        "## Safety", "", "- Stay outside the barrier.", "- The tank holds gas.", "", "## Work", "", "1. Open it."
    )
    assert warned(flow) == [5, 6]
    assert begins(flow) == [10]


# what is no step ---------------------------------------------------------------------------------------------------


def test_what_a_procedure_is_for_is_no_step() -> None:
    flow = read("Use this procedure to change the filter.", "", "1. Stop the fan.", "2. Change the filter.")
    assert begins(flow) == [5, 6]
