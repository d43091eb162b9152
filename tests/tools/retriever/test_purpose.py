"""A report of a fault moves response procedures up, an order for work the planned work."""

import numpy as np
import pytest

from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.retriever.query.purpose import PurposeAxis

RESPONSE, WORK = "CRAC Type B Alarm Response", "CRAC Unit Type A: Filter and Drive Belt Replacement"


@pytest.mark.parametrize(
    ("question", "agrees"),
    [
        ("crac high humidity alarm", RESPONSE),
        ("the unit tripped and shows an error", RESPONSE),
        ("replace the coolant pump P1", WORK),
        ("how do I change the filter", WORK),
    ],
)
def test_a_report_asks_for_a_response_and_an_order_for_the_work(question: str, agrees: str) -> None:
    model = MiniLm()
    vectors = np.asarray(model.embed([question, RESPONSE, WORK]))
    response, work = PurposeAxis.of(model).agreement(vectors[0], vectors[1:]).tolist()
    assert (response > work) == (agrees == RESPONSE)


def test_agreement_stays_between_minus_one_and_one() -> None:
    axis = PurposeAxis(np.array([9.0, 0.0]))
    agreement = axis.agreement(np.array([1.0, 0.0]), np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]))
    assert agreement.tolist() == pytest.approx([1, -1, 0])
