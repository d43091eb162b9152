"""The Examiner: slots for five levels, rounds with the reasons, and a report of what was lost."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from soprag.agents.examiner import Examiner, wanted_levels
from soprag.configs.settings import ExamineSettings
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.questions import Corpus
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import LEVELS, Level, Sop, Span
from soprag.tools.store.run_records import Examined
from soprag.tools.tasks.benchmark import DraftQuestion, DraftQuestions
from tests.words import WordEmbedder

VALVE = "Close the suction valve V3 by hand."
BODY = f"""# Pump Replacement

1. Tell the shift leader that the pump stops.
2. {VALVE}
3. Unplug the motor cable.
4. If the flange bolts are rusty, soak them for 20 minutes.
5. Lift the pump out with the chain hoist.
6. When the new gasket does not fit, call the mechanical workshop.
7. Tighten the flange bolts crosswise to 40 Nm.
8. If the seal leaks after the start, stop the pump and drain the housing.
"""
PUMP = Sop(id="pump", title="Pump Replacement", text=BODY, document="d", span=Span(start=1, end=10))
LIFT = PUMP.model_copy(update={"id": "lift", "title": "Car Levelling", "text": "Level the car with the brake lever."})


def drafts(*rounds: list[DraftQuestion]) -> ScriptedLlm:
    """A model that offers these questions round by round, and afterwards none."""
    remaining = iter(rounds)
    return ScriptedLlm({"questions": lambda _: DraftQuestions(questions=next(remaining, []))})


def examine(llm: Any, count: int = 1, rounds: int = 2) -> Examined:
    settings = ExamineSettings(questions=count, sample=50, rounds=rounds, duplicate=0.92, seed=7)
    embedder = WordEmbedder()
    return asyncio.run(Examiner(llm, embedder, settings).examine(PUMP, Corpus((PUMP, LIFT), embedder)))


def draft(level: Level, text: str, evidence: str = VALVE) -> DraftQuestion:
    return DraftQuestion(level=level, text=text, evidence=evidence)


GOOD: dict[Level, DraftQuestion] = {
    "keyword": draft("keyword", "pump suction valve closing"),
    "direct": draft("direct", "How do I shut the line in front of the machine by hand?"),
    "symptom": draft("symptom", "Liquid keeps running in although the wheel of the valve has been turned."),
    "scenario": draft(
        "scenario",
        "I am alone tonight and have to take the machine out. The cable is off. Which valve is shut by hand?",
    ),
    "conditional": draft(
        "conditional",
        "If the motor is still hot and the hand wheel of the valve is free, may I shut it before the rest?",
    ),
}


def test_five_levels_get_one_question_each_with_stable_ids() -> None:
    examined = examine(drafts(list(GOOD.values())), 5)
    assert [(one.id, one.level) for one in examined.questions] == [
        (f"pump-q{number}", level) for number, level in enumerate(LEVELS, 1)
    ]
    assert (examined.dropped, examined.rounds, examined.drafts) == ([], 1, 5)


def test_a_rejected_question_is_asked_for_again_with_the_reason() -> None:
    level = wanted_levels(1, 7, "pump")[0]
    bad = draft(level, GOOD[level].text, evidence="Open the valve with a wrench.")
    llm = drafts([bad], [GOOD[level]])
    examined = examine(llm)
    assert [one.text for one in examined.questions] == [GOOD[level].text]
    assert "word for word" in llm.requests[1][1].rejected[0].reason
    assert (examined.rounds, examined.drafts, examined.dropped) == (2, 2, [])


def test_after_the_last_round_the_question_is_dropped_and_reported() -> None:
    level = wanted_levels(1, 7, "pump")[0]
    bad = draft(level, GOOD[level].text, evidence="Open the valve with a wrench.")
    llm = drafts([bad], [bad], [bad], [bad])
    examined = examine(llm, rounds=2)
    assert len(llm.requests) == 3
    assert examined.questions == []
    assert {lost.level for lost in examined.dropped} == {level}


def test_of_two_drafts_the_one_that_quotes_less_is_taken() -> None:
    level = wanted_levels(1, 7, "pump")[0]
    words = {"keyword": "close suction valve", "conditional": "If the flange bolts are rusty, do I soak them for long?"}
    quoting = draft(
        level, words.get(level, "I have to close the suction valve V3 by hand, and what is the next thing?")
    )
    examined = examine(drafts([quoting, GOOD[level]]))
    assert [one.text for one in examined.questions] == [GOOD[level].text]


def test_a_model_that_offers_nothing_ends_the_rounds() -> None:
    llm = drafts()
    examined = examine(llm, 5)
    assert len(llm.requests) == 1
    assert [lost.level for lost in examined.dropped] == list(LEVELS)


def test_questions_already_taken_are_told_in_the_next_round() -> None:
    llm = drafts([GOOD["keyword"]])
    examine(llm, 5)
    assert GOOD["keyword"].text in [one.text for one in llm.requests[1][1].rejected]
    assert "keyword" not in llm.requests[1][1].levels


@pytest.mark.parametrize("count", [1, 3, 5, 7, 25])
def test_levels_are_spread_as_evenly_as_can_be(count: int) -> None:
    counts = Counter(wanted_levels(count, 7, "pump"))
    assert sum(counts.values()) == count
    assert max(counts.values()) - min(counts.get(level, 0) for level in LEVELS) <= 1


def test_single_questions_of_many_sops_cover_all_levels() -> None:
    assert {wanted_levels(1, 7, f"sop-{number}")[0] for number in range(60)} == set(LEVELS)


@pytest.mark.parametrize("count", [1, 5, 10])
def test_the_rules_deliver_distinct_questions_for_a_whole_sop(count: int) -> None:
    examined = examine(RulesLlm(), count)
    assert len({one.text for one in examined.questions}) == count
    assert all(one.evidence in BODY for one in examined.questions)


def test_the_same_seed_gives_the_same_questions() -> None:
    assert examine(RulesLlm(), 5) == examine(RulesLlm(), 5)


def test_a_spare_of_each_harder_level_takes_the_place_of_a_refused_question() -> None:
    bad = draft("symptom", GOOD["symptom"].text, evidence="Open the valve with a wrench.")
    llm = drafts([bad, *GOOD.values()])
    examined = examine(llm, 5)
    asked = Counter(llm.requests[0][1].levels)
    assert asked == {"keyword": 1, "direct": 1, "symptom": 2, "scenario": 2, "conditional": 2}
    assert (len(examined.questions), len(llm.requests)) == (5, 1)
