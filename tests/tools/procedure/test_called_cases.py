"""Cases below a list of steps, where one of the steps orders to carry them out."""

import pytest

from soprag.tools.procedure.reader import read_procedure
from tests.tools.procedure.flow_ways import ways

_STEPS = ["1. Acknowledge the alarm.", "2. {}", "3. Call the shift lead.", "4. Fill in the log."]
_ROWS = [
    "| Alarm | Meaning | Action |",
    "|---|---|---|",
    "| A1 | Low flow | Open valve V-2. |",
    "| A2 | Leak | Close valve V-1; the work ends here. |",
    "| A3 | High temperature | Start the second fan. |",
]


def test_rows_that_a_step_calls_lead_back_behind_it() -> None:
    rows = [*(row.format("Carry out the actions of its row.") for row in _STEPS), "", *_ROWS]
    flow = read_procedure("# Alarms\n\n" + "\n".join(rows) + "\n")
    assert ways(flow, 4) == {"A1": 10, "A2": 11, "A3": 12}
    assert set(ways(flow, 10).values()) == set(ways(flow, 12).values()) == {5}
    assert set(ways(flow, 11).values()) == {"END"}
    assert set(ways(flow, 6).values()) == {"END"}


@pytest.mark.parametrize("order", ["Follow the card of that code.", "Take the actions given on the card."])
def test_cards_that_a_step_calls_lead_back_behind_it(order: str) -> None:
    rows = ["## Response", "", *(row.format(order) for row in _STEPS), ""]
    for at, (title, act) in enumerate([("Low flow", "Open it."), ("Leak", "Close it."), ("Heat", "Start the fan.")], 1):
        rows += [f"## P0{at} {title}", "", f"1. {act}", ""]
    flow = read_procedure("# Alarms\n\n" + "\n".join(rows) + "\n")
    assert set(ways(flow, 6).values()) == {12, 16, 20}
    assert [set(ways(flow, line).values()) for line in (12, 16, 20, 8)] == [{7}, {7}, {7}, {"END"}]


def test_rows_that_no_step_calls_are_entered_by_themselves() -> None:
    rows = [*(row.format("Note the time.") for row in _STEPS), "", "## Alarms", "", *_ROWS]
    flow = read_procedure("# Alarms\n\n" + "\n".join(rows) + "\n")
    assert set(ways(flow, 4).values()) == {5}
    assert set(ways(flow, 12).values()) == {"END"}
