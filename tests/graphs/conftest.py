"""The small plant, filled once."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from soprag.apps.compose import guided_run, services
from soprag.configs.settings import Settings
from soprag.tools.retriever.index.index import Index
from tests.graphs.plant import Plant, fill


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return fill(tmp_path_factory.mktemp("plant"))


@pytest.fixture
def plant(filled: Settings, tmp_path: Path) -> Iterator[Plant]:
    index = Index.open(Path(filled.index.folder), services.open_embedder(filled), filled.index, create=False)
    sessions = tmp_path / "sessions"
    yield Plant(filled, sessions, index, asyncio.run(guided_run.open_guide(filled, index, sessions)))
    index.close()
