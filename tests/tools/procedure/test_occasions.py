"""Sections that each say when they apply, and commands that stand under a label alone."""

from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.procedure.reader import read_procedure

ALARMS = """# Alarm response

## Level

### High level

**Possible causes:**
- Outlet pump failure

**Response:**

1. Check the outlet pump.
2. Open the outlet valve.

### Low level

**Possible causes:**
- Leak

**Response:**

1. Look for leaks.

### Level beyond the trip point

**Response:**

1. Acknowledge the trip.

## Pressure

### High pressure

**Cause:** blocked filter

1. Reduce the pump speed.

### Low pressure

**Cause:** air in the suction line

1. Vent the pump.

## System

### Disk full

1. Archive old data.

### Processor busy

1. Stop the export.
"""
PHASES = """# Start the unit

## Electrical

**Tools:** meter

1. Close the breaker.

## Hydraulic

**Tools:** wrench

1. Open the valve.
"""
COMMANDS = """# Controller does not start

**Symptoms:**

```
status: failed
```

**Diagnosis:**

```bash
journalctl -u controller
```

**Fix:**

```bash
systemctl restart controller
```
"""


def after(flow: ProcedureFlow, words: str) -> set[str]:
    """The texts of the steps that follow the step with these words; END for none."""
    texts = {step.id: step.text for step in flow.steps} | {"END": "END"}
    source = next(step.id for step in flow.steps if words in step.text)
    return {texts[edge.target] for edge in flow.edges if edge.source == source}


def test_sections_with_causes_of_their_own_are_cards_of_which_none_leads_to_the_next() -> None:
    flow = read_procedure(ALARMS)
    assert after(flow, "Open the outlet valve") == {"END"}
    assert after(flow, "Look for leaks") == {"END"}
    assert after(flow, "Reduce the pump speed") == {"END"}


def test_a_neighbour_without_causes_is_a_card_too() -> None:
    assert after(read_procedure(ALARMS), "Acknowledge the trip") == {"END"}


def test_sections_beside_sections_of_cards_hold_cards() -> None:
    flow = read_procedure(ALARMS)
    assert after(flow, "Archive old data") == {"END"}
    assert {point.situation for point in flow.entry_points} >= {"High level", "Low pressure", "Disk full"}
    assert sorted(len(fork.entries) for fork in flow.alternatives) == [2, 2, 3]


def test_phases_with_tools_of_their_own_follow_each_other() -> None:
    assert after(read_procedure(PHASES), "Close the breaker") == {"Open the valve."}


def test_a_command_under_a_label_is_a_step_and_a_symptom_is_none() -> None:
    flow = read_procedure(COMMANDS)
    assert [step.text for step in flow.steps] == ["journalctl -u controller", "systemctl restart controller"]


def test_nobody_else_is_no_otherwise() -> None:
    text = "# A\n\n1. If someone else is there, leave. If you cannot reach the lead, call the guard.\n2. Close V-1.\n"
    assert "Close V-1." in {step.text for step in read_procedure(text).steps}
    assert not [one for one in read_procedure(text).unresolved if one.reason == "no way leads here"]


def test_a_typographic_apostrophe_forbids_as_a_plain_one_does() -> None:
    flow = read_procedure("# A\n\n- Open V-1.\n- Don’t touch the pipe.\n")
    assert [warning.text for warning in flow.warnings] == ["Don't touch the pipe."]


def test_what_is_worn_in_case_of_a_spill_is_worn_always() -> None:
    flow = read_procedure("# A\n\n1. Wear gloves in case of a spill.\n2. Press STOP in case of fire.\n")
    assert [step.only_if for step in flow.steps] == ["", "in case of fire"]


def test_leave_to_abort_is_no_stop() -> None:
    flow = read_procedure("# A\n\n1. If the level is low, you may abort the run.\n2. Close V-1.\n")
    assert after(flow, "you may abort") == {"Close V-1."}
