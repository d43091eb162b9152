import pytest

from soprag.tools.rules.routing import route
from soprag.tools.tasks.retriever import Route, RouteAsk


def leading(found: Route) -> str:
    return max(("entity", "causal", "flow"), key=lambda name: getattr(found, name))


@pytest.mark.parametrize(
    ("question", "view"),
    [
        ("How do I restart the chilled water pump?", "flow"),
        ("What is the standard procedure for an emergency stop?", "flow"),
        ("Why does pump P-101 trip on high vibration?", "causal"),
        ("How can warmer water improve cooling efficiency?", "causal"),
        ("The fan keeps stopping, no air comes out and an error is shown since this morning.", "causal"),
        ("CRAC-A03 airflow loss", "entity"),
        ("Where is the status of CDU-2 and pump P-4 shown?", "entity"),
    ],
)
def test_the_words_of_a_question_decide_which_view_leads(question: str, view: str) -> None:
    assert leading(route(RouteAsk(question=question))) == view


def test_the_things_a_question_names_are_found_with_their_kinds() -> None:
    found = {
        entity.name: entity.kind
        for entity in route(RouteAsk(question="P-101: alarm E-042, flow below 5 L/min?")).entities
    }
    assert found["P-101"] == "asset"
    assert found["E-042"] == "alarm"


def test_a_question_without_certain_names_still_has_some() -> None:
    assert [entity.name for entity in route(RouteAsk(question="noobaa backing full")).entities] == [
        "noobaa backing full"
    ]


@pytest.mark.parametrize("question", ["", "???", "\x00\x1b", "Wo ist die Pumpe?", "if " * 10_000, "ポンプ"])
def test_any_question_has_a_route(question: str) -> None:
    found = route(RouteAsk(question=question))
    assert min(found.entity, found.causal, found.flow) >= 0
    assert found.intent
