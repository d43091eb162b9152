"""The example library is read at least as well as when its annotations were made."""

from pathlib import Path

import pytest

from soprag.benchmarks.quality.annotated_flows.library import measure_library
from soprag.tools.errors import UsageError

SOURCES = Path(__file__).parents[2] / "examples" / "sources"


def test_the_library_is_read_no_worse_than_it_was() -> None:
    whole = measure_library(SOURCES).origins[-1]
    assert (whole.origin, whole.documents) == ("all", 20)
    assert (whole.figures["edges by line"] or 0) >= 0.84
    assert (whole.figures["ends by line"] or 0) >= 0.69
    assert (whole.figures["decisions right by line"] or 0) >= 0.57
    assert (whole.figures["silent wrong ways per 100"] or 0) <= 7.2


def test_other_texts_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not the text that was annotated"):
        measure_library(tmp_path)
