"""The texts of the repository are read at least as well as when their annotations were made."""

from pathlib import Path

import pytest

from soprag.benchmarks.quality.annotated_flows.own_texts import measure_own
from soprag.tools.errors import UsageError

REPOSITORY = Path(__file__).parents[2]


def test_the_repository_is_read_no_worse_than_it_was() -> None:
    origins = {one.origin: one for one in measure_own(REPOSITORY).origins}
    assert [origins[one].documents for one in ("all", "trades", "plain")] == [173, 112, 36]
    least = {
        "airline": (0.87, 0.80, 0.60), "building": (0.78, 0.58, 0.68), "trades": (0.72, 0.65, 0.31),
        "plain": (0.88, 0.85, 0.68),
    }  # fmt: skip
    for origin, (edges, ends, decisions) in least.items():
        figures = origins[origin].figures
        assert (figures["edges by line"] or 0) >= edges
        assert (figures["ends by line"] or 0) >= ends
        assert (figures["decisions right by line"] or 0) >= decisions
    assert (origins["all"].figures["silent wrong ways per 100"] or 0) <= 8.3


def test_other_texts_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not the text that was annotated"):
        measure_own(tmp_path)
