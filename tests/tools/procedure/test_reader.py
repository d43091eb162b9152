"""What the reader of procedures makes of the forms that procedures are written in."""

import pytest

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure


def ways(flow: ProcedureFlow) -> dict[str, dict[str, str]]:
    """Opening words of a step -> opening words of each step it leads to (or END) -> condition."""
    names = {step.id: " ".join(step.text.split()[:2]) for step in flow.steps} | {"END": "END"}
    found: dict[str, dict[str, str]] = {name: {} for name in names.values() if name != "END"}
    for edge in flow.edges:
        found[names[edge.source]][names[edge.target]] = edge.when
    return found


def kinds(flow: ProcedureFlow) -> list[str]:
    return [step.kind for step in flow.steps]


def test_numbered_items_follow_each_other() -> None:
    flow = read_procedure("# Fill\n\n1. Open V-1.\n2. Wait 5 minutes.\n3. Close V-1.\n")
    assert kinds(flow) == ["action", "wait", "action"]
    assert ways(flow) == {"Open V-1.": {"Wait 5": ""}, "Wait 5": {"Close V-1.": ""}, "Close V-1.": {"END": ""}}


def test_a_stop_after_a_check_ends_the_procedure_on_that_answer_only() -> None:
    text = "# A\n\n1. Check that the pump delivers 400 L/min. If it does not, stop here.\n2. Set the pump to OFF.\n"
    flow = read_procedure(text)
    assert ways(flow)["Check that"] == {"END": "If it does not", "Set the": "otherwise"}


def test_an_act_before_a_stop_is_the_last_act() -> None:
    flow = read_procedure("# A\n\n1. Read the gauge. If it is above 5 bar, close V-1 and stop.\n2. Open V-2.\n")
    assert kinds(flow) == ["decision", "end", "action"]
    assert ways(flow)["close V-1"] == {"END": ""}


def test_one_act_under_a_condition_is_an_act_that_may_not_apply() -> None:
    flow = read_procedure("# A\n\n1. Close the door.\n2. If the lamp is red, press RESET.\n3. Start the fan.\n")
    assert flow.steps[1].only_if == "the lamp is red"
    assert ways(flow)["press RESET."] == {"Start the": ""}


def test_bullets_under_a_check_are_its_outcomes() -> None:
    text = """# A

1. Read the code.
   - E1: go to step 3.
   - E2: stop and call the electrician.
   - Any other code: continue.
2. Press RESET.
3. Start the pump.
"""
    found = ways(read_procedure(text))
    assert set(found["Read the"]) == {"Start the", "stop and", "Press RESET."}
    assert found["stop and"] == {"END": ""}


def test_a_loop_goes_back_to_the_step_it_names() -> None:
    text = "# A\n\n1. Dry the rope.\n2. Press RESET.\n3. If the alarm stays, go back to step 1.\n4. Close the box.\n"
    assert "Dry the" in ways(read_procedure(text))["If the"]


def test_skipped_lines_are_passed_by() -> None:
    text = "# A\n\n1. Read the plate. If it says N2, skip steps 2 and 3.\n2. Purge.\n3. Vent the line.\n4. Open V-4.\n"
    assert set(ways(read_procedure(text))["Read the"]) == {"Open V-4.", "Purge."}


def test_a_jump_to_a_section_leads_to_its_first_step() -> None:
    text = """# A

## Test

1. Read the level. If it is below 20 %, go to "Refill".
2. Note the level.

## Refill

1. Open the tap.
"""
    assert "Open the" in ways(read_procedure(text))["Read the"]


def test_a_link_to_a_heading_is_a_jump() -> None:
    text = """# A

## Check the pods

Check the pods of the operator.

## Mitigation

### If all pods are down

Restart the operator.

### If all pods are running

Follow the steps above: [Check the pods](#check-the-pods)
"""
    found = ways(read_procedure(text))
    assert "Check the" in next(value for name, value in found.items() if name.startswith("If all"))


def test_sections_for_one_case_each_are_alternatives() -> None:
    cases = "### Case 1: valve\n\n1. Open V-1.\n\n### Case 2: pump\n\n1. Stop P-1.\n\n"
    text = f"# A\n\n## Repair\n\n{cases}## Close out\n\n1. Sign.\n"
    flow = read_procedure(text)
    assert [len(one.entries) for one in flow.alternatives] == [2]
    assert ways(flow)["Open V-1."] == {"Sign.": ""}
    assert ways(flow)["Stop P-1."] == {"Sign.": ""}


def test_variants_in_one_item_are_not_chained() -> None:
    text = "# A\n\n1. Stop the fan.\n2. Hall DH3: open QS1. Hall DH4: open QS2.\n3. Open the door.\n"
    found = ways(read_procedure(text))
    assert set(found["Stop the"].values()) == {"Hall DH3", "Hall DH4"}
    assert all(found[name] == {"Open the": ""} for name in found if name.startswith("Hall"))


def test_every_alarm_of_a_table_is_entered_and_ends_by_itself() -> None:
    text = """# A

| Alarm | Cause | Action |
|---|---|---|
| F-01 | dirt | 1. Clean the rope. 2. Press RESET. |
| F-02 | fuse | Replace the fuse. |
"""
    flow = read_procedure(text)
    assert [one.entries for one in flow.alternatives] == [("s1", "s3")]
    assert ways(flow) == {"Clean the": {"Press RESET.": ""}, "Press RESET.": {"END": ""}, "Replace the": {"END": ""}}


def test_what_a_jump_names_and_is_not_there_is_unresolved_and_not_guessed() -> None:
    flow = read_procedure("# A\n\n1. Read the level. If it is low, go to step 9.\n2. Close V-1.\n")
    assert [(one.lines, one.reason) for one in flow.unresolved] == [((3,), "go to step 9")]
    assert "Close V-1." in ways(flow)["Read the"]


@pytest.mark.parametrize(
    "box",
    [
        "> **WARNING:** Hot surface. Do not touch it.",
        "**Caution** nasty fumes.",
        '<div class="warning">\n\nHot surface.\n\n</div>',
        "> **DANGER:**\n\nThe line is under voltage.",
        "- Never open the hatch while the fan runs.",
    ],
)
def test_a_warning_in_any_form_is_found(box: str) -> None:
    flow = read_procedure(f"# A\n\n{box}\n\n1. Open the hatch.\n")
    assert len(flow.warnings) == 1
    assert len(flow.steps) == 1


def test_a_warning_in_a_cell_is_not_part_of_the_act() -> None:
    row = "| 1 | Start the purge. WARNING: hands off the line. |"
    text = f"# A\n\n| No. | Action |\n|---|---|\n{row}\n| 2 | Close V-1. |\n"
    flow = read_procedure(text)
    assert flow.steps[0].text == "Start the purge."
    assert flow.warnings[0].protects == ("s1",)


@pytest.mark.parametrize(
    ("first", "second", "marked"),
    [
        ("Simplex strainer: close V1.", "Duplex strainer: turn the lever.", True),
        ("On master nodes, stop the service.", "On worker nodes, drain the node.", True),
        ("First floor: close V1.", "Second floor: close V2.", False),
        ("Stop the pump: press OFF.", "Start the pump: press ON.", False),
    ],
)
def test_acts_for_one_kind_each_in_a_row_are_marked(first: str, second: str, marked: bool) -> None:
    flow = read_procedure(f"# A\n\n1. Read the log.\n2. {first}\n3. {second}\n4. Sign.\n")
    assert any(part.reason.startswith("is for one kind") for part in flow.unresolved) is marked


def test_an_item_beside_acts_is_an_act_by_its_form() -> None:
    acts = ["Thaw the cells on ice.", "Preheat SOC medium in a bath.", "Heat-pulse each tube for 20 s.", "Add water."]
    told = ["Freeze in liquid nitrogen.", "Stocks are kept in a box.", "Colonies in the dish may appear."]
    listed = "\n".join(f"- {item}" for item in [*acts, *told])
    flow = read_procedure(f"# A\n\n## Procedure\n\n{listed}\n")
    assert [step.text for step in flow.steps] == [*acts, told[0]]


def test_a_heading_without_a_space_is_a_heading_and_no_line_of_code() -> None:
    flow = read_procedure("# A\n\n##Procedure\n\n1. Open V1:\n\n```\n##not one\n```\n\n2. Close V1.\n")
    roles = {line.n: line.role for line in flow.lines}
    assert roles[3] == "heading" and roles[8] != "heading" and len(flow.steps) == 2


@pytest.mark.parametrize(("cell", "warnings"), [("**WARNING:** hot for 10 minutes", 1), ("WARNING", 0), ("normal", 0)])
def test_a_warning_in_a_table_of_data_is_found(cell: str, warnings: int) -> None:
    table = f"| Value | Limit |\n|---|---|\n| Voltage | 24 V |\n| {cell} | |\n"
    assert len(read_procedure(f"# A\n\n1. Open the lid.\n\n{table}\n2. Close it.\n").warnings) == warnings


def test_a_warning_protects_the_step_that_follows_it() -> None:
    flow = read_procedure(
        "# A\n\n1. Stop.\n2. Wait 5 minutes.\n\n> **WARNING:** Live parts.\n\n3. Open the box.\n4. Close it.\n"
    )
    opened = next(step for step in flow.steps if step.text.startswith("Open"))
    assert flow.warnings[0].protects == (opened.id,)


def test_a_negated_limit_keeps_its_direction_and_its_step() -> None:
    flow = read_procedure("# A\n\n1. Start the pump. The flow must not dip below 380 L/min.\n2. Sign.\n")
    (found,) = flow.ranges
    assert (found.low, found.high, found.unit, found.negated, found.step) == (380, None, "L/min", True, "s1")


def test_headings_owners_and_revision_tables_are_no_steps() -> None:
    text = """# A

**Owner:** Mechanical Lead | **Rev.** 3

## 5.2 Isolate the pump

1. Close V-1.

## Revisions

| Rev | Date | Change |
|---|---|---|
| 1 | 2020-08-01 | New units |
"""
    assert [step.text for step in read_procedure(text).steps] == ["Close V-1."]


def test_a_paragraph_of_acts_is_cut_into_its_sentences() -> None:
    text = "# A\n\n## Steps\n\nFirst tell the control room. Put on the gloves. Then stop the fan at the isolator.\n"
    assert len(read_procedure(text).steps) == 3


def test_a_decision_leads_to_more_than_one_step() -> None:
    text = "# A\n\n1. Check the lamp. If it is red, go to step 2.\n2. Press RESET.\n"
    assert "decision" not in kinds(read_procedure(text))


def test_composite_numbers_are_labels_that_jumps_find() -> None:
    text = "# A\n\n5.1 Check the lamp. If it is dark, go to 5.3.\n\n5.2 Press the brake.\n\n5.3 Call the company.\n"
    assert set(ways(read_procedure(text))["Check the"]) == {"Call the", "Press the"}


def test_otherwise_in_the_next_item_answers_the_condition_before_it() -> None:
    text = "# A\n\n1. Read the level.\n2. If it is low, open V-1.\n3. Otherwise stop and call the lead.\n4. Sign.\n"
    found = ways(read_procedure(text))
    assert set(found["Read the"]) == {"open V-1.", "stop and"}
    assert found["open V-1."] == {"Sign.": ""}


def test_columns_for_yes_and_no_are_outcomes() -> None:
    text = """# A

| No. | Action | If yes | If no |
|---|---|---|---|
| 5 | Loosen the cover. Does liquid come out? | Tighten it and go back to 5 | Go to 6 |
| 6 | Lift the basket out. | - | - |
"""
    found = ways(read_procedure(text))
    assert found["Does liquid"] == {"Tighten it": "yes", "Lift the": "no"}
    assert set(found["Tighten it"]) == {"Loosen the"}


def test_rows_for_one_variant_each_are_alternatives() -> None:
    text = """# A

| No. | Strainer | Action |
|---|---|---|
| 1 | both | Read the pressure. |
| 2 | duplex | Swing the lever. |
| 3 | simplex | Close valve A. |
| 4 | both | Open the vent. |
"""
    found = ways(read_procedure(text))
    assert found["Read the"] == {"Swing the": "duplex", "Close valve": "simplex"}
    assert found["Swing the"] == {"Open the": ""}


def test_an_escalation_section_is_entered_by_its_jump_only() -> None:
    text = """# A

## Response

1. Read the level. If it is above 5 m, go to "Escalation".
2. Sign the log.

## Escalation

1. Call the manager.
"""
    found = ways(read_procedure(text))
    assert found["Sign the"] == {"END": ""}
    assert "Call the" in found["Read the"]


def test_a_lead_in_with_a_condition_decides_about_the_list_below_it() -> None:
    lead = "If the label is var, remove unused images to resolve the issue:"
    text = f"# A\n\n## Fix\n\n{lead}\n\n1. Open a shell.\n2. Prune them.\n"
    flow = read_procedure(text)
    assert flow.steps[0].kind == "decision"
    assert {edge.target for edge in flow.edges if edge.source == flow.steps[0].id} == {flow.steps[1].id, "END"}


def test_a_remedy_after_a_failed_one_follows_it_and_is_no_other_answer() -> None:
    text = """# A

1. Reboot the host.
2. If the reboot does not work, restart the container.
3. If neither of the previous steps were successful, contact support.
4. Sign.
"""
    flow = read_procedure(text)
    assert [step.only_if != "" for step in flow.steps] == [False, True, True, False]


def test_bullets_with_titles_are_acts_one_after_the_other() -> None:
    text = "# A\n\n## Fix\n\n- Storage: replace the disk.\n- Network: restart the switch.\n"
    found = ways(read_procedure(text))
    assert next(iter(found.values())) == {"Network: restart": ""}
