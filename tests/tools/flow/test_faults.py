from pathlib import Path

from tests.tools.flow.faults import FAULTS, page

DOCS = Path(__file__).parents[3] / "docs" / "faults.md"


def test_the_page_of_the_faults_says_what_happens_now() -> None:
    assert len(FAULTS) == 9
    assert DOCS.read_text(encoding="utf-8") == page(), "python -m tests.tools.flow.faults docs/faults.md"
