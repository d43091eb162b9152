"""A run for one model: named once, its limits count and its ways are taken from then on."""

from soprag.tools.approval import read_request
from soprag.tools.flow.commands import parse
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.request_builder import next_request
from soprag.tools.flow.required_readings import for_variant
from soprag.tools.flow.run import FlowRun
from tests.tools.flow.test_cursor import cursor

_BODY = (
    "## A\n\n1. Compare both flows with the table.\n\n"
    "| Model | Evaporator flow | Condenser flow |\n|---|---|---|\n"
    "| C450 | 55 to 75 l/s | 70 to 90 l/s |\n| S320 | 38 to 52 l/s | 48 to 64 l/s |\n\n"
    "2. Open the bypass.\n\nWhat is done depends on the model.\n\n"
    "**C450**\n\n- Heat the oil.\n\n**S320**\n\n- Move the slide.\n\n## B\n\n1. Log it.\n"
)


def _phrases(steps: Cursor, run: FlowRun) -> list[str]:
    asked = read_request(next_request(steps, run, [], {}))[0].structured
    assert asked is not None
    return [limits["phrase"] for limits in asked["ranges"]]


def _card(steps: Cursor, run: FlowRun) -> str:
    return str(next_request(steps, run, [], {})["action_requests"][0]["description"])


def test_the_limits_of_a_table_are_shown_with_their_heads_and_for_the_named_model_only() -> None:
    steps = cursor(_BODY)
    run = steps.begin()
    assert _phrases(steps, run) == [
        "Evaporator flow, C450: 55 to 75 l/s",
        "Condenser flow, C450: 70 to 90 l/s",
        "Evaporator flow, S320: 38 to 52 l/s",
        "Condenser flow, S320: 48 to 64 l/s",
    ]
    assert "Reply C450 or S320, and only its limits are asked for." in _card(steps, run)
    varied = for_variant(steps.plan, run, "s320")
    assert varied is not None and varied.variant == "S320"
    assert _phrases(steps, varied) == ["Evaporator flow, S320: 38 to 52 l/s", "Condenser flow, S320: 48 to 64 l/s"]
    assert "Reply C450" not in _card(steps, varied)
    assert for_variant(steps.plan, run, "why is the flow of the S320 low") is None
    assert for_variant(steps.plan, run, "M280") is None


def test_the_ways_of_the_named_model_are_taken() -> None:
    steps = cursor(_BODY)
    run = for_variant(steps.plan, steps.begin(), "S320")
    for reply in ("done 40 l/s, 50 l/s", "done"):
        assert run is not None
        run = steps.reply(run, parse(reply)).run
    assert run is not None and steps.plan.by_id[run.at].text == "Move the slide."
