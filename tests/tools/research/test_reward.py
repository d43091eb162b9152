"""The reward model as a judge: every known form of its reply, and what goes wrong."""

import pytest

from soprag.agents.deepsearch.judge import RewardJudge, score
from soprag.agents.deepsearch.writer import ReportMaterial
from soprag.tools.errors import ConfigError, ModelError, ModelUnavailable
from soprag.tools.research.records import ReportSection, Sentence, SubtaskPlan, Version
from soprag.tools.research.reward import KEY, RewardModel, read_marks
from tests.loopback import Loopback, fails, says, sends

MARKS = "helpfulness:1.6,correctness:3.2,coherence:4.5,complexity:0.5,verbosity:-0.2"
REPORT = Version(number=1, sections=(ReportSection(sentences=(Sentence(text="It leaks.", claims=("c",)),)),))
MATERIAL = ReportMaterial("Why?", SubtaskPlan(subtasks=()), ())


def test_marks_come_in_three_forms() -> None:
    content = read_marks({"message": {"content": MARKS}})
    assert content == {"helpfulness": 1.6, "correctness": 3.2, "coherence": 4.0, "complexity": 0.5, "verbosity": 0.0}
    tokens = [{"token": "helpfulness", "logprob": 2.5}, {"token": "x", "logprob": 9}]
    assert read_marks({"logprobs": {"content": tokens}, "message": {"content": ""}}) == {"helpfulness": 2.5}
    assert read_marks({"message": {"content": "reward:0.0"}}) == {"reward": 2.0}
    assert read_marks({"message": {"content": "I like it."}}) == {}


async def test_the_question_and_the_report_are_sent_and_weak_axes_become_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(KEY, "sk-secret")
    with Loopback(says(MARKS)) as server:
        judge = RewardJudge(RewardModel(server.url, "nemotron", 5), (1, 1, 0, 0, 0))
        said = await judge.judge(MATERIAL, REPORT, ())
        assert server.requests[0].messages == [
            {"role": "user", "content": "Why?"},
            {"role": "assistant", "content": "It leaks."},
        ]
    assert said.score == 2.4
    assert len(said.feedback) == 3  # helpfulness, complexity, verbosity


@pytest.mark.parametrize(
    ("step", "error"),
    [
        (fails(401), ConfigError),
        (fails(500), ModelUnavailable),
        (says("no marks here"), ModelError),
        (sends(b"<html>"), ModelError),
        (sends({"choices": []}), ModelError),
    ],
)
async def test_every_fault_has_its_error_and_no_key_in_it(
    monkeypatch: pytest.MonkeyPatch, step: object, error: type[Exception]
) -> None:
    monkeypatch.setenv(KEY, "sk-secret-123")
    with Loopback(step) as server, pytest.raises(error) as raised:  # type: ignore[arg-type]
        await RewardModel(server.url, "nemotron", 5).score("Why?", "So.")
    assert "sk-secret" not in repr(raised.value) and raised.value.__cause__ is None


def test_the_score_weighs_only_what_was_marked() -> None:
    assert score({"helpfulness": 4.0, "coherence": 2.0}, (1, 1, 1, 1, 1)) == 3.0
    assert score({"reward": 1.5}, (1, 1, 1, 1, 1)) == 1.5
    assert score({}, (1, 1, 1, 1, 1)) == 0.0
