"""Conditions as operators write them, and the ways they become."""

import pytest

from soprag.tools.procedure.choices import conditions, endings
from tests.tools.rules.reading import steps, views


def edges(body: str) -> list[tuple[int, int, str]]:
    return [(int(edge.source[1:]), int(edge.target[1:]), edge.condition) for edge in views(body).flow.edges]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("If it drips, call the lead.", ["it drips"]),
        ("Weigh the bag. If it weighs more than 2 kg, report it.", ["it weighs more than 2 kg"]),
        ("Refuel if it is under 1/4.", ["it is under 1/4"]),
        ("Replace the filter if necessary.", ["necessary"]),
        ("If it is amber, ease off; if it is red, stop.", ["it is amber", "it is red"]),
        (
            "If snow, rain or fog falls, or it is late, two-step must be used.",
            ["snow, rain or fog falls, or it is late"],
        ),
        ("The lamp must be lit. If it is not, do not open it.", ["it is not"]),
        ("Stop the pump, unless CH-2 is running.", ["unless CH-2 is running"]),
        ("When it is below 4 bar, top up. When it is above 6 bar, drain.", ["it is below 4 bar", "it is above 6 bar"]),
        ("Set it to 6.0 °C. If it was changed, set it back.", ["it was changed"]),
        ("Check if the pump runs.", []),
        ("Drain it. If the pump is off, the lamp is green.", []),
        ("Check that the pin, if used, is fitted.", []),
        ("When the pump has stopped, close the valve.", []),
    ],
)
def test_a_condition_is_what_governs_something_to_do(text: str, found: list[str]) -> None:
    assert conditions(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("If all is well, sign and stop here.", {"all is well"}),
        ("If it leaks, call the contractor. End of procedure.", {"it leaks"}),
        ("Log it. End of procedure.", {""}),
        ("Stop here and wait for the signal.", set()),
        ("If it shows NOT SYNCHRONISED, stop.", {"it shows NOT SYNCHRONISED"}),
        ("If one is lit, stop and call the Fire Safety Manager.", {"one is lit"}),
        ("If it is empty, abort the test and report it.", {"it is empty"}),
        ("If a filter is missing, stop the unit and repeat the section.", set()),
        ("If the surge lasts, press STOP and go to procedure 3.", set()),
        ("If it does not stop and call back, wait.", set()),
    ],
)
def test_a_procedure_may_end_under_a_condition(text: str, found: set[str]) -> None:
    assert endings(text) == found


def test_a_condition_over_one_step_leads_on_either_way() -> None:
    assert edges("1. If it drips, call the lead.\n2. Close.\n") == [(1, 2, "it drips"), (1, 2, "otherwise")]
    assert [step.kind for step in steps("1. If it drips, call the lead.\n2. Close.\n")] == ["decision", "action"]


def test_options_under_a_question_are_ways_of_the_question() -> None:
    body = "1. Is a unit stopped?\n   - Yes: start it.\n   - No: go to step 3.\n2. Wait.\n3. Close.\n"
    assert edges(body) == [(1, 2, "Yes"), (1, 3, "No"), (2, 4, ""), (3, 5, ""), (4, 5, "")]


def test_options_that_are_not_all_there_is_leave_a_way_past_them() -> None:
    body = "1. Measure it:\n   - Below 85 Pa: seat the filter.\n   - Above 120 Pa: replace it.\n2. Close.\n"
    assert [edge for edge in edges(body) if edge[0] == 1] == [
        (1, 2, "Below 85 Pa"),
        (1, 3, "Above 120 Pa"),
        (1, 4, "otherwise"),
    ]


@pytest.mark.parametrize("target", ["section 2", "section 2, case 1", '"Repair"', "the next section"])
def test_a_go_to_may_name_a_section(target: str) -> None:
    body = f"## 1. Check\n\n1. Look. If it leaks, go to {target}.\n2. Close.\n\n## 2. Repair\n\n1. Cut.\n2. Weld.\n"
    assert (1, 3, "it leaks") in edges(body)


def test_a_go_to_after_a_condition_stands_under_it() -> None:
    body = "1. If it is blocked, note it. Go to step 3.\n2. Open.\n3. Close.\n"
    assert [edge for edge in edges(body) if edge[0] == 1] == [(1, 3, "it is blocked"), (1, 2, "otherwise")]


def test_no_go_to_puts_a_step_out_of_reach() -> None:
    body = "1. Try it. After the third attempt go to step 3.\n2. Open. Then go to step 1.\n3. Close.\n4. End.\n"
    targets = {there for _, there, _ in edges(body)}
    assert {2, 3, 4} <= targets


def test_the_words_of_every_edge_are_those_of_the_sop() -> None:
    body = "1. Check. If the lamp is red, or blinks, go to step 3; otherwise wait.\n2. If not, stop.\n3. Close.\n"
    said = {condition for _, _, condition in edges(body)} - {"", "otherwise"}
    assert all(condition in body for condition in said)
