"""Where ways part on lines that other hands write: announced cases, labelled cases, brackets, steps left out."""

import pytest

from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.settling.control import END
from tests.tools.procedure.test_ways import read, step, ways


def test_the_line_that_announces_cases_is_their_decision() -> None:
    flow = read(
        "Read the log.",
        "",
        "If the log shows an error, treat the cause:",
        "",
        "- If the rule is ours, correct it.",
        "- If the rule is not ours, open a case.",
        "",
        "Then close the ticket.",
    )
    assert [one.kind for one in flow.steps] == ["action", "decision", "action", "action", "action"]
    assert ways(flow, "the log shows") == {"correct it.", "open a case.", "Then close the ticket."}


def test_numbered_cases_behind_a_colon_are_one_decision() -> None:
    flow = read("1. If OutOfMemory: Raise the limit.", "2. If CrashLoop: Check the settings.", "3. Restart the pod.")
    assert ways(flow, "OutOfMemory") == {"Raise the limit.", "Check the settings."}
    assert ways(flow, "Raise the limit") == {"Restart the pod."}


def test_a_list_below_an_act_under_a_condition_is_passed_by_with_it() -> None:
    flow = read(
        "1. Expand the disk if the class allows it:", "   1. Set the size.", "   2. Restart it.", "2. Check the disk."
    )
    assert ways(flow, "Expand the disk") == {"Set the size.", "Check the disk."}


@pytest.mark.parametrize(
    "words", ["This step can be skipped if the setting is 1 already.", "Skip this step if the setting is 1 already."]
)
def test_a_step_that_may_be_left_out_takes_its_list_along(words: str) -> None:
    flow = read("1. Reset the node.", "", f"   {words}", "", "   1. Make a token.", "2. Check the lamp.")
    assert ways(flow, "If unless the setting is 1 already") == {"Reset the node.", "Check the lamp."}


def test_a_condition_in_brackets_is_a_clause() -> None:
    flow = read(
        "1. Close the valve.", "2. Start it (if it stalls, go to step 4).", "3. Run it.", "4. Call the lead.", "5. End."
    )
    assert ways(flow, "Start it") | ways(flow, "it stalls") >= {"Run it.", "Call the lead."}


def test_going_on_under_a_condition_alone_is_listed() -> None:
    flow = read("1. Check the oil.", "", "   If it is clear, proceed to the next step.", "2. Start the pump.")
    assert [part.reason for part in flow.unresolved] == ["says when to go on, and not what to do otherwise"]


def test_a_section_that_calls_itself_a_step_is_a_target() -> None:
    flow = read_procedure(
        "# Mounts\n\n## Step 1: Look\n\nRun the check. If it fails, proceed to Step 2.\n\nSign the log.\n\n"
        "## Step 2: Mount\n\nRun the mount.\n"
    )
    assert "Run the mount." in {
        next(one.text for one in flow.steps if one.id == edge.target)
        for edge in flow.edges
        if edge.when and edge.target != END
    }


def test_repeating_the_steps_goes_on_behind_them() -> None:
    flow = read("1. Open the panel.", "2. Press STOP.", "3. Repeat the steps for the other unit.", "4. Close it.")
    assert ways(flow, "Repeat the steps") == {"Open the panel.", "Close it."}


def test_a_lead_in_to_a_command_is_a_step() -> None:
    flow = read("From a notebook:", "", "```", "import log", "```", "", "Close the notebook.")
    assert [one.text for one in flow.steps] == ["From a notebook:", "Close the notebook."]


def test_sections_that_a_page_collects_do_not_follow_one_another() -> None:
    flow = read_procedure("# Known issues\n\n## Slow query\n\nRestart the node.\n\n## Full disk\n\nClear the cache.\n")
    assert {edge.target for edge in flow.edges} == {END}
    assert len(flow.entry) == len(flow.steps) == 2


def test_sections_that_are_named_by_their_alerts_are_cards() -> None:
    flow = read_procedure("# Alerts\n\n## PodNotReady\n\nRestart it.\n\n## `disk_full`\n\nClear the cache.\n")
    assert {edge.target for edge in flow.edges} == {END}


def test_an_alert_that_can_be_ignored_ends_the_procedure() -> None:
    flow = read("1. Look at the pod. If it is a test pod, this alert can be ignored.", "2. Restart the pod.")
    assert ways(flow, "Look at the pod") == {END, "Restart the pod."}
    assert step(flow, "Look").kind == "decision"
