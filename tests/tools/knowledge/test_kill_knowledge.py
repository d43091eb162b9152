"""A killed writer leaves a whole graph."""

from pathlib import Path

from soprag.benchmarks.knowledge_kill import kill_often


def test_a_killed_writer_leaves_a_whole_graph_and_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    toll = kill_often(tmp_path, rounds=4)
    assert (toll.corrupt, toll.lost) == (0, 0)
    assert toll.operations > 0
