"""A killed writer leaves a whole index, and two writers at once do not harm each other."""

from pathlib import Path

import pytest

from soprag.benchmarks.kill_index import kill_often


@pytest.mark.parametrize("writers", [1, 2])
def test_a_killed_writer_leaves_a_whole_index_and_loses_nothing_that_was_committed(
    tmp_path: Path, writers: int
) -> None:
    toll = kill_often(tmp_path, rounds=4, writers=writers)
    assert (toll.corrupt, toll.lost) == (0, 0)
    assert toll.operations > 0
