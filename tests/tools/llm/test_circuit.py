"""When a failing model is asked again."""

import pytest

from soprag.tools.errors import AnswerCut, AnswerInvalid, ModelError, ModelRefused, ModelUnavailable
from soprag.tools.llm.circuit import Circuit


class Clock:
    """Seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.parametrize(
    ("answered", "error", "closed"),
    [
        (True, AnswerInvalid("x"), {"answer"}),
        (False, AnswerInvalid("x"), {"answer", "plan"}),
        (True, ModelUnavailable("x"), {"answer", "plan"}),
        (False, AnswerCut("x"), set()),
        (False, ModelRefused("x"), set()),
        (False, ModelError("x"), set()),
    ],
)
def test_what_a_failure_keeps_from_the_model(clock: Clock, answered: bool, error: ModelError, closed: set[str]) -> None:
    circuit = Circuit(clock)
    if answered:
        circuit.answered()
    follows = circuit.failed("answer", error)
    assert {task for task in ("answer", "plan") if circuit.reason(task)} == closed
    assert bool(follows) == bool(closed)


def test_the_model_is_asked_again_after_a_while(clock: Clock) -> None:
    circuit = Circuit(clock)
    circuit.failed("answer", ModelUnavailable("x"))
    clock.now = 29.0
    assert circuit.reason("plan")
    clock.now = 31.0
    assert not circuit.reason("plan")
