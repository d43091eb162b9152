"""Ways that are known by where they lead, however they are worded: ends, jumps, cases before them, cases as titles."""

import pytest

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.settling.control import END
from tests.tools.procedure.flow_ways import ways


def read(*lines: str) -> ProcedureFlow:
    return read_procedure("# A procedure\n\n" + "\n".join(lines) + "\n")


def begins(flow: ProcedureFlow) -> list[int]:
    return sorted({step.lines[0] for step in flow.steps})


def after(words: str) -> dict[str, int | str]:
    """The ways of a second step of five, on line 4."""
    return ways(read("1. Open the hatch.", f"2. {words}", "3. Wait.", "4. Close it.", "5. Sign the sheet."), 4)


# ends --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "end",
    [
        "the fitter takes over from here",
        "lock the hatch; your part ends there",
        "the job is called off",
        "leave it shut and the fire brigade does the rest",
        "tag it, the round is over",
        "close the ticket and finish",
        "hand the set over to the maker and that is the end of it",
        "use card K7 instead of this sheet",
        "do not go any further",
    ],
)
def test_a_consequence_ends_in_whatever_words_the_work_does(end: str) -> None:
    assert set(after(f"Read the gauge. If it is above 5 bar, {end}.").values()) == {END, 5}


@pytest.mark.parametrize(
    "words",
    [
        "Sign the sheet. That completes the round.",
        "Sign the sheet, which concludes the check.",
        "Sign the sheet. Visit closed.",
        "Ring the engineer, who takes over.",
        "Hand in the key; the job is thereby finished.",
        "Sign the sheet. No more to do.",
    ],
)
def test_an_order_may_say_that_it_was_the_last(words: str) -> None:
    assert list(after(words).values()) == [END]


@pytest.mark.parametrize(
    "words",
    [
        "Stop the fan.",
        "At the end of the test, close the valve.",
        "Wait until the belt stops.",
        "Run it until maintenance takes over.",
        "Load the tray, start the sequence.",
        "Change over the filter.",
        "Stop here until they have been.",
    ],
)
def test_words_of_ending_that_end_nothing(words: str) -> None:
    assert after(words) == {"": 5}


# jumps -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("jump", "line"),
    [
        ("begin once more at 1", 3),
        ("thereafter again step 1", 3),
        ("clean it, then 1 again", 3),
        ("do everything from 1 anew", 3),
        ("step 4 is next", 6),
        ("redo from step 1", 3),
        ("see step 4", 6),
        ("skip the next step", 6),
        ("leave out the next two steps", 7),
        ("start again at the top", 3),
    ],
)
def test_a_consequence_leads_to_the_step_that_it_names_whatever_the_verb(jump: str, line: int) -> None:
    assert set(after(f"Read the gauge. If it is above 5 bar, {jump}.").values()) == {line, 5}


def test_the_step_of_something_is_no_jump() -> None:
    assert after("Read the gauge. If it is above 5 bar, note the value of step 1.") == {"": 5}


def test_an_act_may_end_in_the_number_of_what_follows() -> None:
    flow = read("1. Look at it: worn = 3; sound = 2.", "2. Start it, end.", "3. Grease it, thereafter 2.")
    assert ways(flow, 3) == {"worn": 5, "sound": 4}
    assert list(ways(flow, 5).values()) == [4]


# cases before them ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "Read the gauge. With the needle in the red, go to step 4.",
        "Read the gauge; a needle in the red leads to step 4.",
        "Read the gauge. Needle in the red – go to step 4.",
        "Read the gauge. Needle in the red: open the drain, then go to step 4.",
        "A needle in the red takes you to step 4.",
        "From 5 bar upwards the drain is opened and step 4 is next.",
    ],
)
def test_words_before_a_way_out_are_its_condition(words: str) -> None:
    assert set(after(words).values()) == {5, 6}


@pytest.mark.parametrize("words", ["Rinse it with water, then go to step 4.", "After ten minutes, go to step 4."])
def test_acts_and_times_before_a_way_out_are_no_condition(words: str) -> None:
    assert set(after(words).values()) == {6}


@pytest.mark.parametrize(
    "words", ["torn, step 4; whole, step 3", "torn (4), whole (3)", "torn → 4, whole → 3", "torn = 4. Whole = 3"]
)
def test_answers_are_a_finding_and_a_number_each(words: str) -> None:
    assert set(after(f"Look at the seal: {words}.").values()) == {5, 6}


def test_values_of_things_are_no_answers() -> None:
    assert after("Set the dials: suction = 4; discharge = 3.") == {"": 5}


def test_the_last_of_several_tries_ends_and_the_others_go_back() -> None:
    words = "Try again from step 1, but not more than three times; after the third failure the fitter takes it over."
    assert set(after(words).values()) == {3, END}


# lists, tables, headings ---------------------------------------------------------------------------------------------


def test_bullets_that_only_go_on_are_outcomes() -> None:
    flow = read("1. Compare the labels.", "   - they differ → stop here", "   - same → carry on below", "2. Weigh it.")
    assert ways(flow, 3) == {"they differ": END, "same": 6}


def test_findings_over_lists_are_outcomes_of_the_check_above() -> None:
    flow = read(
        "1. Check whether the supply is on.", "    - tripped", "      - reset it", "    - on",
        "      - press RESET",
        "2. Sign the sheet.",
    )  # fmt: skip
    assert ways(flow, 3) == {"tripped": 5, "on": 7}


def test_numbered_answers_to_a_question_are_no_steps_in_a_row() -> None:
    flow = read("1. Is it hot?", "   1. Yes. Go on.", "   2. No. Wait ten minutes.", "2. Fill it.")
    assert ways(flow, 3) == {"Yes": 6, "No": 5}


@pytest.mark.parametrize("heads", [("Deviation", "What follows"), ("N/cm", "Verdict"), ("Reading", "Measure")])
def test_rows_that_compare_a_value_are_cases_whatever_their_columns_are_called(heads: tuple[str, str]) -> None:
    flow = read(
        "1. Read the deviation.", "", f"| {heads[0]} | {heads[1]} |", "|---|---|", "| up to 0.5 | step 2 |",
        "| 0.6 to 1.0 | adjust it, afterwards step 1 |", "| over 1.0 | tag it, finish |", "", "2. Sign the sheet.",
    )  # fmt: skip
    assert ways(flow, 3) == {"up to 0.5": 11, "0.6 to 1.0": 8, "over 1.0": 9}
    assert (list(ways(flow, 8).values()), list(ways(flow, 9).values())) == ([3], [END])


def test_codes_of_alarms_are_no_numbers_of_steps() -> None:
    flow = read(
        "1. Read the code.", "", "| Code | Response |", "|---|---|", "| E01 | go to step 3 |", "| E02 | fill it up |",
        "",
        "2. Press RESET.", "3. Sign.",
    )  # fmt: skip
    assert set(ways(flow, 3).values()) == {11, 8}


def test_headings_for_what_was_found_are_ways_beside_each_other() -> None:
    flow = read(
        "1. Run the test and see how many paths are left.", "", "### Two paths", "", "2. Log it.", "", "### One path",
        "",
        "3. Reseat the plug.", "", "### In both cases", "", "4. Close the ticket.",
    )  # fmt: skip
    assert ways(flow, 3) == {"Two paths": 7, "One path": 11}
    assert (ways(flow, 7), ways(flow, 11)) == ({"": 15}, {"": 15})


def test_headings_for_phases_follow_each_other() -> None:
    flow = read(
        "1. Read the gauge.",
        "",
        "### Before the update",
        "",
        "2. Log it.",
        "",
        "### After the update",
        "",
        "3. Start it.",
    )
    assert (ways(flow, 3), ways(flow, 7)) == ({"": 7}, {"": 11})


def test_bold_values_before_paragraphs_are_cases_of_the_reading_above() -> None:
    flow = read(
        "Measure the tip.", "", "**More than 4 mm.** Put on a green sticker.", "", "**Below 4 mm.** Order one.", "",
        "Close the cover.",
    )  # fmt: skip
    assert ways(flow, 3) == {"More than 4 mm": 5, "Below 4 mm": 7}
    assert (ways(flow, 5), ways(flow, 7)) == ({"": 9}, {"": 9})


# labels of lines -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["A{} ", "**A{}** ", "{} ", "({}) ", "{}\\. ", "A-{}: ", "☐ "])
@pytest.mark.parametrize("gap", ["", "\n"])
def test_lines_that_count_up_or_open_with_a_box_are_steps(form: str, gap: str) -> None:
    rows = ["Open the hatch.", "Check the seal.", "Close the hatch."]
    flow = read(*(form.format(at) + row + gap for at, row in enumerate(rows, 1)))
    assert begins(flow) == ([3, 5, 7] if gap else [3, 4, 5])


def test_answers_in_paragraphs_of_their_own_are_outcomes() -> None:
    flow = read("1. Is anybody hurt?", "", "   **YES** – Dial 112.", "", "   **NO** – Open the gate.", "", "2. Sign.")
    assert ways(flow, 3) == {"YES": 5, "NO": 7}


def test_orders_above_the_first_section_are_work() -> None:
    flow = read("Open the hatch.", "", "Pump it dry.", "", "## Leak", "", "1. Grease the seal.")
    assert begins(flow) == [3, 5, 9]


@pytest.mark.parametrize(
    "rule",
    [
        "**At any time:** smoke in the hall: hit the red button and call the guard.",
        "At any stage, if the alarm sounds, leave the hall.",
        "**Fire.** Flames at the door, whatever you are busy with: hit the red button. This sheet is finished.",
        "If nobody answers, no matter which section you are in, page the owners.",
    ],
)
def test_a_rule_for_any_time_is_entered_from_anywhere_and_ends(rule: str) -> None:
    flow = read(rule, "", "## Work", "", "1. Open the hatch.", "2. Close it.")
    assert list(ways(flow, 3).values()) == [END]
    assert len(flow.entry_points) == 1
    assert ways(flow, 7) == {"": 8}


def test_numbered_lines_right_below_a_table_are_steps() -> None:
    flow = read(
        "1. Read the lamp.", "", "| Lamp | Do |", "|---|---|", "| red | close it, go to 3 |", "| green | go to 2 |",
        "2. Look through the window.", "3. Press RESET.",
    )  # fmt: skip
    assert begins(flow)[-2:] == [9, 10]
    assert ways(flow, 9) == {"": 10}


def test_numbered_orders_about_records_are_steps() -> None:
    flow = read("## 1 Work", "", "1.1 Open it.", "", "## 2 Records", "", "2.1 Fill in the form.", "2.2 Sign it.")
    assert begins(flow) == [5, 9, 10]


def test_the_step_of_a_number_is_the_first_on_its_line_in_numbering_that_goes_on() -> None:
    flow = read(
        "## A", "", "1. Open it. Wait 5 minutes. Read the gauge.", "2. Close it.", "", "## B", "",
        "3. Look at it. If it is dry, go to step 1.", "4. Sign.",
    )  # fmt: skip
    assert ways(flow, 10)["it is dry"] == 5
    assert {edge.target for edge in flow.edges if edge.when == "it is dry"} == {flow.steps[0].id}


def test_a_link_alone_is_where_a_row_leads() -> None:
    flow = read(
        "1. Look at what is full.", "", "| Seen | Do |", "|---|---|", "| logs | [Clean up](#clean-up) |",
        "| nothing | run it again, then [Verify](#verify) |", "", "## Clean up", "", "1. Delete them.", "", "## Verify",
        "", "1. Run it.",
    )  # fmt: skip
    assert ways(flow, 3) == {"logs": 12, "nothing": 8}
    assert list(ways(flow, 8).values()) == [16]


def test_a_quantity_whose_name_is_a_verb_is_compared() -> None:
    flow = read("1. Run it. Use% below 85: go to step 3. Otherwise go on.", "2. Clean up.", "3. Sign.")
    assert ways(flow, 3)["Use% below 85"] == 5


def test_headings_that_differ_by_a_number_are_places_one_after_the_other() -> None:
    flow = read(
        "1. Read the list.", "", "## Hall 1", "", "2. Read the meter.", "", "## Hall 2", "", "3. Read the meter."
    )
    assert (ways(flow, 3), ways(flow, 7)) == ({"": 7}, {"": 11})


@pytest.mark.parametrize(
    "words",
    [
        "If the pressure is low, set the regulator to 4.",
        "Compare the reading with that of step 1.",
        "Leave the rest of the screws loose.",
        "If the lamp is green, the transfer is complete.",
        "Begin with the lowest shelf, continue with the next ones up.",
        "With the lid closed, press START.",
        "Line 4 leads to pump 2.",
    ],
)
def test_ordinary_sentences_go_on(words: str) -> None:
    assert set(after(words).values()) == {5}
