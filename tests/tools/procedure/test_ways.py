"""What conditions govern, where ways part and rejoin, and what belongs to an item."""

import pytest

from soprag.tools.procedure.control import END
from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureStep
from soprag.tools.procedure.reader import read_procedure


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
    assert not flow.unresolved


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
