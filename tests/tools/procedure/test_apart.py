"""What a condition over lines governs, and which sections and items are taken one instead of another."""

import pytest

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure


def ways(flow: ProcedureFlow) -> set[tuple[int, int | str]]:
    """The edges between lines as pairs of first lines; END stays as it is."""
    first = {step.id: step.lines[0] for step in flow.steps}
    found = {(first[edge.source], first.get(edge.target, edge.target)) for edge in flow.edges}
    return {(start, end) for start, end in found if start != end}


def read(*lines: str) -> set[tuple[int, int | str]]:
    return ways(read_procedure("\n".join(lines)))


def test_a_lead_in_inside_a_section_governs_the_list_below_it_only() -> None:
    text = ["# T", "1. Open a terminal.", "2. Send reboot.", "", "If that is not possible, reset the unit by hand:", ""]
    found = read(*text, "1. Find the unit.", "2. Press the button.", "", "Tell the lead.")
    assert found == {(2, 3), (3, 5), (5, 7), (5, 10), (7, 8), (8, 10), (10, "END")}


def test_a_lead_in_inside_an_item_governs_the_list_below_it() -> None:
    text = [
        "# T",
        "1. Check the state.",
        "",
        "   If it is in standby, enable it as follows:",
        "",
        "   1. Select State.",
    ]
    found = read(*text, "   2. Send the command.", "", "2. Move the rotator.")
    assert found >= {(4, 6), (4, 9), (6, 7), (7, 9)}


def test_sections_that_each_open_with_a_condition_are_taken_one_instead_of_another() -> None:
    text = ["# T", "## Diagnosis", "Check the log.", "## Mitigation", "### Configuration"]
    text += ["If a typo is found in the file, correct it.", "### Credentials"]
    text += ["If the password has expired, renew it.", "## Support", "If you cannot resolve it, call the desk."]
    assert read(*text) == {(3, 6), (6, 8), (6, 10), (8, 10), (10, "END")}


def test_a_section_without_a_condition_beside_such_sections_is_marked() -> None:
    text = ["# T", "### Data export", "If data is not needed, move it to a bucket.", "### Rebalance"]
    text += ["If the cluster supports it, add replicas.", "### Migrate", "1. Add a cluster.", "2. Copy the data."]
    flow = read_procedure("\n".join(text))
    assert (3, 7) in ways(flow) and (5, 7) not in ways(flow)
    assert any("its own is not said" in one.reason for one in flow.unresolved)


def test_a_task_and_the_one_that_undoes_it_are_two_procedures() -> None:
    text = ["# T", "## Applying the lock", "1. Close the valve.", "2. Hang the lock."]
    found = read(*text, "## Removing the lock", "1. Take the lock off.", "2. Open the valve.")
    assert (4, 6) not in found and (4, "END") in found


def test_a_section_that_only_a_condition_leads_to_is_passed_by_otherwise() -> None:
    text = ["# T", "## Using the script", "Run the script.", "", "If this fails, proceed to using the panel."]
    found = read(*text, "## Using the panel", "1. Press the button.", "2. Read the display.")
    assert {(5, 7), (5, "END")} <= found


def test_items_that_each_describe_a_state_are_cases() -> None:
    text = ["# T", "1. The pod is pending:", "   ```", "   describe pod", "   ```", "2. The volume is pending:"]
    found = read(*text, "   ```", "   describe volume", "   ```", "", "Then restart the operator.")
    assert {(3, 11), (7, 11)} <= found and (3, 7) not in found


def test_methods_of_which_all_may_be_used_follow_each_other() -> None:
    found = read("# T", "Use any or all of the following methods:", "", "* Check the log.", "* Check the events.")
    assert found == {(4, 5), (5, "END")}


def test_a_command_under_nothing_but_a_condition_is_an_act_that_may_not_apply() -> None:
    text = ["# T", "## Mitigation", "Check the log.", "", "If the issue persists:", "", "```", "delete pod", "```"]
    flow = read_procedure("\n".join(text))
    assert [step.only_if for step in flow.steps] == ["", "the issue persists"]


def test_numbered_names_of_things_belong_to_the_step_that_speaks_of_them() -> None:
    text = ["# T", "1. Find the two breakers shown in the figure.", "", "   1. DRV 1 - the azimuth motor."]
    flow = read_procedure("\n".join([*text, "   2. DRV 2 - the elevation motor.", "", "2. Switch them off."]))
    assert [step.lines for step in flow.steps] == [(2, 4, 5), (7,)]


@pytest.mark.parametrize("line", ["You can find a red light there.", "Note that in this case, the status is active."])
def test_what_can_be_seen_is_no_step(line: str) -> None:
    flow = read_procedure(f"# T\n\nPress the button.\n\n{line}\n\nOpen the door.\n")
    assert [step.lines[0] for step in flow.steps] == [3, 7]


@pytest.mark.parametrize(
    "line",
    [
        "Double-click the Telemetry tab.",
        "If it fails try again.",
        "If the node is lost, the alert can be silenced.",
        "If the data is safe, it may be best to purge the volume.",
        "- It is important you create a ticket.",
    ],
)
def test_acts_in_other_words_are_steps(line: str) -> None:
    flow = read_procedure(f"# T\n\nPress the button.\n\n{line}\n")
    assert [step.lines[0] for step in flow.steps] == [3, 5]


def test_the_words_below_the_label_of_a_warning_stay_with_it_inside_a_list() -> None:
    text = [
        "# T",
        "1. Move the rotator.",
        "",
        "> **WARNING:**",
        "",
        "The rotator must be at 0 degrees.",
        "",
        "2. Exit.",
    ]
    flow = read_procedure("\n".join(text))
    assert [warning.lines for warning in flow.warnings] == [(4, 6)]


def test_a_table_that_a_converter_left_as_html_is_read_like_any_other() -> None:
    rows = ["<table>", "<thead>", "<tr><th>#</th><th>Action</th></tr>", "</thead>", "<tbody>", "<tr>", "<td>1</td>"]
    rows += ["<td><strong>Open</strong> the valve.</td>", "</tr>", "<tr>", "<td>2</td>", "<td>If it is wet,"]
    rows += ["stop here and call the lead.</td>", "</tr>", "</tbody>", "</table>"]
    flow = read_procedure("\n".join(["# T", "", "## Steps", "", *rows, "", "Done.", ""]))
    assert [(step.lines[0], step.label) for step in flow.steps][:2] == [(12, "1"), (16, "2")]
    assert (12, 16) in ways(flow) and (16, "END") in ways(flow)


def test_the_step_before_a_section_that_may_be_another_way_is_marked() -> None:
    text = ["# T", "## Mitigation", "### Restart", "1. Restart the pod.", "### Scale up", "1. Add a node."]
    flow = read_procedure("\n".join([*text, "## Verification", "1. Look at the alert."]))
    assert [one.lines for one in flow.unresolved if "the next section" in one.reason] == [(4,)]
    assert {(4, 6), (6, 8)} <= ways(flow)
