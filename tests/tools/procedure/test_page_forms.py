"""Forms of pages that many hands write: tabs, boxes, run-in headings, collections of problems, checklists."""

import pytest

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure


def targets(flow: ProcedureFlow, words: str) -> set[str]:
    """The opening words of the steps that follow the step whose text begins with `words`."""
    texts = {step.id: " ".join(step.text.split()[:2]) for step in flow.steps} | {"END": "END"}
    source = next(step.id for step in flow.steps if step.text.startswith(words))
    return {texts[edge.target] for edge in flow.edges if edge.source == source}


def starts(flow: ProcedureFlow) -> list[str]:
    return [" ".join(step.text.split()[:2]) for step in flow.steps]


def test_tabs_are_ways_beside_each_other() -> None:
    text = (
        "# Restart\n\n1. Stop the pump.\n\n## Start\n\n"
        '=== "Model A"\n\n    1. Open the valve.\n    2. Press START.\n\n=== "Model B"\n\n    1. Turn the key.\n'
    )
    flow = read_procedure(text)
    assert targets(flow, "Stop the") == {"Open the", "Turn the"}
    assert targets(flow, "Press START") == {"END"}


@pytest.mark.parametrize(
    "box",
    [
        '!!! danger "Hot surface"\n    Wear gloves near the oven.',
        '<alert type="danger">Wear gloves near the oven.</alert>',
        "{{< warning >}}Wear gloves near the oven.{{< /warning >}}",
        "**IMPORTANT CAUTION #2:**\nWear gloves near the oven.",
    ],
)
def test_a_box_of_a_site_generator_is_a_warning(box: str) -> None:
    flow = read_procedure(f"# Bake\n\n{box}\n\n1. Open the oven.\n2. Take the tray out.\n")
    assert len(flow.warnings) == 1
    assert starts(flow) == ["Open the", "Take the"]


def test_a_box_with_a_numbered_list_holds_steps() -> None:
    flow = read_procedure('# Test\n\n!!! example "Short test"\n    1. Press TEST.\n    2. Read the lamp.\n')
    assert starts(flow) == ["Press TEST.", "Read the"]


def test_a_note_that_tells_what_may_happen_is_no_step() -> None:
    text = "# A\n\n1. Open the breaker.\n\n   **NOTE** If the pump runs, the lamp may stay on.\n\n2. Lock the panel.\n"
    assert starts(read_procedure(text)) == ["Open the", "Lock the"]


def test_a_caution_in_the_middle_of_an_item_is_a_warning_and_its_words_stay() -> None:
    flow = read_procedure("# A\n\n1. Open the valve, caution, acid may drip.\n2. Use caution on the stairs.\n")
    assert [warning.protects for warning in flow.warnings] == [("s1",)]
    assert "acid may drip" in flow.steps[0].text


@pytest.mark.parametrize("line", ["Issue: 3", "Rev. B", "Page 2 of 4"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_footer_is_no_part_of_the_last_step(line: str, gap: str) -> None:
    flow = read_procedure(f"# A\n\n1. Open the valve.\n2. Start the pump.{gap}{line}\n")
    assert [step.lines for step in flow.steps] == [(3,), (4,)]


def test_orders_before_the_first_heading_are_steps() -> None:
    flow = read_procedure("- Close the valve.\n- Call the lead.\n\n# Start\n\n1. Open the valve.\n2. Start it.\n")
    assert starts(flow)[:2] == ["Close the", "Call the"]


def test_numbering_that_begins_anew_under_a_caption_is_marked() -> None:
    text = (
        "# Filter\n\n**Simplex**\n\n1. Stop the pump.\n2. Swap it.\n\n**Duplex**\n\n1. Turn the lever.\n2. Swap it.\n"
    )
    assert any("begins anew" in part.reason and part.lines == (6,) for part in read_procedure(text).unresolved)


@pytest.mark.parametrize(("second", "marked"), [("Worker: wait for the node.", True), ("Load: open it.", False)])
def test_one_act_for_two_named_things_is_marked(second: str, marked: bool) -> None:
    flow = read_procedure(f"# A\n\n1. Master: wait for the answer.\n2. {second}\n3. Close the door.\n")
    assert any("one kind of thing" in part.reason for part in flow.unresolved) is marked


def test_sections_of_a_troubleshooting_page_are_entered_and_end_by_themselves() -> None:
    text = (
        "# Filter Troubleshooting\n\n## 1. High pressure\n\n- Backwash the filter.\n- Open the valves.\n\n"
        "## 2. Low pressure\n\n- Clean the basket.\n- Fill the pool.\n"
    )
    flow = read_procedure(text)
    assert targets(flow, "Open the") == {"END"}
    assert len(flow.alternatives) == 1


def test_bullets_that_state_problems_over_numbered_lists_are_cases() -> None:
    text = (
        "# Run\n\n1. Start the pump.\n\n## FAQ\n\n- **The pressure in the tank rises**\n\n  1. Open the vent.\n"
        "  2. Wait 5 minutes.\n\n- **The hose of the tank leaks**\n\n  1. Close the valve.\n  2. Call the lead.\n"
    )
    flow = read_procedure(text)
    assert targets(flow, "Start the") == {"END"}
    assert targets(flow, "Wait 5") == {"END"}


def test_emergencies_under_bold_names_end_by_themselves() -> None:
    text = (
        "# Flight\n\n## Emergency Procedures\n\n**Low battery:** Land at once.\n\n**Lost link:** Climb to 30 m.\n\n"
        "**Strong wind:** Turn back. Land near the car.\n"
    )
    flow = read_procedure(text)
    assert targets(flow, "Land at") == {"END"}
    assert len(flow.steps) == 3


def test_paragraphs_with_bold_headings_are_one_step_each() -> None:
    text = (
        "# Check\n\n**Check area.** Look for people.\n\n**Notify.** Call the tower.\n\n**Weather.** Wind below 5 m/s.\n"
    )
    assert [step.lines for step in read_procedure(text).steps] == [(3,), (5,), (7,)]


def test_rows_of_a_checklist_with_step_numbers_are_steps() -> None:
    text = (
        "# Relight\n\n| Step | Item | Action |\n|---|---|---|\n| 1 | Throttle | OFF |\n| 2 | If no light: Pump | ON |\n"
    )
    flow = read_procedure(text)
    assert [step.only_if for step in flow.steps] == ["", "no light"]


def test_sections_that_a_list_names_as_methods_are_ways() -> None:
    text = (
        "# Relight\n\nTwo methods are available:\n\n- Wind\n- Crank\n\n## Wind relight\n\n1. Dive.\n2. Press START.\n\n"
        "## Crank relight\n\n1. Turn the crank.\n2. Press START.\n\n## Report\n\n1. Call the tower.\n"
    )
    flow = read_procedure(text)
    assert [len(one.entries) for one in flow.alternatives] == [2]
    assert sum(edge.target == flow.steps[-1].id for edge in flow.edges) == 2


def test_three_sections_that_turn_a_thing_on_or_off_stand_alone() -> None:
    parts = ("Turn-On (Cold)", "Press A."), ("Turn-On (Warm)", "Press B."), ("Shut Down", "Press C.")
    flow = read_procedure("# Laser\n\n" + "".join(f"## {title}\n\n1. {act}\n2. Wait.\n\n" for title, act in parts))
    assert all(edge.target in {"END", "s2", "s4", "s6"} for edge in flow.edges)


def test_a_step_sends_to_the_numbered_item_of_its_case() -> None:
    text = (
        "# Code\n\nRead the code and go to the corresponding numbered item below.\n\n"
        "1. Code 1 means no link. Plug the cable in.\n2. Code 2 means no power. Call the electrician.\n"
    )
    assert len(targets(read_procedure(text), "Read the")) == 2


def test_items_that_or_joins_are_ways() -> None:
    flow = read_procedure("# A\n\n1. Stop it.\n2. Restore the backup; or\n3. Install it anew.\n4. Start it.\n")
    assert targets(flow, "Stop it") == {"Restore the", "Install it"}
    assert targets(flow, "Restore the") == {"Start it."}


def test_items_below_a_question_name_what_it_asks_for() -> None:
    flow = read_procedure("# A\n\n1. Determine which calls:\n   1. Read data\n   2. Created users\n2. Close it.\n")
    assert flow.steps[-1].text == "Close it."


def test_a_link_to_another_document_ends_the_procedure() -> None:
    text = "# A\n\n1. Open the valve.\n2. Start the pump.\n\n## Next step\n\nReturn to [the plan](plan.md) and go on.\n"
    assert starts(read_procedure(text)) == ["Open the", "Start the"]


def test_a_solved_problem_ends_the_procedure() -> None:
    flow = read_procedure("# A\n\n- Swap the cable. If it was fixed, order a new cable.\n- Swap the pump.\n")
    assert targets(flow, "order a") == {"END"}


def test_an_answer_acts_whatever_its_verb() -> None:
    flow = read_procedure("# A\n\n1. Check the battery. If yes, RTH. If no, land the drone.\n2. Call the lead.\n")
    assert targets(flow, "Check the") == {"RTH.", "land the"}


def test_a_lone_command_among_acts_is_an_act() -> None:
    flow = read_procedure("# A\n\n- Open a session\n- `rm -r /data/old`\n- Close the session\n")
    assert [step.lines for step in flow.steps] == [(3,), (4,), (5,)]


def test_an_act_that_is_done_again_is_marked() -> None:
    text = "# A\n\n1. Isolate it.\n2. Jog it. If the arrow is wrong, isolate again and swap wires.\n3. Start it.\n"
    assert any("does again" in part.reason for part in read_procedure(text).unresolved)


def test_a_numbered_item_that_only_foretells_is_marked() -> None:
    flow = read_procedure("# A\n\n1. Press START.\n2. The lamp will light after a second.\n3. Close the door.\n")
    assert [part.lines for part in flow.unresolved] == [(4,)]
