"""Passages of a procedure that respond to a reported state."""

import pytest

from soprag.tools.retriever.answer.passages import score_passages
from soprag.tools.retriever.answer.reported_state import responding
from tests.tools.flow.test_cursor import cursor
from tests.tools.retriever.test_passages import bag_of_words
from tests.tools.rules.reading import sop

BODY = """# Replace the pump

## Purpose

This manual is not about a leak; the leak response is another document.

## Steps

1. Close the suction valve.
2. Start the pump. If the coupling vibrates, check its bolts.
"""


@pytest.mark.parametrize(
    ("report", "quoted"),
    [("it is leaking", []), ("the pump is grinding", []), ("valve noise heard", []), ("the coupling vibrates", [9])],
)
def test_only_lines_about_the_state_where_something_is_done_respond(report: str, quoted: list[int]) -> None:
    scored = score_passages(sop(BODY, "Replace the pump"), report, bag_of_words)
    passages = responding(scored, report, cursor(BODY).plan).quote(0.1)
    assert [passage.lines.start for passage in passages] == quoted
