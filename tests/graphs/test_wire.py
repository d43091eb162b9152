"""The troubleshooter with a chat model over the wire: what a server can do wrong, and what the operator sees then."""

import json
from pathlib import Path
from typing import Any

import pytest

from soprag.tools.llm import open_llm
from soprag.tools.rules.adapter import RulesLlm
from tests import operator
from tests.graphs.plant import Plant, Talk
from tests.loopback import Loopback, cuts, fails, says, sends


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test")


def talk(plant: Plant, server: Loopback, tmp_path: Path, **changes: Any) -> Talk:
    given = {
        "model": "openai:m",
        "base_url": server.url,
        "cache": False,
        "first_wait": 0.02,
        "longest_wait": 0.1,
        **changes,
    }
    settings = plant.settings.llm.model_copy(update=given)
    return plant.talk(plant.crew(open_llm(settings, {}, tmp_path, RulesLlm)))


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "json_mode"])
async def test_a_model_finds_and_shows_the_procedure_in_every_form_of_answer(
    plant: Plant, tmp_path: Path, method: str
) -> None:
    with Loopback(answer=operator.answer) as server:
        answer = await talk(plant, server, tmp_path, method=method).say("coolant pump P-101 tripped")
    assert (answer["kind"], answer["answer"]["sop"], answer["answer"]["author"]) == ("answer", "pump", "openai:m")
    assert server.count == 3  # plan, answer, plan; the search is sure


async def test_busy_broken_and_malformed_answers_are_got_over(plant: Plant, tmp_path: Path) -> None:
    troubles = (fails(429, headers={"retry-after": "0"}), cuts(), says('{"tool": "retrie'), says({"tool": 7}))
    with Loopback(*troubles, answer=operator.answer) as server:
        answer = await talk(plant, server, tmp_path).say("coolant pump P-101 tripped")
    assert answer["answer"]["sop"] == "pump" and server.count == 7


async def test_a_server_that_never_recovers_leaves_the_rules_and_the_procedure(plant: Plant, tmp_path: Path) -> None:
    with Loopback(answer=fails(429)) as server:
        answer = await talk(plant, server, tmp_path, retries=1, longest_wait=0.01).say("coolant pump P-101 tripped")
    assert (answer["answer"]["sop"], answer["answer"]["author"]) == ("pump", "rules")
    assert "gave no answer" in answer["answer"]["notice"]


async def test_garbage_with_status_200_leaves_the_rules_and_the_procedure(plant: Plant, tmp_path: Path) -> None:
    with Loopback(answer=sends(b"<html>proxy</html>")) as server:
        answer = await talk(plant, server, tmp_path).say("coolant pump P-101 tripped")
    assert answer["answer"]["author"] == "rules"
    assert server.count == 2
    assert "sent something that is no answer" in answer["answer"]["notice"]


async def test_a_model_that_answers_nonsense_is_asked_once_with_its_repairs(
    plant: Plant, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Loopback(answer=says("I am fine, thank you!")) as server:
        conversation = talk(plant, server, tmp_path)
        first = await conversation.say("coolant pump P-101 tripped")
        await conversation.say("which valve first?")
    assert (first["answer"]["sop"], first["answer"]["author"]) == ("pump", "rules")
    assert "did not answer in the agreed form" in first["answer"]["notice"]
    assert server.count == 3  # the first task, with two repairs
    assert caplog.text.count("the rules answer every task") == 1


async def test_an_invented_step_over_the_wire_is_not_shown_as_a_step(plant: Plant, tmp_path: Path) -> None:
    def inventive(body: dict[str, Any]) -> object:
        if operator.task_of(body) == "answer":
            sentence = {"text": "Open the bypass V-99 before you start.", "lines": [1]}
            return {"form": "how", "answer": [sentence], "steps": ["s1", "s99"], "first": "s99"}
        if operator.task_of(body) == "plan" and "retrieval" in json.dumps(_past(body)):
            return {
                "tool": "finish",
                "step": "",
                "arguments": [],
                "uses": [],
                "shows": ["s1"],
                "remark": "Open V-99 now.",
            }
        return operator.answer(body)

    with Loopback(answer=inventive) as server:
        conversation = talk(plant, server, tmp_path)
        answer = await conversation.say("coolant pump P-101 tripped")
    assert "V-99" not in (await conversation.texts())[-1]
    assert answer["answer"]["dropped"] == {"unknown": 2, "repeated": 0}
    assert [step["id"] for step in answer["answer"]["steps"]] == [f"s{n}" for n in range(1, 7)]


async def test_a_call_of_a_tool_that_does_not_exist_is_told_to_the_model(plant: Plant, tmp_path: Path) -> None:
    wrong = {"tool": "shell", "step": "x", "arguments": [], "uses": [], "shows": [], "remark": ""}
    with Loopback(says(wrong), answer=operator.answer) as server:
        answer = await talk(plant, server, tmp_path).say("coolant pump P-101 tripped")
    assert answer["answer"]["sop"] == "pump"
    assert "no tool 'shell'" in server.requests[1].messages[1]["content"]


def _past(body: dict[str, Any]) -> Any:
    fields = {name: text for name, _, text in operator.FIELD.findall(body["messages"][1]["content"])}
    return json.loads(fields.get("history", "[]"))
