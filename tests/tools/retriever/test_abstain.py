"""Saying that nothing fits, and asking the one question that tells twins apart."""

from pathlib import Path

import pytest

from soprag.tools.retriever.query.retriever import Retriever
from tests.tools.retriever.words import chosen, opened


@pytest.fixture(scope="module")
def careful(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    return opened(tmp_path_factory.mktemp("index"), settings=chosen(separate=10.0))


def test_a_question_of_another_world_has_no_answer(careful: Retriever) -> None:
    assert careful.find("which wine goes with grilled salmon and asparagus").abstained


def test_a_question_of_this_plant_has_one(careful: Retriever) -> None:
    assert not careful.find("reset the breaker of the coolant pump P-101").abstained


def test_the_nearest_are_named_even_so(careful: Retriever) -> None:
    assert careful.find("which wine goes with grilled salmon and asparagus").hits


def test_confidence_is_of_the_question_and_not_of_the_other_candidates(careful: Retriever, tmp_path: Path) -> None:
    fits = careful.find("brush the tubes of the condenser").hits[0].confidence
    strange = careful.find("brush the teeth of the unicorn").hits[0].confidence
    assert fits > strange + 0.2


def test_twins_are_told_apart_by_what_differs(careful: Retriever) -> None:
    question = careful.find("replace the lamp").separating
    assert "A" in question and "B" in question and question.endswith("?")


def test_what_was_said_is_not_asked(careful: Retriever) -> None:
    ranking = careful.find("replace the lamp of type B")
    assert ranking.hits[0].sop == "lamp-b"
    assert ranking.separating == ""


def test_procedures_that_have_nothing_in_common_need_no_question(careful: Retriever) -> None:
    assert careful.find("brush the tubes of the condenser").separating == ""


def test_hits_far_apart_need_no_question(tmp_path: Path) -> None:
    assert opened(tmp_path, settings=chosen(separate=0.0)).find("screw the new lamp in").separating == ""
