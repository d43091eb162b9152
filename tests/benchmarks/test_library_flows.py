"""The example library is read at least as well as when its annotations were made."""

from pathlib import Path

import pytest

from soprag.benchmarks.quality.annotated_flows.library import measure_library
from soprag.tools.errors import UsageError

SOURCES = Path(__file__).parents[2] / "examples" / "sources"


def test_the_library_is_read_no_worse_than_it_was() -> None:
    kept, tuned = measure_library(SOURCES).origins
    assert (kept.documents, tuned.documents) == (5, 14)
    for one, edges, ends, silent in ((kept, 0.83, 0.77, 5.7), (tuned, 0.82, 0.66, 8.0)):
        assert (one.figures["edges by line"] or 0) >= edges
        assert (one.figures["ends by line"] or 0) >= ends
        assert (one.figures["silent wrong ways per 100"] or 0) <= silent


def test_other_texts_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not the text that was annotated"):
        measure_library(tmp_path)
