"""What tests of several folders start: a PostgreSQL server, once per process of the tests."""

import os
from collections.abc import Iterator

import pytest

from tests import postgres


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are processors: many tests wait for processes and servers that they started."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server."""
    with postgres.running() as url:
        yield url
