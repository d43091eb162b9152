"""A procedure that answers several alarms has a card for each: found by itself, and a run begins there."""

import pytest

from soprag.tools.flow.commands import parse
from soprag.tools.flow.opening import opening
from soprag.tools.procedure.plan import plan
from soprag.tools.retriever.answer.answer import Answerer
from soprag.tools.retriever.index.alarm_cards import alarm_cards
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import FlowGraph
from tests.hash_seeds import printed
from tests.tools.flow.test_cursor import Cursor
from tests.tools.retriever.words import opened, written

CARDS = """# Fan Alarm Cards

## Read this first

1. Acknowledge the alarm.
2. Tell the control room.

## FAN-F01 Airflow Low

1. Read the fan speed.
2. Clean the filter.

## FAN-T02 Bearing Temperature High

1. Read the temperature of the bearing.
2. Grease the bearing.

## FAN-V03 Vibration High

1. Read the vibration.
2. Tighten the bolts.

## Editions

1 | 2024
"""
REPLACEMENT = "# Fan Replacement\n\n1. Stop the fan.\n2. Loosen the bolts.\n3. Take the fan out.\n"
TABLE = """# Burner Faults

| Alarm | Cause | Action |
|---|---|---|
| B01 No flame | Electrode dirty | Clean the electrode. |
| B02 Low gas | Valve closed | Open the gas valve. |
"""


TWO_WAYS_IN = """
from soprag.tools.retriever.index.alarm_cards import alarm_cards
from soprag.tools.sop import Alternatives, FlowGraph, Span, Step
spans = (Span(start=line, end=line) for line in (2, 3, 5))
steps = tuple(Step(id=f"s{n}", kind="action", text="x", lines=span) for n, span in enumerate(spans, 1))
flow = FlowGraph(steps=steps, alternatives=(Alternatives(by="alarm", entries=("s2", "s1", "s3")),))
print([card.step for card in alarm_cards("## A1\\n1. Open.\\n2. Close.\\n## B2\\n1. Stop.", flow)])
"""


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    bodies = {"cards": CARDS, "fan": REPLACEMENT, "table": TABLE}
    return opened(tmp_path_factory.mktemp("index"), written(bodies))


def flow_of(retriever: Retriever, sop: str) -> FlowGraph:
    return retriever.index.views(sop).flow


def test_every_section_of_an_alarm_is_a_card_with_its_lines(retriever: Retriever) -> None:
    body = retriever.index.sop("cards").body
    cards = alarm_cards(body, flow_of(retriever, "cards"))
    lines = body.split("\n")
    assert [lines[card.start - 1] for card in cards] == [
        "## FAN-F01 Airflow Low",
        "## FAN-T02 Bearing Temperature High",
        "## FAN-V03 Vibration High",
    ]
    assert lines[cards[-1].end - 1] == "" and lines[cards[-1].end].startswith("## Editions")


def test_every_row_of_an_alarm_is_a_card(retriever: Retriever) -> None:
    cards = alarm_cards(retriever.index.sop("table").body, flow_of(retriever, "table"))
    assert [card.end - card.start for card in cards] == [0, 0]
    assert not any(card.heading for card in cards)


def test_a_card_with_several_ways_in_begins_with_the_first_in_every_process() -> None:
    assert printed(TWO_WAYS_IN, "12345") == {b"['s1', 's3']\n"}


def test_a_procedure_with_one_beginning_has_no_cards(retriever: Retriever) -> None:
    assert alarm_cards(retriever.index.sop("fan").body, flow_of(retriever, "fan")) == ()
    assert not retriever.index.elements(["fan"])[0].alarm_rows


def test_a_hit_names_the_step_with_which_the_card_of_the_alarm_begins(retriever: Retriever) -> None:
    hits = {hit.sop: hit for hit in retriever.find("bearing temperature high").hits}
    steps = {step.id: step for step in flow_of(retriever, "cards").steps}
    assert steps[hits["cards"].begins].text.startswith("Read the temperature of the bearing")
    assert not hits["fan"].begins


def test_no_card_is_chosen_without_a_clear_lead(retriever: Retriever, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soprag.tools.retriever.query.alarm_choice._LEAD", 2.0)
    hits = {hit.sop: hit for hit in retriever.find("bearing temperature high").hits}
    assert not hits["cards"].begins


async def test_the_answer_begins_at_the_card_and_shows_its_steps(retriever: Retriever) -> None:
    answer = await Answerer(retriever, retriever.index, RulesLlm()).answer("vibration high")
    first = answer.steps[answer.first - 1]
    assert answer.begins == first.id
    assert first.text == "Read the vibration."
    assert [step.text for step in answer.steps if step.chosen] == ["Read the vibration.", "Tighten the bolts."]


def test_a_run_of_a_card_does_the_steps_common_to_all_cards_first(retriever: Retriever) -> None:
    flow = flow_of(retriever, "cards")
    steps = Cursor(plan(retriever.index.sop("cards"), flow))
    vibration = next(step for step in flow.steps if step.text == "Read the vibration.")
    run = steps.begin(vibration.id)
    assert steps.plan.by_id[run.at].text == "Acknowledge the alarm."
    assert "FAN-V03 Vibration High" in opening(steps.plan, run.chosen.values())
    for _ in range(2):
        run = steps.reply(run, parse("done")).run
    assert run.at == vibration.id


def test_at_the_fork_another_card_can_be_chosen(retriever: Retriever) -> None:
    steps = Cursor(plan(retriever.index.sop("cards"), flow_of(retriever, "cards")))
    run = steps.begin(next(step.id for step in steps.plan.steps if step.text == "Read the vibration."))
    run = steps.reply(steps.reply(run, parse("done")).run, parse("1")).run
    assert steps.plan.by_id[run.at].text == "Read the fan speed."


def test_a_row_is_where_its_run_begins(retriever: Retriever) -> None:
    flow = flow_of(retriever, "table")
    run = Cursor(plan(retriever.index.sop("table"), flow)).begin(flow.alternatives[0].entries[-1])
    assert run.at == flow.alternatives[0].entries[-1]
    assert not run.chosen
