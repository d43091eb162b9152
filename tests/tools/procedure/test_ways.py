"""What conditions govern, where ways part and rejoin, and what belongs to an item."""

import pytest

from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureStep
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.settling.control import END


def read(*lines: str) -> ProcedureFlow:
    return read_procedure("# A procedure\n\n## Procedure\n\n" + "\n".join(lines) + "\n")


def step(flow: ProcedureFlow, words: str) -> ProcedureStep:
    return next(step for step in flow.steps if words in step.text)


def ways(flow: ProcedureFlow, words: str) -> set[str]:
    """The opening words of the steps behind the step with these words."""
    names = {step.id: step.text for step in flow.steps} | {END: END}
    return {names[edge.target] for edge in flow.edges if edge.source == step(flow, words).id}


def test_a_single_act_with_the_same_step_behind_both_ways_may_not_apply() -> None:
    flow = read("1. Check the feeder. If the feeder is tripped, call the electrical lead and hand over.")
    assert [one.kind for one in flow.steps] == ["action", "action"]
    assert step(flow, "call").only_if == "the feeder is tripped"


def test_a_condition_governs_the_sentences_up_to_its_jump() -> None:
    flow = read(
        "1. Press START.",
        "2. If it has not fired, the controller raises an alarm. Do not reset it twice. Go to step 4.",
        "3. Run without load.",
        "4. Stop the set.",
    )
    assert ways(flow, "If it has not fired") == {"Do not reset it twice.", "Run without load."}
    assert ways(flow, "Do not reset") == {"Stop the set."}
    assert all(part.doubt for part in flow.unresolved)  # every jump is followed


def test_an_enumeration_is_not_the_end_of_a_condition() -> None:
    flow = read("1. If there is smoke, heat or water, stop here and call the fire service.", "2. Sign the form.")
    decision = flow.steps[0]
    assert "water" in decision.text
    assert END in {edge.target for edge in flow.edges if edge.source == flow.steps[1].id}


def test_a_condition_needs_no_comma() -> None:
    flow = read("1. If there is a fault reported in the status dashboard execute the script.", "2. Go home.")
    assert flow.steps[0].only_if == "there is a fault reported in the status dashboard"
    assert flow.steps[0].text == "execute the script."


def test_a_prohibition_behind_an_act_is_part_of_it() -> None:
    flow = read("1. Wait for the lamp. Do not open the door before it is green.", "2. Open the door.")
    assert len(flow.steps) == 2


def test_lead_ins_over_lists_decide_and_what_follows_them_is_common() -> None:
    flow = read(
        "Immediate actions:",
        "- Measure the temperature.",
        "",
        "If the load is high:",
        "- Move the load.",
        "",
        "If you suspect the fan:",
        "- Replace the fan.",
        "",
        "Write the report.",
    )
    assert ways(flow, "the load is high") == {"Move the load.", "Replace the fan."}
    assert ways(flow, "Move the load") == ways(flow, "Replace the fan") == {"Write the report."}


def test_paragraphs_for_one_version_each_are_alternatives() -> None:
    flow = read(
        "Inspect the pods.",
        "",
        "For clusters at versions 4.13 or earlier, find the master pods:",
        "```\nget master\n```",
        "",
        "For clusters at versions 4.14 or later, find the node pods:",
        "```\nget node\n```",
        "",
        "Restart the pod.",
    )
    assert len(ways(flow, "Inspect the pods")) == 2
    assert ways(flow, "master pods") == {"Restart the pod."}


def test_numbered_conditions_about_different_things_follow_each_other() -> None:
    flow = read(
        "1. Read the log.",
        "2. If the node is unreachable:",
        "   - Check the cable.",
        "   - Check the power.",
        "3. If the agent reports errors:",
        "   - Restart the agent.",
        "   - Read the log again.",
        "4. Close the ticket.",
    )
    assert ways(flow, "If the node is unreachable") == {"Check the cable.", "If the agent reports errors:"}


def test_blocks_between_composite_numbers_belong_to_the_first() -> None:
    flow = read(
        "6.6 Read the pressure.",
        "",
        "- If the pressure is above 1.5 MPa, continue with 6.7.",
        "- If the pressure is below 1.5 MPa, go to 6.8.",
        "",
        "6.7 Press the button.",
        "",
        "6.8 Call the lift company.",
    )
    assert ways(flow, "Read the pressure") == {"Press the button.", "Call the lift company."}


def test_a_box_at_the_margin_does_not_end_the_item_around_it() -> None:
    flow = read(
        "1.  Restart the control system.",
        "",
        "> **WARNING:**",
        "",
        "    This must not be skipped.",
        "",
        "    1.  Stop the service.",
        "    2.  Start the service.",
        "2.  Check the lamp.",
    )
    assert [one.label for one in flow.steps] == ["1", "1", "2", "2"]
    assert [warning.text for warning in flow.warnings] == ["This must not be skipped."]


def test_a_sentence_that_only_limits_the_act_before_it_is_no_step() -> None:
    flow = read("1. Power the cabinet down. Only do this if nothing else helps.", "2. Wait.")
    assert len(flow.steps) == 2


def test_if_not_denies_the_check_before_it_and_not_the_item_after_it() -> None:
    flow = read(
        "1. Check that the annotation is set. If not, edit the resource.",
        "2. If the image does not support the architecture, rebuild the image.",
    )
    assert [bool(one.only_if) for one in flow.steps] == [False, True, True]


@pytest.mark.parametrize(
    "words",
    [
        "- The Operator name is displayed under the label.",
        "- type: Upgradeable",
        "- **Fully open**: Release pressed, handle removed, gate open.",
    ],
)
def test_a_statement_is_no_step_whatever_its_first_word(words: str) -> None:
    assert [one.text for one in read("1. Read the state.", "2. Close the gate.", "", words).steps] == [
        "Read the state.",
        "Close the gate.",
    ]


def test_rows_that_count_up_are_steps_whatever_their_label() -> None:
    flow = read(
        "| Line | Action | Result |",
        "|---|---|---|",
        "| A1 | Close the valve. | lit |",
        "| A2 | Watch the gauge. If the pressure rises, go to A4. | steady |",
        "| A3 | Open the drain. | dry |",
        "| A4 | Tighten the gland. | tight |",
    )
    assert ways(flow, "Close the valve") == {"Watch the gauge."}
    assert ways(flow, "Watch the gauge") == {"Open the drain.", "Tighten the gland."}


def test_an_answer_that_only_goes_on_makes_a_decision_of_the_check() -> None:
    flow = read(
        "1. Check that the heater has been on for at least 12 hours.",
        "   - If the oil is at 50 °C to 60 °C, continue.",
        "   - If it is below 50 °C, leave the heater on.",
        "2. Start the pump.",
    )
    assert ways(flow, "Check that the heater") == {"leave the heater on.", "Start the pump."}


def test_sections_that_a_decision_chooses_do_not_follow_each_other() -> None:
    flow = read_procedure(
        "# Treatment\n\n## A. Evaluation\n\n1. Read the values.\n2. If the pH is low, go to section B.\n"
        "3. If the inhibitor is low, go to section C.\n\n## B. Correction of pH\n\n1. Dose the corrector.\n\n"
        "## C. Correction of the inhibitor\n\n1. Dose the azole.\n\n## D. Records\n\n1. Write the log.\n"
    )
    assert ways(flow, "Dose the corrector") == ways(flow, "Dose the azole") == {"Write the log."}


def test_skip_this_step_limits_the_acts_of_its_item() -> None:
    flow = read("1. Tension the belts. Skip this step if the belts were not replaced.", "2. Close the cover.")
    assert [one.only_if for one in flow.steps] == ["unless the belts were not replaced", ""]


def test_otherwise_continue_ends_the_way_that_calls_for_help() -> None:
    flow = read("1. Read the level. If it is low, press STOP and report. Otherwise continue.", "2. Open the valve.")
    assert step(flow, "report").kind == "end"


def test_end_of_procedure_stands_under_the_condition_of_its_item() -> None:
    flow = read("1. If the approach rose, leave the set off and call the lead. End of procedure.", "2. Start the set.")
    assert ways(flow, "If the approach rose") == {"leave the set off and call the lead.", "Start the set."}
    assert ways(flow, "leave the set off") == {END}


def test_a_second_failure_comes_after_the_first_remedy() -> None:
    flow = read(
        "1. Press the button.",
        "2. If the car does not move, press again. If it still does not move, go to step 4.",
        "3. Open the door.",
        "4. Call the engineer.",
    )
    assert step(flow, "press again").only_if == "the car does not move"
    assert ways(flow, "If it still does not move") == {"Open the door.", "Call the engineer."}


def test_a_jump_may_name_a_section_by_its_title_alone() -> None:
    flow = read_procedure(
        "# Rotation\n\n## Using the queue\n\n1. Run the script.\n2. If this fails, proceed to using the panel.\n"
        "3. Log the run.\n\n## Using the panel\n\n1. Connect to the controller.\n"
    )
    assert "Connect to the controller." in ways(flow, "If this fails")


def test_items_for_one_cause_each_are_chosen_by_the_lead_in_above_them() -> None:
    flow = read(
        "Apply the remediation that matches the root cause:",
        "",
        "1. **Stale lease**: If the holder is gone, delete the lease.",
        "2. **Permissions**: Verify that the account can create a lease.",
        "3. **Validate the result**: Confirm that one pod holds the lease.",
    )
    assert len(ways(flow, "Apply the remediation")) == 2
    assert ways(flow, "delete the lease") == ways(flow, "Verify that the account")


def test_words_that_speak_of_an_unread_way_are_marked() -> None:
    flow = read("1. Fill the cup.", "2. Empty it and begin all of it once more, then measure again.", "3. Go home.")
    assert any("repetition" in one.reason for one in flow.unresolved)


def test_a_repetition_at_a_stated_time_is_done_in_the_step() -> None:
    asked = {
        words: any("repetition" in one.reason for one in read("1. Fill the cup.", f"2. {words}").unresolved)
        for words in (
            "Check again after 30 minutes and close the entry.",
            "Repeat the reading every hour.",
            "Repeat all of it.",
            "Repeat after a few minutes from step 7 of the other card.",
        )
    }
    assert list(asked.values()) == [False, False, True, True]


def test_a_check_behind_a_phrase_of_place_decides() -> None:
    flow = read(
        "1. In the cylinder room, measure the voltage. It must read 0 V. If it reads 24 V, stop and call the manager.",
        "2. Plug in the connector.",
    )
    assert [one.kind for one in flow.steps] == ["decision", "end", "action"]


def test_a_jump_may_name_a_lettered_item() -> None:
    flow = read("a) Look at the panel. If no lamp is lit, go to c).", "", "b) Press RESET.", "", "c) Check the floats.")
    assert ways(flow, "Look at the panel") == {"Press RESET.", "Check the floats."}


def test_a_stop_among_other_acts_does_not_end_the_procedure() -> None:
    flow = read(
        "1. Compare the volume. If it is too large, stop, close the cock and search for the leak.", "2. Open the vent."
    )
    assert ways(flow, "close the cock") == {"Open the vent."}


def test_models_under_a_check_are_variants_and_no_answers() -> None:
    flow = read(
        "1. Watch the voltage.",
        "   - PX-400: cancel the test if it falls below 420 V.",
        "   - LM-250: cancel the test if it falls below 400 V.",
        "2. Read the log.",
    )
    assert step(flow, "Watch the voltage").kind == "action"
    assert len(flow.alternatives) == 1


def test_a_jump_behind_an_act_that_sounds_like_one_is_found() -> None:
    flow = read(
        "1. Read the lamp. If it is not lit, switch OUTPUT to OFF and go to section 9.",
        "2. Wait for the crew.",
        "",
        "## 9 Faults",
        "",
        "1. Tag the unit.",
    )
    assert ways(flow, "switch OUTPUT") == {"Tag the unit."}


def test_otherwise_hands_over() -> None:
    flow = read(
        "1. Read the gauge. If it is above 17 mbar, continue. Otherwise call the supplier and hand over.",
        "2. Press RESET.",
    )
    assert step(flow, "call the supplier").kind == "end"
