"""Limits in free wording, of another hand than the generator's: which values a step accepts and which decide a way."""

import json
from pathlib import Path
from typing import Any

import pytest

from soprag.tools.procedure.comparisons import comparison
from soprag.tools.procedure.ranges import find_ranges
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.reading_range import demands
from soprag.tools.sop import StatedRange
from soprag.tools.units.quantity import Quantity
from soprag.tools.units.reading import convert as converted

FILE = Path(__file__).parents[2] / "data" / "stated_ranges.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
READ = [row for row in ROWS if not row.get("missed")]
FRAME = "# Check\n\n1. {text}\n2. Tell the lead.\n"
TABLE = "# Check\n\n1. Record the readings and compare them with the limits:\n\n{text}\n\n2. Tell the lead.\n"


def bounds(text: str, use: str) -> list[tuple[float | None, float | None, str]]:
    flow = read_procedure((TABLE if text.startswith("|") else FRAME).format(text=text))
    stated = [
        StatedRange(**one.model_dump(include=set(StatedRange.model_fields))) for one in flow.ranges if one.use == use
    ]
    accepted = demands(text, [one.model_copy(update={"use": "accept"}) for one in stated])
    return sorted(((one.low, one.high, one.unit) for one in accepted), key=repr)


def same(found: list[tuple[float | None, float | None, str]], stated: list[list[Any]]) -> bool:
    wanted = sorted((tuple(one) for one in stated), key=repr)
    return len(found) == len(wanted) and all(
        _near(low, other_low, unit, other) and _near(high, other_high, unit, other)
        for (low, high, unit), (other_low, other_high, other) in zip(found, wanted, strict=True)
    )


def _near(found: float | None, stated: float | None, unit: str, other: str) -> bool:
    if found is None or stated is None:
        return found is stated
    value = converted(Quantity(value=found, unit=unit), other)
    return value is not None and value == pytest.approx(stated, abs=1e-6)


@pytest.mark.parametrize("row", READ, ids=lambda row: row["text"][:60])
def test_a_limit_is_read_as_it_is_worded(row: dict[str, Any]) -> None:
    assert same(bounds(row["text"], "accept"), row["accept"])
    if "branch" in row:
        assert same(bounds(row["text"], "branch"), row["branch"])
    if "undecided" in row:
        assert comparison(row["undecided"]) is None


def test_most_wordings_of_either_half_are_read() -> None:
    for part, least in (("tuned", 56), ("reported", 29)):
        assert sum(row["part"] == part for row in READ) >= least


def test_the_words_of_a_tolerance_keep_their_percent() -> None:
    text = "Check that the source is within 400 V ± 10 % and 50 Hz ± 1 Hz."
    assert [text[one.start : one.end] for one in find_ranges(text)] == ["400 V ± 10 %", "50 Hz ± 1 Hz"]
