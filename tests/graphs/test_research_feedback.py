"""The feedback loop of paper 001, played through with a gold model and with a reward model on the wire."""

from pathlib import Path
from typing import Any

from soprag.agents.deepsearch.judge import RewardJudge, RubricJudge
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.research.records import AXES, Version
from soprag.tools.research.reward import RewardModel
from tests.graphs.test_deepsearch import ASKED, PAGES, planned, rewriting, run, sentences
from tests.loopback import Loopback, says
from tests.research import FakeWeb, make_study, subtask
from tests.scripting import scripted

EVEN = (1.0, 1.0, 1.0, 1.0, 1.0)
TEXTS = ("Pump bearings fail by poor lubrication.", "Pump bearings fail by misalignment of the shaft.")


def marks(mark: float, **advice: Any) -> dict[str, Any]:
    return {**dict.fromkeys(AXES, mark), "feedback": [], "missing": [], **advice}


async def test_a_gold_model_sends_a_report_back_and_what_it_misses_is_searched_for(tmp_path: Path) -> None:
    missing = marks(1.0, feedback=["Say how it is prevented."], missing=["bearing failure greasing hours"])
    gold: ScriptedLlm = scripted({"judge_report": [missing, marks(4.0)]})
    web = FakeWeb(PAGES)
    study = make_study(
        tmp_path / "run", ASKED, web, llm=planned(subtask("one", "pump bearings causes")),
        judges=(RubricJudge("gold", gold, EVEN),), versions=3,
    )  # fmt: skip
    report = await run(study)
    assert (report.version, report.versions, report.score) == (2, 2, 4.0)
    assert "2000 hours" in " ".join(sentences(report))
    first = study.run.read("versions", "1", Version)
    assert first.score == 1.0
    assert first.judgements[0].feedback == ("Say how it is prevented.",)


async def test_a_reward_model_sends_a_report_back_and_the_better_version_is_kept(tmp_path: Path) -> None:
    low, high = ("".join(f"{axis}:{mark}," for axis in AXES).strip(",") for mark in (1.0, 3.9))
    with Loopback(says(low), says(high)) as server:
        study = make_study(
            tmp_path / "run", ASKED, FakeWeb(PAGES), llm=rewriting(*TEXTS),
            judges=(RewardJudge(RewardModel(server.url, "nemotron", 5), EVEN),), versions=3,
        )  # fmt: skip
        report = await run(study)
        answers = [request.messages[1]["content"] for request in server.requests]
    assert (report.version, report.versions, report.score) == (2, 2, 3.9)
    assert [text in answer for text, answer in zip(TEXTS, answers, strict=True)] == [True, True]
    assert sentences(report) == [TEXTS[1]]
