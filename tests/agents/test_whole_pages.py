"""A summary is written from whole pages where they fit, and from the nearest lines where they do not."""

from pathlib import Path
from typing import Any

import pytest

from tests.research import FakeWeb, make_study, subtask
from tests.scripting import scripted

LONG = "\n".join(f"- The office plant number {number} is watered every day\n" for number in range(60))
PAGES = {
    "https://a.test/causes": "# Causes\n\nPump bearings fail by poor lubrication.\n\nThe yard gate is painted red.\n",
    "https://b.test/more": f"# More\n\nPump bearings fail by misalignment of the shaft.\n\n{LONG}",
}


@pytest.mark.parametrize(("room", "whole"), [(0, ()), (400, ("a",)), (10_000, ("a", "b"))])
async def test_as_many_whole_pages_as_fit_are_shown(tmp_path: Path, room: int, whole: tuple[str, ...]) -> None:
    import dataclasses

    from soprag.agents.deepsearch.searcher import Assignment
    from soprag.tools.research.records import Subtask

    seen: list[Any] = []

    def summarise(ask: Any) -> dict[str, Any]:
        seen.append(ask)
        return {"claims": []}

    model = scripted({"plan_research": [{"subtasks": [subtask("a", "pump bearings")]}], "summarise_lines": summarise})
    study = make_study(tmp_path / "run", "Why do pump bearings fail?", FakeWeb(PAGES), llm=model, lines=2)
    agent = dataclasses.replace(study.agents["web"], room=room)
    await agent.investigate(Assignment(Subtask(id="a", query="why pump bearings fail"), ""))
    texts = [line.text for line in seen[0].lines]
    assert any("lubrication" in text for text in texts)
    assert ("The yard gate is painted red." in texts) is ("a" in whole)
    assert (len(texts) > 50) is ("b" in whole)
    shown = seen[0].prompt_fields()["lines"]
    assert shown.count("# Causes") == 1
