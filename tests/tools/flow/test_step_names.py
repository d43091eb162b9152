"""Steps are named by the number that the document prints; one without a number among numbered ones by its words."""

import re

from soprag.tools.flow.commands import parse
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.draw import svg
from soprag.tools.flow.request_builder import next_request
from soprag.tools.procedure.plan import plan
from tests.tools.rules.reading import sop, views

BODY = """1. Check the gas detector. If it is above 100 ppm, leave the room and do not enter. Otherwise continue.
2. Check that the pump is running.
3. If the pressure is low, go to step 2. Otherwise continue.
4. Close the valve.
"""


def cursor() -> Cursor:
    return Cursor(plan(sop(BODY), views(BODY).flow))


def asked_at(place: int) -> str:
    here = cursor()
    [action] = next_request(here, here.begin(here.plan.steps[place - 1].id), [], {})["action_requests"]
    return str(action["args"]["asked"])


def test_a_way_to_a_step_without_a_number_is_named_by_its_words() -> None:
    assert "it is above 100 ppm: go to “leave the room and do not enter” (2)" in asked_at(1)
    assert "otherwise: go to step 2 (3)" in asked_at(1)


def test_a_card_and_the_drawing_name_the_same_steps() -> None:
    assert "go to step 2 (3)" in asked_at(4)
    words = re.sub("<[^>]*>", " ", svg(cursor().plan))
    assert "3 (4). If the pressure is low" in words and "step 2 (3)" in words and "(2) " in words


def test_the_reply_to_a_way_moves_to_the_named_step() -> None:
    here = cursor()
    run = here.reply(here.begin(), parse("2")).run
    assert here.plan.by_id[run.at].label.startswith("2")
