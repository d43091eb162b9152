"""Quirks of small and local models over the wire, with every method of asking for an answer."""

import json
from collections.abc import Callable
from typing import Literal

import pytest
from pydantic import Field

from soprag.agents.experts.retrieval import PROTOCOL as RETRIEVAL
from soprag.configs.settings import LlmSettings
from soprag.tools.errors import AnswerCut
from soprag.tools.llm.chat import ChatLlm
from soprag.tools.protocols import ToolCard
from soprag.tools.sop import Frozen
from soprag.tools.tasks.task import Task
from soprag.tools.tasks.troubleshoot import FINISH_PROTOCOL, PLAN, ActionAsk, PlannedStep, ToolArgument
from tests.loopback import Loopback, completion, says, sends
from tests.tools.llm.valves import COUNT, Text

METHODS = ("json_schema", "function_calling", "json_mode")
Make = Callable[..., LlmSettings]


class Valve(Frozen):
    """A valve."""

    tag: str
    state: Literal["open", "closed"] = "open"
    turns: int = Field(default=1, ge=0)


class Valves(Frozen):
    """The valves of a text."""

    valves: list[Valve]


LIST = Task(COUNT.name, Text, Valves)
GOOD = {"valves": [{"tag": "V-1"}, {"tag": "V-2", "state": "closed", "turns": 3}]}
READ = Valves(valves=[Valve(tag="V-1"), Valve(tag="V-2", state="closed", turns=3)])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "written",
    [
        GOOD,
        {"answer": GOOD},
        {"valves": [{"tag": "V-1", "note": "left"}, {"tag": "V-2", "state": "Closed", "turns": "3 turns"}]},
        {"valves": [{"tag": "V-1", "state": None}, {"tag": "V-2", "state": "CLOSED", "turns": 3, "extra": []}]},
        {"Valves": [{"tag": "V-1"}, {"tag": "V-2", "state": "closed", "turns": "3"}]},
    ],
    ids=["plain", "wrapped", "words", "nulls", "capital"],
)
async def test_what_is_certain_is_read_at_once(llm_settings: Make, method: str, written: object) -> None:
    with Loopback(says(written)) as server:
        assert await ChatLlm(llm_settings(method=method), server.url).ask(LIST, Text(text="x")) == READ
        assert server.count == 1


@pytest.mark.parametrize("method", METHODS)
async def test_only_the_malformed_item_is_asked_again(llm_settings: Make, method: str) -> None:
    bad = {"valves": [{"tag": "V-1"}, {"tag": "V-2", "state": "ajar"}]}
    again = {"items": [{"path": "valves.1", "item": json.dumps(GOOD["valves"][1])}]}
    with Loopback(says(bad), says(again)) as server:
        llm = ChatLlm(llm_settings(method=method), server.url)
        assert await llm.ask(LIST, Text(text="x")) == READ
    last = server.requests[1].messages[-1]["content"]
    assert "valves.1" in last
    assert "V-1" not in last
    assert (llm.ledger.total.calls, llm.ledger.total.repairs) == (2, 1)


@pytest.mark.parametrize("again", ["sorry", {"items": []}, {"items": [{"path": "valves.1", "item": "{"}]}])
async def test_an_item_that_stays_malformed_costs_only_itself(llm_settings: Make, again: object) -> None:
    bad = {"valves": [{"tag": "V-1"}, {"tag": "V-2", "state": "ajar"}]}
    with Loopback(says(bad), says(again)) as server:
        answer = await ChatLlm(llm_settings(), server.url).ask(LIST, Text(text="x"))
        assert [valve.tag for valve in answer.valves] == ["V-1"]
        assert server.count == 2


async def test_an_answer_that_is_cut_is_told_apart(llm_settings: Make) -> None:
    with Loopback(says(GOOD, finish="length")) as server:
        with pytest.raises(AnswerCut):
            await ChatLlm(llm_settings(), server.url).ask(LIST, Text(text="x"))
        assert server.count == 1


PLAN_ASK = ActionAsk(question="Close V-1?", tools=[ToolCard.of(RETRIEVAL, PlannedStep), ToolCard.of(FINISH_PROTOCOL)])
CALL = {"question": "valve V-1", "step": "Find it.", "last": True}


@pytest.mark.parametrize("method", METHODS)
async def test_a_plan_is_one_call_of_a_tool_with_its_typed_arguments(llm_settings: Make, method: str) -> None:
    written = {"tool": "retrieval", **CALL} if method == "json_mode" else CALL
    with Loopback(says(written)) as server:
        plan = await ChatLlm(llm_settings(method=method), server.url).ask(PLAN, PLAN_ASK)
    assert (plan.tool, plan.last) == ("retrieval", True)
    assert plan.arguments == [ToolArgument(name="question", value="valve V-1")]
    body = server.requests[0].body
    if method == "json_mode":
        assert '"name": "retrieval"' in body["messages"][0]["content"]
    else:
        assert [tool["function"]["name"] for tool in body["tools"]] == ["retrieval", "finish"]
        assert body["tool_choice"] in ("any", "required")
        assert body["tools"][0]["function"]["parameters"]["properties"]["question"]["type"] == "string"
    assert "retrieval" not in body["messages"][1]["content"]


async def test_a_call_written_as_text_is_read_too(llm_settings: Make) -> None:
    message = {"role": "assistant", "content": '{"tool": "finish", "shows": ["s1"]}'}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    with Loopback(sends(completion([choice]))) as server:
        plan = await ChatLlm(llm_settings(), server.url).ask(PLAN, PLAN_ASK)
    assert (plan.tool, plan.shows) == ("finish", ["s1"])
