"""Places for an index: a folder, and a schema of a PostgreSQL server that the tests start."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests import postgres

Places = Callable[[str], str | Path]


@pytest.fixture(params=["sqlite", "postgres"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Places:
    """Gives the place of an index by a name, in both databases."""
    if request.param == "sqlite":
        return lambda name: tmp_path / name
    url = request.getfixturevalue("server")
    schemas: dict[str, str] = {}
    return lambda name: schemas.setdefault(name, postgres.new_schema(url))


@pytest.fixture
def place(places: Places) -> str | Path:
    """The place of one index, in both databases."""
    return places("index")
