"""One parser for the tests that do not change its settings: starting its processes takes longest."""

from collections.abc import Iterator

import pytest

from soprag.configs.settings import ParsingSettings, load
from soprag.tools.parsing import Parser


@pytest.fixture(scope="session")
def settings() -> ParsingSettings:
    return load(options={"parsing": {"workers": 2}}, environment={}).parsing


@pytest.fixture(scope="session")
def parser(settings: ParsingSettings) -> Iterator[Parser]:
    with Parser(settings) as parser:
        yield parser
