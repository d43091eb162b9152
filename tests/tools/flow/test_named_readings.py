"""Readings with the names of their quantities, conditions that point back, and places to begin at."""

import pytest

from soprag.tools.flow.commands import parse
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.request_builder import next_request
from soprag.tools.procedure.plan import START, plan
from soprag.tools.procedure.source_text import SourceText
from tests.tools.flow.test_cursor import cursor, walk
from tests.tools.rules.reading import sop, views

TWO = "1. Read both gauges: suction 2 to 3 bar, discharge 6 to 8 bar.\n2. Close the valve.\n"
CARDS = "# Known issues\n\n## Slow query\n\nRestart the node.\n\n## Full disk\n\nClear the cache.\n"


@pytest.mark.parametrize("said", ["suction 7 bar, discharge 2.5 bar", "done suction is 7 bar and discharge is 2.5 bar"])
def test_a_reading_is_checked_against_the_quantity_it_names(said: str) -> None:
    run = walk(cursor(TWO), said)
    assert run.at == "s1" and not run.readings
    assert run.problem.startswith("suction 7 bar is outside '2 to 3 bar'")


def test_named_readings_in_their_ranges_complete_the_step() -> None:
    run = walk(cursor(TWO), "suction 2.5 bar, discharge 7 bar")
    assert run.at == "s2" and len(run.readings) == 2


@pytest.mark.parametrize("said", ["wait for suction 3 bar, discharge 7 bar", "suction 3 bar, it is leaking"])
def test_other_words_are_no_named_readings(said: str) -> None:
    assert parse(said).verb == "unknown"


def test_a_condition_that_points_back_names_the_step_before() -> None:
    body = "1. Check that the seal is dry.\n2. If it is not, call the lead.\n3. Close the door.\n"
    steps = plan(sop(body), views(body).flow).steps
    assert [step.only_if for step in steps if step.only_if] == ["it is not (“Check that the seal is dry.”)"]


def test_a_place_to_begin_at_is_told_by_its_situation() -> None:
    here = Cursor(plan(sop(CARDS), views(CARDS).flow))
    run = here.begin()
    assert run.at == START
    [action] = next_request(here, run, [], {})["action_requests"]
    assert "1 Slow query\n2 Full disk\n" in str(action["args"]["asked"])
    assert "Before the first step" in str(action["description"])


def test_a_quote_that_holds_a_picture_only_is_no_note() -> None:
    body = (
        '> [figure: Pump]\n> <figcaption aria-hidden="true">Pump <b>A</b></figcaption>\n\n> Mind the edge.\n\n1. Go.\n'
    )
    assert [(remark.start, remark.kind) for remark in SourceText(body).remarks()] == [(4, "note")]
