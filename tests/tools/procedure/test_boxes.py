"""Warnings by their labels and words, and what a program does by itself."""

import pytest

from soprag.tools.procedure.reader import read_procedure
from tests.tools.procedure.flow_ways import ways

_ACTS = "1. Stop the pump.\n2. Close the valve.\n"


def warned(markdown: str) -> list[tuple[int, ...]]:
    return [warning.lines for warning in read_procedure(markdown).warnings]


@pytest.mark.parametrize(
    "note",
    [
        "No sample may be left out.",
        "The conveyor has to be running before the first cut.",
        "The gate needs to be closed for this button to work.",
        "Removing the claim results in data loss.",
        "The size cannot be reduced later.",
    ],
)
def test_a_note_that_limits_obliges_or_tells_of_a_loss_is_a_warning(note: str) -> None:
    assert warned(f"# Work\n\n## Steps\n\n> **NOTE:** {note}\n\n{_ACTS}") == [(5,)]


@pytest.mark.parametrize("note", ["The pump is behind the door.", "The valve may be stiff.", "You can use either key."])
def test_a_note_that_tells_something_is_none(note: str) -> None:
    assert warned(f"# Work\n\n## Steps\n\n> **NOTE:** {note}\n\n{_ACTS}") == []


@pytest.mark.parametrize("label", ["Important", "**WARNING:**", "> **CAUTION**"])
def test_bullets_below_a_label_alone_are_its_words(label: str) -> None:
    flow = read_procedure(f"# Work\n\n## Steps\n\n{label}\n\n- Wear gloves.\n- The drum is hot.\n\n{_ACTS}")
    assert [warning.lines for warning in flow.warnings] == [(5, 7, 8)]
    assert [step.lines for step in flow.steps] == [(10,), (11,)]


def test_steps_below_a_label_alone_stay_steps() -> None:
    flow = read_procedure(f"# Work\n\n## Steps\n\n**WARNING:**\n\nThe drum is hot.\n\n{_ACTS}")
    assert [warning.lines for warning in flow.warnings] == [(5, 7)]
    assert [step.lines for step in flow.steps] == [(9,), (10,)]


def test_what_is_never_done_is_a_warning_among_the_bullets_of_a_purpose() -> None:
    scope = "- Covers halls 1 to 4.\n- Never restart a hall in one go.\n"
    assert warned(f"# Work\n\n## Purpose and scope\n\n{scope}\n## Steps\n\n{_ACTS}") == [(6,)]


def test_extreme_caution_and_prohibitions_in_italics_are_warnings() -> None:
    text = (
        "# Work\n\n## Steps\n\n1. Open the box.\n\n   **Execute this step with EXTREME CAUTION!**\n\n"
        "2. Take out the bag. *Never open a red bag.*\n"
    )
    assert warned(text) == [(7,), (9,)]


@pytest.mark.parametrize(
    "lead", ["This script performs:", "The script includes the following steps:", "The steps the script performs are:"]
)
def test_what_a_program_does_by_itself_is_not_done_by_hand(lead: str) -> None:
    listed = f"{lead}\n\n- Open the covers.\n- Turn the dome.\n"
    text = f"# Work\n\n## Steps\n\nRun the script `flat.py` from the queue.\n\n{listed}"
    assert [step.lines[0] for step in read_procedure(text).steps] == [5]


_SECTIONS = (
    "# Cleaning\n\n## 1 Rinse\n\n1. Open valve V1.\n2. {}\n3. Rinse for 5 minutes.\n\n"
    "## 2 Caustic circulation\n\n1. Start pump P1.\n2. {}\n3. Stop pump P1.\n"
)


def test_a_section_that_is_skipped_leads_behind_it() -> None:
    flow = read_procedure(_SECTIONS.format("If the tank was rinsed today, skip this section.", "Wait 10 minutes."))
    assert set(ways(flow, 6).values()) == {7, 11}


@pytest.mark.parametrize(
    "order", ["begin the rinse anew", "start the rinse again", "repeat the rinse from the beginning"]
)
def test_a_section_begun_anew_is_found_by_the_words_of_its_title(order: str) -> None:
    flow = read_procedure(_SECTIONS.format("Close the drain.", f"If the water is brown, {order}."))
    assert set(ways(flow, 12).values()) == {5, 13}
