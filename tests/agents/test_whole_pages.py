"""A summary is written from whole procedures where they fit, and from the nearest lines of those that do not."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from soprag.agents.deepsearch.searcher import Assignment
from soprag.tools.research.records import Subtask
from tests.research import FakeWeb, make_study, subtask
from tests.scripting import scripted

LONG = "\n".join(f"- The office plant number {number} is watered every day\n" for number in range(60))
PAGES = {
    "https://a.test/causes": "# Causes\n\nPump bearings fail by poor lubrication.\n\nThe yard gate is painted red.\n",
    "https://b.test/more": f"# More\n\n{LONG}\n\nPump bearings fail by misalignment of the shaft.\n",
}


@pytest.mark.parametrize(("lines", "room", "whole"), [(200, 0, True), (20, 0, False), (200, 400, False)])
async def test_whole_procedures_are_shown_as_far_as_they_fit(
    tmp_path: Path, lines: int, room: int, whole: bool
) -> None:
    seen: list[Any] = []

    def summarise(ask: Any) -> dict[str, Any]:
        seen.append(ask)
        return {"claims": []}

    model = scripted({"plan_research": [{"subtasks": [subtask("a", "pump bearings")]}], "summarise_lines": summarise})
    study = make_study(tmp_path / "run", "Why do pump bearings fail?", FakeWeb(PAGES), llm=model, lines=lines)
    agent = dataclasses.replace(study.agents["web"], room=room)
    await agent.investigate(Assignment(Subtask(id="a", query="why pump bearings fail"), ""))
    texts = [line.text for line in seen[0].lines]
    assert any("lubrication" in text for text in texts) and "The yard gate is painted red." in texts
    assert (len(texts) > 50) is whole
    assert any("misalignment" in text for text in texts)
