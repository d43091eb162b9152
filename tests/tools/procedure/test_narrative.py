"""Narrative documents: activities are told sentence by sentence, and the reader notices."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from soprag.apps.cli.flow import flow as command
from soprag.tools.procedure.nodes.narrative import tells_activity
from soprag.tools.procedure.reader import read_procedure

CLAIMS = (
    "# Claims\n\nThe customer sends a claim to the insurer. The clerk checks whether the claim is complete. If it is "
    "incomplete, the clerk asks the customer for the papers. Otherwise the claim is registered in the system. Then the "
    "expert estimates the damage. The manager approves the payment.\n"
)
MANUAL = "# Filter\n\n1. Open the lid.\n2. Lift the filter.\n3. Close the lid.\n\nThe filter holds back dust.\n"


def test_every_activity_of_a_narrative_is_a_step() -> None:
    read = read_procedure(CLAIMS)
    assert len(read.steps) == 6
    decision = next(step for step in read.steps if step.kind == "decision")
    assert len({edge.target for edge in read.edges if edge.source == decision.id}) == 2


def test_a_manual_with_lists_is_no_narrative() -> None:
    assert [step.label for step in read_procedure(MANUAL).steps] == ["1", "2", "3"]


def test_the_switch_overrides_the_shares() -> None:
    assert len(read_procedure(CLAIMS, narrative=False).steps) < len(read_procedure(CLAIMS, narrative=True).steps)


def test_the_command_takes_the_switch(tmp_path: Path) -> None:
    file = tmp_path / "claims.md"
    file.write_text(CLAIMS, encoding="utf-8")
    assert "in 6 steps" in CliRunner().invoke(command, ["check", str(file)]).output
    assert "in 6 steps" not in CliRunner().invoke(command, ["check", str(file), "--no-narrative"]).output


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The clerk checks the claim.", True),
        ("The claim is sent back to the customer.", True),
        ("The claim must be checked by the manager.", True),
        ("The claim is complete.", False),
        ("A claim consists of two pages.", False),
    ],
)
def test_activities_are_told_apart_from_states(text: str, told: bool) -> None:
    assert tells_activity(text) == told
