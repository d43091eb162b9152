"""A killed writer leaves a whole index, and writers and readers at once do not harm each other."""

from pathlib import Path

import pytest

from soprag.benchmarks.kill_index import Scene, kill_often


@pytest.mark.parametrize(("writers", "readers"), [(1, 0), (2, 0), pytest.param(2, 4, marks=pytest.mark.slow)])
def test_a_killed_writer_leaves_a_whole_index_and_loses_nothing_that_was_committed(
    place: str | Path, tmp_path: Path, writers: int, readers: int
) -> None:
    toll = kill_often(Scene(place, tmp_path, writers, readers), rounds=8 if readers else 3)
    assert (toll.corrupt, toll.lost, toll.astray) == (0, 0, 0)
    assert toll.operations > 0
    assert bool(toll.searches) == bool(readers)
