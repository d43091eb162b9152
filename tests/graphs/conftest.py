"""The small plant, filled once."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps import compose, guiding
from configs.settings import Settings
from tests.graphs.plant import Plant, fill
from tools.retriever.index import Index


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return fill(tmp_path_factory.mktemp("plant"))


@pytest.fixture
def plant(filled: Settings, tmp_path: Path) -> Iterator[Plant]:
    index = Index.open(Path(filled.index.folder), compose.open_embedder(filled), filled.index, create=False)
    sessions = tmp_path / "sessions"
    yield Plant(filled, sessions, index, asyncio.run(guiding.open_desk(filled, index, sessions)))
    index.close()
