"""The excerpt of a source that a sentence cites stands under the headings that contain it."""

from soprag.tools.support.excerpts import excerpt_of

BODY = "# Loop\n\n## A. Sampling\n\nRun the pump.\n\n## B. Dosing\n\n### B.1 Biocide\n\nDose 45 mL.\n"


def test_headings_of_sections_before_are_not_above_a_line() -> None:
    assert excerpt_of(BODY, [11]).headings.split("\n") == ["", "Loop", "B. Dosing", "B.1 Biocide"]
