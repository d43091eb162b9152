"""Procedures as trades write them: hold points, jumps by letters, brief questions, arrows, tables of cases."""

import pytest

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.settling.control import END
from tests.tools.procedure.flow_ways import ways


def read(*lines: str) -> ProcedureFlow:
    return read_procedure("# A procedure\n\n" + "\n".join(lines) + "\n")


def inner(flow: ProcedureFlow, line: int) -> set[str]:
    """The conditions between the steps that begin on one line."""
    inside = {step.id for step in flow.steps if step.lines[0] == line}
    only = {step.only_if for step in flow.steps if step.lines[0] == line and step.only_if}
    return only | {edge.when for edge in flow.edges if edge.source in inside and edge.target in inside and edge.when}


def begins(flow: ProcedureFlow) -> list[int]:
    return [step.lines[0] for step in flow.steps]


# hold points -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "Only proceed if the line is dead.",
        "Continue only if the line is dead.",
        "You may only go on provided the line is dead.",
    ],
)
def test_a_hold_point_ends_the_procedure_unless_its_condition_is_met(words: str) -> None:
    flow = read("1. Read the meter.", f"2. {words}", "3. Open the cover.", "4. Close it.")
    assert ways(flow, 4) == {"the line is dead": 5, "otherwise": END}


def test_a_hold_point_says_what_is_done_otherwise() -> None:
    flow = read("1. Open it. Proceed only if it is dry; otherwise call the lead.", "2. Start it.", "3. Log it.")
    assert ways(flow, 3) == {"it is dry": 4, "": END}


def test_a_hold_point_that_skips_a_step_leads_to_the_step_otherwise() -> None:
    flow = read("1. Look at the level. Only proceed to step 3 if it is above the mark.", "2. Top up.", "3. Close it.")
    assert ways(flow, 3) == {"it is above the mark": 5, "otherwise": 4}


def test_a_hold_point_in_a_warning_decides() -> None:
    flow = read(
        "## Restart", "", "1. Restart it.", "", "> **WARNING:**", "",
        "Only proceed with the reboot if the restart was of no use.", "", "## Reboot", "", "1. Reboot it.", "2. Wait.",
    )  # fmt: skip
    assert set(ways(flow, 9).values()) == {13, END}
    assert any(9 in warning.lines for warning in flow.warnings)


def test_a_section_that_is_used_under_a_condition_only_is_passed_by() -> None:
    flow = read(
        "## Restart", "", "1. Restart it.", "", "## Reboot", "", "Use this method only if the restart has failed.", "",
        "1. Reboot it.", "2. Wait for it.", "", "## Close", "", "1. Close the panel.", "2. Sign the sheet.",
    )  # fmt: skip
    assert ways(flow, 9) == {"the restart has failed": 11, "otherwise": 16}


def test_what_has_not_helped_is_no_case_beside_it() -> None:
    flow = read(
        "## If the pump is hot", "", "1. Cool it.", "2. Wait.", "", "## If the above steps do not help", "",
        "1. Call the vendor.", "2. Open a ticket.",
    )  # fmt: skip
    assert ways(flow, 6)[""] == 8


def test_the_following_procedure_is_for_what_is_not_solved() -> None:
    flow = read(
        "Restart the service. If this does not fix the issue, continue with the following procedure.", "",
        "1. Check the cable.", "2. Replace it.",
    )  # fmt: skip
    assert ways(flow, 3) == {"this does not fix the issue": 5, "otherwise": END}


# jumps -------------------------------------------------------------------------------------------------------------


def test_sections_are_named_by_their_letters_and_numbers() -> None:
    flow = read(
        "## A. Look", "", "1. Look at it. If it turns, go to D.", "2. Note it.", "", "## B. Wind", "",
        "1. Wind it.", "2. Check the gap.", "   - under 1.5 mm: proceed", "   - over 3.5 mm: D", "3. Lock it.", "",
        "## D. Close", "", "1. Ask for a swing. If it fails, back to B.", "2. Repeat from B1 for the other end.",
        "3. Close it.",
    )  # fmt: skip
    assert ways(flow, 5)["it turns"] == 18
    assert ways(flow, 11) == {"under 1.5 mm": 14, "over 3.5 mm": 18}
    assert ways(flow, 18)["it fails"] == 10
    assert 10 in ways(flow, 19).values()


def test_a_decimal_number_names_a_section_where_no_step_has_it() -> None:
    flow = read(
        "## 3.0 Response", "", "3.1 Acknowledge the alarm.", "3.2 Check how many fans run.",
        "   - If two or more run, go to 4.0.", "   - If none, go to 5.0.", "",
        "## 4.0 One fan", "", "4.1 Start the standby fan.", "", "## 5.0 No fan", "", "5.1 Reset the panel.",
    )  # fmt: skip
    assert ways(flow, 6) == {"two or more run": 12, "none": 16}


@pytest.mark.parametrize("words", ["Go to A.", "Return to 3.1 bar at the valve."])
def test_a_letter_without_a_section_and_a_value_are_no_jumps(words: str) -> None:
    flow = read("1. Set the dial.", f"2. {words}", "3. Close it.")
    assert ways(flow, 4) == {"": 5}


def test_an_outcome_that_repeats_its_test_goes_back_to_it() -> None:
    flow = read(
        "1. Titrate a sample.", "   - under 7 ml: add 1 L, mix, titrate again", "   - 7 to 10 ml: go on",
        "   - over 10 ml: stop. Call the lead.", "2. Circulate.",
    )  # fmt: skip
    assert ways(flow, 4)[""] == 3


def test_an_annex_is_entered_by_reference_only() -> None:
    flow = read(
        "## Work", "", "1. Do it. If it fails, go to annex B.", "2. Log it.", "",
        "## Annex B. Bypass", "", "1. Close Q3.", "2. Open Q2.",
    )  # fmt: skip
    assert ways(flow, 6) == {"": END}
    assert ways(flow, 5)["it fails"] == 10


@pytest.mark.parametrize("words", ["Raise a ticket. End.", "STOP. Call the lead.", "Withdraw. Work is stopped."])
def test_ends_in_other_words(words: str) -> None:
    flow = read("1. Read the gauge.", "   - above 5 bar: go on", f"   - below 5 bar: {words}", "2. Open the valve.")
    assert set(ways(flow, 5).values()) <= {END}


# conditions in a few words --------------------------------------------------------------------------------------------


def test_a_brief_question_is_a_condition_of_what_stands_behind_it() -> None:
    flow = read("1. Rinse it. Still brown? Rinse again.", "2. Close it.")
    assert inner(flow, 3) == {"Still brown"}
    flow = read("1. Smell, noise, swollen cells? Leave the room.", "2. Open the rack.")
    assert inner(flow, 3) | {one for one in ways(flow, 3) if one} == {"Smell, noise, swollen cells"}


def test_two_brief_questions_are_one_decision() -> None:
    flow = read("1. Swing it three times. Good each time? Sign it. Failed once? Call the lead.", "2. Close it.")
    assert {"Good each time", "Failed once"} <= inner(flow, 3)
    assert "otherwise" not in inner(flow, 3) | set(ways(flow, 3))


def test_a_whole_question_is_none() -> None:
    flow = read("1. Is the lamp lit? Note the time.", "2. Close it.")
    assert not any(step.only_if for step in flow.steps)


def test_an_arrow_leads_to_what_is_done_but_not_through_a_menu() -> None:
    assert inner(read("1. Listen. No sound → stop the pump and call.", "2. Go."), 3) | set(
        ways(read("1. Listen. No sound → stop the pump and call.", "2. Go."), 3)
    ) >= {"No sound"}
    flow = read("1. Open Settings → Network → Reset.", "2. Close it.")
    assert ways(flow, 3) == {"": 4}


def test_lines_with_answers_are_outcomes_without_bullets() -> None:
    flow = read(
        "5.1 Is there power at the panel?", "    YES - Reset the panel and wait.", "    NO - Start the generator.",
        "5.2 Note the time.",
    )  # fmt: skip
    assert ways(flow, 3) == {"YES": 4, "NO": 5}


def test_lists_headed_yes_and_no_answer_the_question_above() -> None:
    flow = read("Is the tank full?", "", "**YES**", "", "1. Close V1.", "2. Log it.", "", "**NO**", "", "1. Open V2.")
    assert ways(flow, 3) == {"YES": 7, "NO": 12}


def test_a_heading_that_asks_decides() -> None:
    flow = read("## 1. Is an aircraft there?", "", "- Yes: go to section 2.", "- No: call the office.", "",
                "## 2. There", "", "1. Station an agent.")  # fmt: skip
    assert ways(flow, 3) == {"Yes": 10, "No": 6}


def test_answers_of_a_word_before_a_full_stop() -> None:
    flow = read("1. Read the panel. Is the pressure low or high?", "   - *Low.* Go to step 3.",
                "   - *High.* Turn it down.", "2. Note it.", "3. Close it.")  # fmt: skip
    assert ways(flow, 3) == {"Low": 7, "High": 5}


def test_cases_with_a_full_stop_are_beside_each_other() -> None:
    flow = read("1. Read the code.", "2. Find the cause.", "", "Case 410. Move the blade by hand.", "",
                "Case 411. Open the slip ring.", "", "## Close", "", "1. Close it.")  # fmt: skip
    assert 8 not in ways(flow, 6).values()


# layout ---------------------------------------------------------------------------------------------------------------


def test_letters_below_numbered_lines_of_plain_text_are_nested() -> None:
    flow = read("4.1 Watch the pressure.", "   a. Pressure OK: return it to AUTO.", "   b. Pressure high: open V1.",
                "   c. Pressure low: check the valve.", "4.2 Wait 15 minutes.")  # fmt: skip
    assert ways(flow, 3) == {"Pressure OK": 4, "Pressure high": 5, "Pressure low": 6}


def test_bullets_that_markdown_does_not_know() -> None:
    flow = read("Check the lamps:", "– open the cover", "– press the button", "– close the cover")
    assert begins(flow)[-3:] == [4, 5, 6]


def test_numbered_lines_in_capitals_are_headings() -> None:
    flow = read("1. WHEN THE SHEET BREAKS", "", "1.1 Open the shower.", "1.2 If the couch is empty, go to section 2.",
                "1.3 Call the lead.", "", "2. BREAK AT THE COUCH", "", "2.1 Check the vacuum.")  # fmt: skip
    assert begins(flow) == [5, 6, 7, 11]
    assert ways(flow, 6) == {"the couch is empty": 11, "otherwise": 7}


def test_items_with_boxes_are_acts() -> None:
    flow = read("- [ ] Change approved", "- [ ] Backup newer than a day. Older? run the backup", "- [x] Console works")
    assert begins(flow)[0] == 3
    assert begins(flow)[-1] == 5


def test_details_below_a_bold_title_belong_to_its_step() -> None:
    flow = read("1. **Check the policy:**", "", "   Verify that it allows the port:", "", "   ```", "   get policy",
                "   ```", "", "2. **Increase the memory:**", "", "   If the cache is full, increase the memory.", "",
                "3. **Close:**", "", "   Close it.")  # fmt: skip
    assert begins(flow) == [3, 11, 15]
    assert flow.steps[1].only_if == "the cache is full"


def test_what_a_script_does_is_no_step() -> None:
    flow = read("1. Load the script.", "", "   The script performs the following steps:", "", "   - Close the dome.",
                "   - Open the gate.", "", "2. Confirm that it runs.")  # fmt: skip
    assert begins(flow) == [3, 10]


def test_lines_to_fill_in_and_lists_of_links_are_no_steps() -> None:
    flow = read("1. Close it.", "", "Sign: __________  Date: ______", "", "## Manuals", "",
                "1. [Test report](a.pdf)", "2. [Wiring](b.pdf)")  # fmt: skip
    assert begins(flow) == [3]


def test_see_if_asks_to_look() -> None:
    flow = read("* See if there are any clients.", "* Save the list.", "* See the manual.")
    assert begins(flow) == [3, 4]


def test_what_important_says_is_a_warning_unless_it_only_orders() -> None:
    told = read("1. Open it.", "", "> **IMPORTANT:**", "", "If nobody answers, call the gate.", "", "2. Close it.")
    assert begins(told) == [3, 7, 9]
    obliged = read("1. Open it.", "", "> **IMPORTANT:**", "", "The key must stay in the lock.", "", "2. Close it.")
    assert begins(obliged) == [3, 9]
    assert any(7 in warning.lines for warning in obliged.warnings)


@pytest.mark.parametrize(
    "words",
    [
        "!!! Hands off the rolls !!!",
        "NOBODY ENTERS BETWEEN THE ROLLS WITH THE MACHINE AT SPEED. NO HOOKS!",
        "Hearing protection is required in the blower building.",
        "> **STOP.** You must not set foot on the track before it is protected.",
        "Danger for the batteries.",
    ],
)
def test_warnings_without_a_label(words: str) -> None:
    flow = read("1. Open it.", "", words, "", "## Close", "", "1. Close it.")
    assert [warning.lines for warning in flow.warnings] == [(5,)]


def test_who_goes_home_when_is_no_warning() -> None:
    assert not read("Nobody goes home before the book is signed.").warnings


# tables and choices ---------------------------------------------------------------------------------------------------


def test_a_table_of_checks_with_answers() -> None:
    flow = read(
        "| Code | Meaning | Check | If OK | If not OK |", "|---|---|---|---|---|",
        "| E01 | Door | Seal in place | Restart the cycle | Call the lead |",
        "| E04 | Vacuum | Water at the pump | Do a leak test | Phone the plant |",
    )  # fmt: skip
    steps = [step for step in flow.steps if step.lines[0] == 5]
    assert steps[0].kind == "decision"
    assert {edge.when for edge in flow.edges if edge.source == steps[0].id} == {"If OK", "If not OK"}


def test_cells_that_name_where_to_go_on() -> None:
    flow = read(
        "## 2 Find it", "", "Watch the pointer:", "", "| What you see | Go to |", "|---|---|", "| It stays | 3.1 |",
        "| It moves | 3.2 |", "", "## 3.1 No supply", "", "Check the fuse.", "", "## 3.2 Stalled", "",
        "Turn the spindle.",
    )  # fmt: skip
    assert ways(flow, 5) == {"It stays": 14, "It moves": 18}


def test_a_table_of_checks_decides_in_every_row() -> None:
    flow = read(
        "1. Test and compare.", "", "   | Test | Limit | If outside limit |", "   |---|---|---|",
        "   | Appearance | Clear | Reject the load |", "   | Pressure | 2 to 3 bar | Take a second sample. |",
        "   | Age | 5 days at most | Call the lead. Wait. |", "", "2. Unlock the fill point.",
    )  # fmt: skip
    assert ways(flow, 7) == {"otherwise": 8, "": END}
    assert 9 in ways(flow, 8).values()
    assert 11 in ways(flow, 9).values()
    assert [(stated.low, stated.high) for stated in flow.ranges if stated.low == 2] == [(2, 3)]


def test_cells_that_send_to_a_section() -> None:
    flow = read(
        "## Look", "", "Look at the coil:", "", "| What you see | Do |", "|---|---|",
        '| light frost | reset, see "Probe" |', '| solid ice | see "Drain" |', "",
        "## Drain", "", "Clear the drain.", "", "## Probe", "", "Compare the probe.",
    )  # fmt: skip
    assert ways(flow, 9)['see "Probe"'] == 18
    assert ways(flow, 5)["solid ice"] == 14


def test_what_is_offered_below_an_item_is_chosen() -> None:
    flow = read("1. Update the table. Two equivalent options:", "   - **Change the row**: overwrite its values.",
                "   - **Add a row**: write the new values.", "2. Verify it.")  # fmt: skip
    assert set(ways(flow, 3).values()) == {4, 5}


def test_one_of_the_procedures_below() -> None:
    flow = read(
        "## Before", "", "Check the weather.", "", "Follow one of the procedures below, by the mode you need.", "",
        "## Starting up in automatic mode", "", "1. Set the mode to 1.", "", "## Starting up in manual mode", "",
        "1. Choose a target.", "", "## Shutting down", "", "1. Set the mode to 0.",
    )  # fmt: skip
    assert 15 not in ways(flow, 11).values()
    assert ways(flow, 11) == {"": 19}
