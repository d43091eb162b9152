"""A model is asked only what it is trusted with."""

import logging
from pathlib import Path

import pytest

from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.llm.trust import ModelTrust, TaskTrust, TrustingLlm, answering, read_trust, write_trust
from soprag.tools.tasks.benchmark import AUDIT, MarkdownAsk
from soprag.tools.tasks.troubleshoot import REPLY, ReplyAsk

ASK = ReplyAsk(asked="Which?", choices=["a", "b"], reply="b")
DOCUMENT = MarkdownAsk(name="x.md", markdown="1. Go.")
SAID = {"choice": 1, "kind": "choice"}
RULED = {"choice": 2, "kind": "choice"}
NO = {"is_sop": False, "reason": "r", "confidence": 1}


def opened(**passed: bool) -> TrustingLlm:
    tasks = [TaskTrust(task=task, passed=good, reason="" if good else "wrong") for task, good in passed.items()]
    model = ScriptedLlm({"reply": SAID, "audit": NO}, name="small")
    rules = ScriptedLlm({"reply": RULED, "audit": NO}, name="rules")
    return TrustingLlm(model, rules, ModelTrust(model="small", tasks=tasks))


async def test_a_failed_task_is_answered_by_the_rules_with_one_line(caplog: pytest.LogCaptureFixture) -> None:
    llm = opened(reply=False, audit=True, plan=True)
    with caplog.at_level(logging.WARNING):
        answers = [(await llm.ask(REPLY, ASK)).choice for _ in range(2)]
        await llm.ask(AUDIT, DOCUMENT)
    assert answers == [2, 2]
    assert [record.getMessage() for record in caplog.records] == [
        "reply: answered by the rules; small is not trusted with it: wrong"
    ]
    assert (answering(llm, REPLY).name, answering(llm, AUDIT).name) == ("rules", "small")


async def test_a_model_that_fails_half_its_checks_is_not_trusted_with_unchecked_tasks() -> None:
    weak, strong = opened(audit=False, plan=True), opened(audit=False, plan=True, math=True)
    assert (await weak.ask(REPLY, ASK)).choice == 2
    assert (await strong.ask(REPLY, ASK)).choice == 1


def test_the_result_of_a_check_is_kept_and_a_damaged_one_is_none(tmp_path: Path) -> None:
    file = tmp_path / "trust" / "a.json"
    trust = ModelTrust(model="small", tasks=[TaskTrust(task="plan", passed=True)])
    assert read_trust(file) is None
    write_trust(file, trust)
    assert read_trust(file) == trust
    file.write_text("{")
    assert read_trust(file) is None
