"""What a server process opens once: the index, or that of the example library, and the run folders."""

import asyncio
from pathlib import Path

import pytest

from soprag.apps.compose import served
from soprag.configs.settings import Settings
from soprag.tools.errors import UsageError
from tests.graphs.plant import fill


def test_without_an_index_a_server_works_on_the_example_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled = fill(tmp_path)
    missing: list[str] = []

    def choose(settings: Settings, on_notice: object, on_progress: object) -> Settings:
        missing.append(settings.index.folder)
        return filled

    monkeypatch.setenv("SOPRAG_INDEX__FOLDER", str(tmp_path / "none"))
    monkeypatch.setattr(served, "example_is_built", lambda settings: True)
    monkeypatch.setattr(served, "choose_index", choose)
    index = served.ServedIndex()
    context = asyncio.run(index.open())
    assert missing == [str(tmp_path / "none")]
    assert context.shelf.sop("pump").title == "Restart the coolant pump P-101"
    assert asyncio.run(index.open()) is context


def test_a_run_folder_that_is_none_is_named_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no run folder"):
        served.ServedBuilds().open(str(tmp_path))
    with pytest.raises(UsageError, match="is no run folder"):
        served.ServedResearch().open(str(tmp_path))


def test_a_source_that_is_no_folder_begins_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no folder"):
        served.ServedBuilds().start("Pumps", str(tmp_path / "none"), "offline")
