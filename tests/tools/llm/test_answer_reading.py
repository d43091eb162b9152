"""Answers as models really write them: what is certain is read, what is not is named with its path."""

import json
from typing import Literal

import pytest
from pydantic import Field

from soprag.tools.llm.answer_reading import read
from soprag.tools.sop import Frozen
from soprag.tools.tasks.answer import AnswerDraft


class Mark(Frozen):
    """A remark."""

    kind: Literal["danger", "note"]
    start: int


class Item(Frozen):
    """A step."""

    kind: Literal["action", "decision"] = "action"
    start: int = Field(ge=1)
    next: list[int] = Field(default_factory=list)
    warnings: list[Mark] = Field(default_factory=list)


class Chart(Frozen):
    """An answer."""

    title: str
    steps: list[Item]


GOOD = Chart(title="Restart", steps=[Item(start=3, next=[4], warnings=[Mark(kind="danger", start=1)]), Item(start=4)])
FIRST = '{"start": 3, "next": [4], "warnings": [{"kind": "danger", "start": 1}]}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD.model_dump_json(),
        f'{{"title": "Restart", "steps": [{FIRST}, {{"start": 4}},],}}',
        f"{{'title': 'Restart', 'steps': [{FIRST}, {{'start': 4, 'kind': None}}]}}",
        f'{{"Chart": {{"title": "Restart", "steps": [{FIRST}, {{"start": 4}}]}}}}',
        f'[{{"title": "Restart", "steps": [{FIRST}, {{"start": 4}}]}}]',
        f'{{"title": "Restart", "steps": [{FIRST}, {{"start": "line 4", "kind": "Action"}}]}}',
        f'{{"title": "Restart", "steps": [{FIRST}, {{"start": "4-6", "kind": "an action"}}]}}',
        f'{{"title": "Restart", "steps": [{FIRST}, {{"start": 4, "warnings": null, "comment": "done"}}]}}',
        f'{{"Title": "Restart", "steps": [{FIRST}, {{"start": 4}}]}}',
        f'{{"title": "Restart", "step": [{FIRST}, {{"start": 4}}]}}',
        '{"title": "Restart", "steps": [{"start": 3, "next": 4, "warning": {"kind": "Danger", "start": "L1"}}, '
        '{"start": 4}]}',
        f'{{"title": "Restart", "steps": [{FIRST}, {{"start": 4}}]}} {{"title": "Again", "steps": []}}',
        f'{{"title": "Restart", // the title\n "steps": [{FIRST}, {{"start": 4}}]}}',
    ],
    ids=[
        "plain", "trailing comma", "Python", "wrapped", "in a list", "number in words", "range", "nulls and extras",
        "capital", "singular", "no lists", "two objects", "comment",
    ],
)  # fmt: skip
def test_what_a_model_certainly_means_is_read(text: str) -> None:
    reading = read(Chart, text)
    assert reading.answer == GOOD
    assert reading.malformed == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"title": "Restart", "steps": [{"start": 3}, {"sta',
        '{"title": "Restart", "steps": [{"start": 0}]}',
        '{"heading": "Restart", "steps": [{"start": 1}]}',
        "The procedure restarts the pump.",
        "",
    ],
    ids=["cut", "only malformed items", "other name", "prose", "empty"],
)
def test_nothing_is_invented_for_what_is_missing(text: str) -> None:
    reading = read(Chart, text)
    assert reading.answer is None
    assert reading.error is not None


def test_one_malformed_item_is_left_out_with_its_path_and_fault() -> None:
    steps = [{"start": 1}, {"start": 0}, {"start": 2}, {"kind": "dance", "start": 4}]
    text = json.dumps({"title": "x", "steps": steps})
    reading = read(Chart, text)
    assert reading.answer is not None
    assert [step.start for step in reading.answer.steps] == [1, 2]
    assert [item.dotted for item in reading.malformed] == ["steps.1", "steps.3"]
    assert "greater than or equal to 1" in reading.malformed[0].faults
    assert reading.malformed[1].value == {"kind": "dance", "start": 4}


def test_a_malformed_item_inside_an_item_costs_only_itself() -> None:
    text = json.dumps({"title": "x", "steps": [{"start": 1, "warnings": [{"kind": "loud", "start": 1}]}]})
    reading = read(Chart, text)
    assert reading.answer == Chart(title="x", steps=[Item(start=1)])
    assert [item.dotted for item in reading.malformed] == ["steps.0.warnings.0"]


def test_corrected_items_take_the_places_of_the_malformed_ones() -> None:
    text = json.dumps({"title": "x", "steps": [{"start": 1}, {"start": 0}, {"start": 3}, {"start": -2}]})
    reading = read(Chart, text).with_items({"steps.1": {"start": 2}, "steps.3": {"start": -1}}, Chart)
    assert reading.answer is not None
    assert [step.start for step in reading.answer.steps] == [1, 2, 3]
    assert [item.dotted for item in reading.malformed] == ["steps.3"]


@pytest.mark.parametrize("written", ["62-64", "lines 62 to 64", "62–64"])
def test_a_range_in_a_list_of_numbers_is_all_of_them_and_ids_lose_their_brackets(written: str) -> None:
    draft = {"answer": [{"lines": [written, "70"]}, {"lines": written}], "steps": ["[s3]", "[s4?]"], "first": "[s3]"}
    answer = read(AnswerDraft, json.dumps(draft)).answer
    assert answer is not None
    assert [sorted(entry.lines) for entry in answer.answer] == [[62, 63, 64, 70], [62, 63, 64]]
    assert (answer.steps, answer.first) == (["s3", "s4"], "s3")


def test_a_range_as_wide_as_no_citation_is_its_first_number() -> None:
    answer = read(AnswerDraft, json.dumps({"answer": [{"lines": ["1-9000"]}]})).answer
    assert answer is not None
    assert answer.answer[0].lines == [1]
