"""How tests are run, and what tests of several folders start: a PostgreSQL server, once per process of the tests."""

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests import postgres


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are processors: many tests wait for processes and servers that they started."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end, so that the garbage collector need not look through it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_unconfigure() -> None:
    """What was collected may go, before the modules that its last words need have gone."""
    gc.unfreeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files whose tests may take longest come first, so that none of them is begun when all others have ended."""
    longest: dict[Path, float] = {}
    for item in items:
        mark = item.get_closest_marker("timeout")
        seconds = mark.args[0] if mark else float(item.config.getini("timeout"))
        longest[item.path] = max(longest.get(item.path, 0.0), seconds)
    items.sort(key=lambda item: -longest[item.path])


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server."""
    with postgres.running() as url:
        yield url
