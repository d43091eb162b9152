"""The self-check of a model: what passes, what fails its task, and what ends the check."""

from collections import Counter
from typing import Any

import pytest

from soprag.agents.model_check import GradedTask, check_model
from soprag.agents.model_check_cases import cases
from soprag.tools.errors import AnswerInvalid, ModelUnavailable
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.tasks.troubleshoot import REPLY, ChoiceReply, ReplyAsk

STEP = {"kind": "action", "next": []}
NOTHING = {"abstract": "", "entity": {"entities": []}, "causal": {"states": []}, "flow": {"steps": []}}
GOOD: dict[str, Any] = {
    "audit": [
        {"is_sop": True, "reason": "steps", "confidence": 1, "parts": [{"title": "Restart", "start": 1, "end": 9}]},
        {"is_sop": False, "reason": "minutes", "confidence": 1},
    ],
    "extract": [
        {
            "abstract": "Restarts the pump.",
            "entity": {"entities": [{"name": "V-12", "kind": "asset"}]},
            "causal": {"states": []},
            "flow": {
                "steps": [
                    {**STEP, "id": "s1", "start": 5, "end": 5},
                    {**STEP, "id": "s2", "start": 6, "end": 6},
                    {**STEP, "id": "s3", "start": 7, "end": 7},
                ],
                "warnings": [{"kind": "warning", "start": 3, "end": 3}],
            },
        },
        {**NOTHING, "is_sop": False, "reason": "minutes"},
    ],
    "questions": {
        "questions": [
            {
                "level": "direct",
                "text": "What is the lowest reading before I press the button?",
                "evidence": "It must be at least 1.5 bar.",
            }
        ]
    },
    "queries": {"queries": ["coolant pump restart procedure", "pump seal replacement work instruction"]},
    "wanted": [
        {"is_procedure": True, "on_topic": True, "reason": "steps"},
        {"is_procedure": False, "on_topic": True, "reason": "minutes"},
    ],
    "plan": {"tool": "retrieval", "question": "P-101 tripped"},
    "math": {"tool": "unit_convert", "value": 5, "unit": "bar", "to": "psi"},
    "reply": {"choice": 2, "kind": "choice"},
    "summarise_lines": {"claims": [{"text": "A clogged strainer lowers it.", "lines": ["L1"]}]},
    "support": {"opinions": [{"n": n, "verdict": "supported" if n <= 3 else "contradicted"} for n in range(1, 7)]},
    "write_report": {"summary": [{"text": "A clogged strainer lowers it.", "facts": ["f1"]}], "sections": []},
}


async def test_good_answers_pass_every_task() -> None:
    outcomes = await check_model(ScriptedLlm(GOOD), cases())
    assert len(outcomes) == 11
    assert [(outcome.task, outcome.reason) for outcome in outcomes if not outcome.passed] == []


async def test_one_wrong_answer_fails_its_task_alone_with_the_reason() -> None:
    wrong = {**GOOD, "reply": {"choice": 1, "kind": "choice"}, "math": AnswerInvalid("prose\nmore")}
    outcomes = await check_model(ScriptedLlm(wrong), cases())
    failed = {outcome.task: outcome.reason for outcome in outcomes if not outcome.passed}
    assert failed == {"reply": "'the latter' of two was not read as the second", "math": "AnswerInvalid: prose"}


async def test_an_answer_that_does_not_come_in_time_fails_its_task_alone() -> None:
    late = {**GOOD, "reply": ModelUnavailable("no answer in 60 s")}
    failed = [outcome.task for outcome in await check_model(ScriptedLlm(late), cases()) if not outcome.passed]
    assert failed == ["reply"]


async def test_a_model_that_finds_everything_supported_gives_no_second_opinions() -> None:
    trusting = {"opinions": [{"n": n, "verdict": "supported"} for n in range(1, 7)]}
    outcomes = await check_model(ScriptedLlm({**GOOD, "support": trusting}), cases())
    assert [outcome.task for outcome in outcomes if not outcome.passed] == ["support"]


async def test_a_model_that_cannot_be_reached_is_not_graded() -> None:
    ask = ReplyAsk(asked="x", choices=["a"], reply="a")
    case: GradedTask[ReplyAsk, ChoiceReply] = GradedTask(REPLY, ask, lambda answer: "")
    with pytest.raises(ModelUnavailable):
        await check_model(ScriptedLlm({"reply": ModelUnavailable("down")}), [case])


def test_every_task_has_at_most_two_small_cases() -> None:
    counts = Counter(case.task.name for case in cases())
    assert max(counts.values()) == 2
    assert all(len(case.inputs.model_dump_json(exclude={"tools"})) < 2000 for case in cases())
