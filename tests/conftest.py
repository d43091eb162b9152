"""What tests of several folders start: a PostgreSQL server, once per process of the tests."""

from collections.abc import Iterator

import pytest

from tests import postgres


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server."""
    with postgres.running() as url:
        yield url
