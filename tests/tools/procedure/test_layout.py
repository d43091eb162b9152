"""What the layout of a text says: titles over lists, commands below a sentence, other ways, quotes that hold lists."""

import pytest

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.settling.control import END


def read(*lines: str, title: str = "Procedure") -> ProcedureFlow:
    return read_procedure(f"# A procedure\n\n## {title}\n\n" + "\n".join(lines) + "\n")


def ways(flow: ProcedureFlow, line: int) -> set[int | str]:
    """The first lines of the steps behind the step that begins on a line."""
    first = {step.id: step.lines[0] for step in flow.steps}
    return {first.get(edge.target, END) for edge in flow.edges if first[edge.source] == line}


def begins(flow: ProcedureFlow) -> list[int]:
    return [step.lines[0] for step in flow.steps]


@pytest.mark.parametrize(
    "told",
    [
        "If the alert fires, it might mean that the disk is slow.",
        "If the drain goes on failing, the controller logs a second message.",
        "If a script started the slew, you may see an error like this one.",
    ],
)
def test_what_happens_under_a_condition_is_no_step(told: str) -> None:
    flow = read("Restart the controller.", "", told, "", "Close the ticket.")
    assert begins(flow) == [5, 9]


def test_a_consequence_that_obliges_stays_a_step() -> None:
    flow = read("Restart the controller.", "", "If the lamp is red, the fuse needs a replacement.", "", "Sign.")
    assert begins(flow) == [5, 7, 9]


def test_the_purpose_of_a_command_below_it_is_a_step_with_or_without_a_colon() -> None:
    flow = read("To see all volumes, also the stale ones:", "", "```", "ls", "```", "", "To drop one", "", "    rm x")
    assert begins(flow) == [5, 11]
    assert ways(flow, 5) == {11}


def test_the_purpose_of_a_further_command_of_an_item_is_a_step() -> None:
    lines = (
        "1. Query the unit:",
        "",
        "       unit status",
        "",
        "   It tells whether it runs. To stop it, do:",
        "",
        "       off",
    )
    flow = read(*lines, "", "2. Close the terminal.")
    assert begins(flow) == [5, 9, 13]
    assert 11 in flow.steps[1].lines


def test_what_a_command_shows_is_looked_at_and_other_pages_are_referred_to() -> None:
    flow = read(
        "Look at the pods.", "", "See operator events.", "", "```", "$ oc get events", "```", "", "See the logs."
    )
    assert begins(flow) == [5, 7]


def test_a_check_at_the_end_keeps_its_words_beside_the_act_under_its_condition() -> None:
    flow = read("1. Once it has run, verify that the wheel is in place.", "    - If it is not, turn the wheel by hand.")
    assert [(step.lines[0], step.only_if) for step in flow.steps] == [(5, ""), (6, "If it is not")]


def test_acts_of_a_section_that_explains_are_a_way_of_their_own() -> None:
    flow = read_procedure(
        "# Alert\n\n## Meaning\n\nThe rate is high.\n\n### Defaults\n\nEdit the resource:\n\n    edit x\n\n"
        "## Mitigation\n\n1. Reduce the rate.\n"
    )
    assert ways(flow, 9) == {END}
    assert ways(flow, 15) == {END}
    first = next(step.id for step in flow.steps if step.lines[0] == 15)
    assert first in flow.entry


def test_another_way_stands_beside_the_step_before_it() -> None:
    lines = ("Open the log.", "", "Query the log from the notebook:", "", "    a", "")
    flow = read(*lines, "or from the console with:", "", "    b", "", "Send the result.")
    assert ways(flow, 5) == {7, 11}
    assert ways(flow, 7) == ways(flow, 11) == {15}


def test_another_way_may_be_a_list() -> None:
    flow = read("Run the script.", "", "Alternatively, use the panel:", "", "1. Press START.", "2. Turn the key.")
    assert len(flow.entry) == 2
    assert [ways(flow, line) for line in (5, 9, 10)] == [{END}, {10}, {END}]


def test_another_way_without_a_step_before_it_is_read_as_usual() -> None:
    assert begins(read("Alternatively, press START.", "", "Turn the key.")) == [5, 7]


def test_titles_over_lists_are_no_steps() -> None:
    flow = read(
        "1. **Communication**",
        "    - Announce the visit.",
        "2. **Doors**",
        "    - Lock the door.",
        "    - Keep the key.",
    )
    assert begins(flow) == [6, 8, 9]
    assert {line.role for line in flow.lines if line.n in (5, 7)} == {"heading"}


def test_an_item_that_names_the_purpose_of_its_list_is_a_title() -> None:
    flow = read("1. Open the tool.", "2. To move the arm:", "    1. Select an axis.", "    2. Press MOVE.")
    assert begins(flow) == [5, 7, 8]


def test_numbered_names_below_a_statement_are_no_steps() -> None:
    flow = read("Start the session.", "", "The following devices are there:", "", "1. `shutter`", "2. `optics`")
    assert begins(flow) == [5]


def test_for_each_is_no_case() -> None:
    flow = read(
        "1. For each pump, find its valve:", "    - open the plan", "2. For each valve, close it:", "    - turn"
    )
    assert not flow.alternatives


def test_a_list_in_a_quote_is_a_list() -> None:
    flow = read("-   Announce the work:", "", "    > -   Include the hour.", "    > -   Name the channel.")
    assert begins(flow)[-2:] == [7, 8]


def test_items_that_end_the_sentence_of_their_lead_in_belong_to_its_step() -> None:
    flow = read("1.  Run the search.", "", "    You can change it to:", "", "    -   Raise the range.", "2.  Stop.")
    assert begins(flow) == [5, 10]


def test_bullets_that_all_open_with_a_gerund_are_acts() -> None:
    flow = read("Causes and remedies:", "", "- Checking the logs", "- Scaling the pods", title="Mitigation")
    assert begins(flow) == [7, 8]
    assert begins(read("Signs:", "", "- Checking the logs", "- The pods are slow", title="Mitigation")) == []


def test_a_bold_line_titles_what_stands_below_it() -> None:
    flow = read("1. Repair the group.", "", "**Additional Resources:**", "", "- Gather the logs")
    assert begins(flow) == [5]
    assert ways(flow, 5) == {END}


def test_an_item_with_or_is_another_way_in_the_case_before_it() -> None:
    flow = read(
        "- If a webhook blocks the pod, delete the webhook.",
        "- If the volume is stuck, patch the volume.",
        "- Or, you can delete the volume.",
    )
    assert ways(flow, 5) >= {6, 7}
    assert ways(flow, 6) == ways(flow, 7) == {END}


def test_the_caption_of_a_figure_is_no_step() -> None:
    assert begins(read("1. Press START.", "", "Fig 1: Reset the panel", "", "2. Press STOP.")) == [5, 9]


def test_a_need_without_a_subject_is_an_act() -> None:
    assert begins(read("Need to increase the quota of the claim.", title="Mitigation")) == [5]


def test_a_command_that_opens_a_section_is_a_step() -> None:
    assert begins(read("```console", "$ oc get pods", "```", title="Query the pods")) == [5]
    assert begins(read("```yaml", "kind: Pod", "```", title="Query the pods")) == []


def test_the_label_of_a_command_in_an_item_begins_its_step() -> None:
    flow = read("Create a record.", "", "- For manual allocation:", "", "  ```", "  kind: Kubelet", "  ```")
    assert begins(flow)[-1] == 7
    assert {9, 10, 11} <= set(flow.steps[-1].lines)


def test_indented_sentences_are_items_and_indented_commands_are_code() -> None:
    assert begins(read("    Open the hutch door", "    Press Save (at the panel)", title="Align")) == [5, 6]
    flow = read("Type in the terminal:", "", "    Open the hutch=1", "    Press -v", title="Align")
    assert begins(flow) == [5]


def test_items_for_one_model_each_are_alternatives() -> None:
    flow = read(
        "1. Log in:",
        "    1. For *CamHexapod*, open the first panel.",
        "    2. For *M2Hexapod* while in the cabinet, open the second panel.",
        "2. Press RESET.",
    )
    assert ways(flow, 5) == {6, 7}
    assert ways(flow, 6) == ways(flow, 7) == {8}


def test_items_for_different_things_follow_each_other() -> None:
    flow = read("1. Log in:", "    - For safety, watch the hoses.", "    - For the log, note the hour.")
    assert ways(flow, 6) == {7}


def test_a_figure_between_nested_numbers_does_not_part_their_list() -> None:
    flow = read(
        "1. Log in:",
        "    1. For *CamHexapod*, open the first panel.",
        "",
        "        [figure: the first panel]",
        "",
        "    2. For *M2Hexapod*, open the second panel.",
        "",
        "2. Press RESET.",
    )
    assert ways(flow, 5) == {6, 10}
    assert ways(flow, 6) == ways(flow, 10) == {12}


def test_a_blank_to_fill_in_stays_as_it_is_written() -> None:
    flow = read_procedure("# A\n\n1. Read the supply voltage: _____V.\n2. Press __Start__.\n")
    assert [step.text for step in flow.steps] == ["Read the supply voltage: _____V.", "Press Start."]
