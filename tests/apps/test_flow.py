"""`soprag flow export` and `soprag flow check` as they are called."""

import json
from pathlib import Path

from click.testing import CliRunner

from soprag.apps.cli.main import soprag

TEXT = "# A\n\n1. Check the lamp. If it is red, stop here.\n2. Open V-1 until the pressure is below 2 bar.\n"


def test_the_gold_form_holds_steps_edges_and_ranges(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(TEXT, encoding="utf-8")
    done = CliRunner().invoke(soprag, ["flow", "export", str(file), "--form", "gold"])
    data = json.loads(done.output)
    assert {edge["to"] for edge in data["edges"] if edge["from"] == "s1"} == {"END", "s2"}
    assert [(one["high"], one["unit"], one["inclusive"]) for one in data["ranges"]] == [(2.0, "bar", False)]


def test_the_check_draws_the_procedure(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(TEXT, encoding="utf-8")
    done = CliRunner().invoke(soprag, ["flow", "check", str(file)])
    assert done.exit_code == 0
    assert "-> end: it is red" in done.output
