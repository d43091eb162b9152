"""A report of an abnormal state moves responses up; an order moves nothing."""

import numpy as np
import pytest

from soprag.benchmarks.quality.purpose_fitting import fit_model
from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.retriever.query.purpose import PurposeModel, TextClassifier, fitted_purpose

RESPONSE, WORK = "CRAC Type B Alarm Response", "CRAC Unit Type A: Filter and Drive Belt Replacement"


@pytest.mark.parametrize(
    "report", ["crac high humidity alarm", "the unit tripped and shows an error", "pump P-7 has stopped, no flow"]
)
def test_a_report_moves_the_response_up_and_planned_work_down(report: str) -> None:
    vectors = np.asarray(MiniLm().embed([report, RESPONSE, WORK]))
    response, work = fitted_purpose().agreement(vectors[0], vectors[1:], terms=5).tolist()
    assert response > 0 > work


@pytest.mark.parametrize("order", ["replace the coolant pump P1", "how do I change the filter"])
def test_an_order_moves_nothing(order: str) -> None:
    vectors = np.asarray(MiniLm().embed([order, RESPONSE, WORK]))
    assert fitted_purpose().agreement(vectors[0], vectors[1:], terms=5).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("text", "reports"),
    [("it is leaking", True), ("the valve is stuck", True), ("why is flow low?", False), ("use another seal", False)],
)
def test_a_report_tells_a_state_and_asks_nothing(text: str, reports: bool) -> None:
    assert fitted_purpose().is_report(text, np.asarray(MiniLm().embed([text]))[0]) is reports


def test_the_purpose_weighs_less_the_more_words_a_report_has() -> None:
    axis = TextClassifier(np.array([9.0, 0.0], np.float32), 0.0)
    model, gists = PurposeModel(axis, axis), np.array([[1.0, 0.0], [-1.0, 0.0]], np.float32)
    question = np.array([1.0, 0.0], np.float32)
    short, long = (model.agreement(question, gists, terms).tolist() for terms in (10, 40))
    assert short == pytest.approx([1, -1], abs=1e-3)
    assert long == pytest.approx([0.25, -0.25], abs=1e-3)
    bare, least = (model.agreement(question, gists, terms).tolist() for terms in (4, 2))
    assert bare == least == pytest.approx([2.5, -2.5], abs=1e-3)


@pytest.mark.slow
def test_the_shipped_weights_are_those_that_the_phrases_give() -> None:
    fitted = fit_model(MiniLm())
    shipped = fitted_purpose()
    for name in ("report", "response"):
        assert np.allclose(getattr(fitted, name).weights, getattr(shipped, name).weights, atol=0.01)
