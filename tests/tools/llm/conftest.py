"""The prompt of our own task beside the real ones, a key, and settings for the loopback server."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from soprag import prompts
from soprag.configs.settings import LlmSettings, load
from tests.tools.llm.valves import COUNT, KEY, PROMPT


@pytest.fixture(autouse=True)
def prompt_file(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The prompt of `COUNT`, beside the real ones."""
    real = prompts.load
    file = tmp_path_factory.mktemp("prompts") / "count-valves.md"
    file.write_text(PROMPT)
    monkeypatch.setattr(prompts, "load", lambda name: file.read_text() if name == COUNT.name else real(name))
    monkeypatch.setattr(prompts, "version", cache(prompts.version.__wrapped__))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    return file


@pytest.fixture
def llm_settings() -> Callable[..., LlmSettings]:
    """The default settings of the door, with some of them changed."""

    def changed(**changes: Any) -> LlmSettings:
        section = {"model": "openai:test-model", "timeout": 10.0, "first_wait": 0.02, **changes}
        return load(options={"llm": section}, environment={}).llm

    return changed
