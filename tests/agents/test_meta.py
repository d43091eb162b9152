"""The action generator's plans by rule, and what is made of a model's."""

import pytest

from soprag.tools.flow.choice_reply import read
from soprag.tools.flow.message_intent import is_about
from soprag.tools.protocols import ToolCard
from soprag.tools.rules.planning import asks_quantity, plan
from soprag.tools.tasks.troubleshoot import ActionAsk, Past, ReplyAsk

TOOLS = [ToolCard(name=name, description="") for name in ("retrieval", "flow", "math", "search")]
FOUND = Past(step="s1", tool="retrieval", task="t", status="ok", kind="answer", about="pump")
EMPTY = Past(step="s1", tool="retrieval", task="t", status="failed", failure="empty")


def planned(question: str, *history: Past, tools: list[ToolCard] = TOOLS, **more: str) -> tuple[str, dict[str, str]]:
    made = plan(ActionAsk(question=question, history=list(history), tools=tools, left=5, **more))  # type: ignore[arg-type]
    return made.tool, {one.name: one.value for one in made.arguments}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Calculate the volume of 88 lb of CO2 at 15 °C", True),
        ("convert 5 bar to psi", True),
        ("What is the pressure drop over 100 m of pipe at 2 m/s?", True),
        ("the pressure is 5 bar and the pump tripped, what now?", False),
        ("how many people are needed to lift it?", False),
        ("P-101 trips at 3 bar", False),
    ],
)
def test_a_calculation_is_asked_for_by_a_verb_or_a_quantity_and_has_numbers_with_units(
    question: str, asked: bool
) -> None:
    assert asks_quantity(question) is asked


def test_a_question_goes_to_retrieval_a_calculation_to_math_and_guiding_to_the_flow() -> None:
    assert planned("the pump tripped") == ("retrieval", {"question": "the pump tripped"})
    assert planned("convert 5 bar to psi")[0] == "math"
    assert planned("guide me through the pump restart", FOUND) == ("flow", {"sop": "pump"})
    assert planned("the pump tripped", FOUND)[0] == "finish"


def test_a_follow_up_stays_with_the_procedure_and_another_subject_does_not() -> None:
    known = {"procedure": "pump", "title": "Restart the coolant pump P-101", "earlier": "the pump tripped"}
    assert planned("guide me through it", **known) == ("flow", {"sop": "pump"})
    assert planned("show me step 3 again", **known)[1]["sop"] == "pump"
    assert "sop" not in planned("the lift is stuck", **known)[1]
    assert planned("and if it leaks?", **known)[1]["question"] == "the pump tripped and if it leaks?"


def test_the_web_is_only_asked_when_no_procedure_fits_and_it_is_allowed() -> None:
    assert planned("odd noise in the gearbox", EMPTY)[0] == "search"
    assert planned("odd noise in the gearbox", EMPTY, tools=TOOLS[:3])[0] == "finish"


def test_words_of_the_title_and_of_procedures_alone_mean_the_procedure_found_before() -> None:
    assert is_about("what does step 2 of the pump procedure say?", "Restart the coolant pump P-101")
    assert not is_about("what about the lift?", "Restart the coolant pump P-101")


@pytest.mark.parametrize(
    ("reply", "choice", "kind"),
    [
        ("2", 2, "choice"),
        ("the first one", 1, "choice"),
        ("last", 2, "choice"),
        ("diesel", 1, "choice"),
        ("it is the electric one", 2, "choice"),
        ("7", 0, "more"),
        ("the one at gate 4", 0, "more"),
        ("how do I open the hangar door in a storm?", 0, "other"),
    ],
)
def test_a_reply_is_read_by_place_by_words_or_not_at_all(reply: str, choice: int, kind: str) -> None:
    read_ = read(
        ReplyAsk(asked="connect the GPU", choices=["Ground Power - Diesel", "Ground Power - Electric"], reply=reply)
    )
    assert (read_.choice, read_.kind) == (choice, kind)


def test_a_number_that_is_one_place_and_another_name_is_asked_again() -> None:
    assert read(ReplyAsk(asked="q", choices=["Pump 2", "Pump 3"], reply="2")).kind == "unclear"
