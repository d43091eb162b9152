"""Outcomes of a check: whether one of them always holds, where a prohibition leads, what a condition governs."""

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.settling.control import END
from tests.tools.procedure.flow_ways import ways


def read(*lines: str) -> ProcedureFlow:
    return read_procedure("# A procedure\n\n## Procedure\n\n" + "\n".join(lines) + "\n")


def test_faults_that_may_all_be_absent_leave_the_usual_way_open() -> None:
    flow = read(
        "1. Ask for the release. Check the brake lamp.",
        "   - If the brake lamp is still lit, ask the crew again.",
        "   - If the crew does not reply within 30 seconds, go to step 3.",
        "2. Push with even throttle.",
        "3. Set the brake.",
    )
    assert ways(flow, 5)["otherwise"] == 8


def test_values_between_two_bounds_leave_the_usual_way_open() -> None:
    low, high = "   - If it reads below 60 Pa, stop the unit.", "   - If it reads above 90 Pa, check the filter class."
    assert ways(read("1. Read the pressure.", low, high, "2. Close it."), 5)["otherwise"] == 8
    whole = high.replace("90", "60")
    assert "otherwise" not in ways(read("1. Read the pressure.", low, whole, "2. Close it."), 5)


def test_answers_of_a_few_words_leave_none() -> None:
    flow = read(
        "1. Run at 70 %. Listen and look at the sight glass.",
        "   - No bubbles: go to step 3.",
        "   - Foam: stop. Call the lead.",
        "2. Bleed the loop.",
        "3. Close it.",
    )
    assert ways(flow, 5) == {"No bubbles": 9, "Foam": 7}


def test_what_is_forbidden_and_handed_over_ends() -> None:
    flow = read(
        "1. Count the bags. Compare the number with the sheet.",
        "   - If the difference is 0, continue with step 2.",
        "   - If it is more than 3, do not close the hold. Tell load control.",
        "2. Close the hold.",
    )
    assert ways(flow, 7) == {"": END}
    single = read("1. Look at the floor. If it is wet, do not enter. Tell the lead.", "2. Enter.")
    assert ways(single, 5) == {"it is wet": END, "otherwise": 6}
    silent = read("1. Look at the floor. If it is wet, do not call the lead.", "2. Enter.")
    assert END not in ways(silent, 5).values()


def test_what_is_only_forbidden_is_in_doubt() -> None:
    flow = read(
        "1. Check the brake lamp.",
        "   - If the lamp is lit, do not push. Ask the crew again.",
        "   - If the lamp is off, go to step 3.",
        "2. Wait for the crew.",
        "3. Push.",
    )
    assert any(part.lines == (6,) and part.doubt for part in flow.unresolved)


def test_a_condition_over_an_item_governs_a_decision_in_it() -> None:
    flow = read(
        "1. Wait for the crew.",
        "2. If the pin breaks: stop and set the brake. Replace it. If it is bent, stop the push and call the lead; "
        "otherwise go back to step 1.",
        "3. Stop gently.",
    )
    governing = next(step.id for step in flow.steps if step.text.startswith("If the pin breaks"))
    passed = next(edge.target for edge in flow.edges if edge.source == governing and edge.when == "otherwise")
    assert next(step.lines[0] for step in flow.steps if step.id == passed) == 7


def test_values_of_two_things_are_looked_at_one_after_the_other() -> None:
    flow = read(
        "1. Compare the values.",
        "2. If only the pH is below 7.5, go to step 5.",
        "3. If only the inhibitor is below 500 mg/L, go to step 6.",
        "4. Sign.",
        "5. Dose the base.",
        "6. Dose the inhibitor.",
    )
    assert ways(flow, 6) == {"only the pH is below 7.5": 9, "otherwise": 7}


def test_sentences_for_a_range_each_are_answers() -> None:
    flow = read(
        "1. Take a slide.",
        "2. Below 100 cfu/mL: it is finished; replace the filter. From 100 to 1000 cfu/mL: dose once. "
        "Above 1000 cfu/mL: drain the loop.",
        "3. Close it.",
    )
    decision = next(step for step in flow.steps if step.kind == "decision")
    assert len({edge.target for edge in flow.edges if edge.source == decision.id}) == 3


def test_a_section_may_be_passed_by() -> None:
    flow = read_procedure(
        "# Belts\n\n## Belt replacement\n\nCarry out this section once a year, or if the alarm was raised. "
        'Otherwise continue with "Return to service".\n\n'
        "1. Loosen the bolts.\n\n## Return to service\n\n1. Remove all tools.\n"
    )
    assert ways(flow, 5) == {"the alarm was raised": 7, "Otherwise": 11}


def test_what_is_tried_again_goes_back_and_the_second_failure_is_an_outcome_of_the_same_test() -> None:
    flow = read(
        "1. Press ON. The lamp must be lit within 5 seconds.",
        "   - If it is not, press OFF and try once more.",
        "   - If it fails again, go to step 3.",
        "2. Wait for the crew.",
        "3. Tag the unit.",
    )
    assert set(ways(flow, 6).values()) == {5}
    assert ways(flow, 5) == {"If it is not": 6, "it fails again": 9, "otherwise": 8}


def test_an_act_that_tries_nothing_again_is_followed_by_its_own_outcome() -> None:
    flow = read(
        "1. Press ON. The lamp must be lit within 5 seconds.",
        "   - If it is not, press OFF and change the lamp.",
        "   - If it is still dark, go to step 3.",
        "2. Wait for the crew.",
        "3. Tag the unit.",
    )
    assert ways(flow, 6) == {"": 7}
    assert ways(flow, 7) == {"it is still dark": 9, "otherwise": 8}


def test_a_jump_to_a_table_of_codes_asks_which_code_it_is() -> None:
    flow = read_procedure(
        "# Unit\n\n## 1. Start\n\n1. Read the display. If it shows a fault code, go to section 2.\n2. Press TEST.\n\n"
        "## 2. Fault codes\n\n| Code | Meaning | Action |\n|---|---|---|\n"
        "| E03 | Cold | Move it to the heated hall |\n| E05 | Low | Take another unit |\n"
    )
    assert ways(flow, 5)["it shows a fault code"] == 10
    assert ways(flow, 10) == {"E03": 12, "E05": 13}


def test_without_is_a_condition_and_a_passive_forbids() -> None:
    flow = read("1. Ask for a certificate. Without the certificate, do not start.", "2. Agree a window.")
    assert ways(flow, 5) == {"Without the certificate": END, "otherwise": 6}
    log = read("1. Check the log. If the reading is missing, the vehicle may not be used.", "2. Flush the hose.")
    assert END in ways(log, 5).values()


def test_a_stop_under_a_condition_is_in_doubt() -> None:
    flow = read("1. Read the oil pressure. If it is too low, stop the engine.", "2. Switch to RATED SPEED.")
    assert any(part.lines == (5,) and part.doubt for part in flow.unresolved)


CHECKLIST = (
    "# Inspection\n\n## Checks\n\n{rule}\n\n| No. | Check | Accept | Reject |\n|---|---|---|---|\n"
    "| 1 | Look at the base plate | Flat | Bent |\n| 2 | Hang the green tag | - | - |\n\n"
    "## Rejected\n\nStep 1: Do not load it. Step 2: Fit the red tag.\n"
)


def test_a_checklist_of_accepted_and_rejected_decides_in_every_row() -> None:
    flow = read_procedure(CHECKLIST.format(rule='If any line is answered REJECT, stop and go to the sheet "Rejected".'))
    assert ways(flow, 9) == {"Flat": 10, "Bent": 14}
    assert ways(flow, 10) == {"": END}
    assert sum(step.lines[0] == 14 for step in flow.steps) == 2


def test_a_rejection_without_a_rule_is_unresolved() -> None:
    flow = read_procedure(CHECKLIST.format(rule="Do the checks in order."))
    assert ways(flow, 9) == {"Flat": 10}
    assert [part.when for part in flow.unresolved if part.lines == (9,)] == ["Bent"]
