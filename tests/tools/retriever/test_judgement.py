"""The judgement of a model on the candidates: what it changes, and how little a bad judge can change."""

import asyncio
import random
from pathlib import Path

import numpy as np
import pytest

from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.retriever.query.judgement import CandidateJudgement, JudgeReliability, pool
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.tasks.choice import CHOOSE, CandidateChoice, ChooseAsk
from tests.tools.retriever.words import chosen, opened

TOTALS = np.linspace(2, -2, 12).astype(np.float32)
SHOWN = tuple(range(12))


def judged(**fields: object) -> CandidateJudgement:
    return CandidateJudgement(CandidateChoice.model_validate({"intent": "", **fields}), SHOWN, "model")


def test_a_reliable_judge_puts_its_pick_first() -> None:
    assert int(pool(TOTALS, judged(fits=[3]), 0.95).argmax()) == 2


def test_an_unreliable_judge_changes_nothing() -> None:
    assert int(pool(TOTALS, judged(fits=[12]), 0.0).argmax()) == 0


def test_picks_that_the_prior_holds_for_likely_make_a_judge_reliable_and_others_do_not() -> None:
    good, bad, draw = JudgeReliability(), JudgeReliability(), random.Random(1)
    for _ in range(12):
        good.learn(TOTALS, judged(fits=[1]))
        bad.learn(TOTALS, judged(fits=[draw.randint(1, 12)]))
    assert good.learn(TOTALS, judged()) > 0.9
    assert bad.learn(TOTALS, judged()) < 0.2


def test_numbers_that_no_candidate_has_are_ignored() -> None:
    assert judged(fits=[0, 99, 2, 2], partly=[2, 4]).fits == [1]
    assert judged(fits=[2], partly=[2, 4]).partly == [3]
    assert judged(fits=[2]).fit(5) == "no"


def retriever_with(folder: Path, choice: object) -> tuple[Retriever, ScriptedLlm]:
    model = ScriptedLlm({"choose": choice}, name="model")  # type: ignore[dict-item]
    found = opened(folder)
    return Retriever.open(found.index, model, chosen()), model


def test_the_search_asks_the_model_once_and_shows_it_sheets(tmp_path: Path) -> None:
    def answer(ask: ChooseAsk) -> dict[str, object]:
        number = next(row for row in ask.candidates.split("\n") if "lamp" in row.lower())[1]
        return {"intent": "clean", "fits": [int(number)], "entity": 1, "causal": 1, "flow": 5}

    retriever, model = retriever_with(tmp_path, answer)
    retriever.reliability.logit = 4.0
    ranking = asyncio.run(retriever.search("the machine runs hot"))
    assert (ranking.hits[0].sop, ranking.hits[1].sop) == ("lamp-a", "pump")  # the pump leads without the model
    assert ranking.hits[0].fit == "fits"
    assert (ranking.judge, ranking.intent) == ("model", "clean")
    assert [task for task, _ in model.requests] == ["choose"]
    assert max(map(len, model.requests[0][1].candidates.split("\n["))) <= 430


def test_a_search_that_is_sure_asks_nobody(tmp_path: Path) -> None:
    found = opened(tmp_path)
    model = ScriptedLlm({"choose": {"intent": "", "fits": [2]}}, name="model")
    sure = Retriever.open(found.index, model, chosen(sure=0.01))
    ranking = asyncio.run(sure.search("pump P-101 trips"))
    assert (model.requests, ranking.judge, ranking.hits[0].fit) == ([], "", "")
    asyncio.run(Retriever.open(found.index, model, chosen(sure=50.0)).search("pump P-101 trips"))
    asyncio.run(sure.search("bake bread at noon"))  # a lead without any confidence
    assert [task for task, _ in model.requests] == ["choose", "choose"]


def test_a_model_may_say_that_nothing_fits(tmp_path: Path) -> None:
    retriever, _ = retriever_with(tmp_path, {"intent": "", "none_fits": True})
    assert asyncio.run(retriever.search("the machine runs hot")).abstained


def test_a_model_asks_back_between_those_that_fit(tmp_path: Path) -> None:
    choice = {"intent": "", "fits": [1, 2], "separating": "Is it type A or B?"}
    retriever, _ = retriever_with(tmp_path, choice)
    ranking = asyncio.run(retriever.search("replace the lamp"))
    assert ranking.separating == "Is it type A or B?"
    assert len(ranking.twins) == 2


def test_a_model_that_judges_nothing_leaves_the_question_back_to_the_rules(tmp_path: Path) -> None:
    found = opened(tmp_path)
    model = ScriptedLlm({"choose": {"intent": ""}}, name="model")
    retriever = Retriever.open(found.index, model, chosen(separate=0.2, abstain=0.0))
    assert asyncio.run(retriever.search("replace the lamp")).separating.endswith("?")


@pytest.mark.parametrize("changes", [{"judged": 0}, {"sim": "cosine"}])
def test_without_sheets_the_model_only_routes(tmp_path: Path, changes: dict[str, object]) -> None:
    model = ScriptedLlm({"route": {"intent": "", "entity": 1, "causal": 0, "flow": 0}}, name="model")
    found = opened(tmp_path, every=True)
    asyncio.run(Retriever.open(found.index, model, chosen(**changes)).search("pump P-101 trips"))
    assert [task for task, _ in model.requests] == ["route"]


def test_the_rules_judge_no_candidate(tmp_path: Path) -> None:
    assert opened(tmp_path).judge is None
    assert asyncio.run(RulesLlm().ask(CHOOSE, ChooseAsk(question="pump trips", candidates=""))).fits == []
