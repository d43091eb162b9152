"""The knowledge expert answers questions across procedures; questions about what to do stay with retrieval."""

import asyncio
from pathlib import Path

import pytest
from langgraph.graph import START, StateGraph
from pydantic import BaseModel
from typing_extensions import TypedDict

from soprag.agents.experts.knowledge import KnowledgeExpert
from soprag.apps.compose.knowledge import lazily_asked
from soprag.configs.settings import load
from soprag.tools.history import StepFailure
from soprag.tools.knowledge.asking import ask
from soprag.tools.protocols import ExpertResult, Work
from soprag.tools.rules.planning import is_across
from tests.tools.knowledge.plant import PUMP, TANK, follow, open_plant, sop


@pytest.fixture
def expert(tmp_path: Path) -> KnowledgeExpert:
    index, library = open_plant(tmp_path, sop("pump", PUMP), sop("tank", TANK))
    follow(library, index)
    return KnowledgeExpert(lambda question, hops: ask(library, question))


def work(expert: KnowledgeExpert, question: str) -> ExpertResult | StepFailure:
    return asyncio.run(expert.work(Work(task=question, arguments={"question": question})))


def test_a_graph_whose_node_asks_is_not_mixed_with_the_graph_that_reads(tmp_path: Path) -> None:
    index, _ = open_plant(tmp_path, sop("pump", PUMP), sop("tank", TANK))
    answer = lazily_asked(load(environment={}), index)

    class Asking(TypedDict):
        question: str

    class AskingContext(BaseModel):
        operator: str

    async def node(state: Asking) -> Asking:
        replies = await asyncio.to_thread(answer, state["question"], 3)
        return {"question": replies[0].paths[0].lines[0].document}

    graph = StateGraph(Asking, context_schema=AskingContext)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    question: Asking = {"question": "which procedures touch valve V-7?"}
    result = asyncio.run(graph.compile().ainvoke(question, context=AskingContext(operator="ann")))
    assert result["question"] in ("pump", "tank")


def test_procedures_that_touch_a_valve_are_quoted_with_their_lines(expert: KnowledgeExpert) -> None:
    result = work(expert, "which procedures touch valve V-7?")
    assert isinstance(result, ExpertResult)
    assert {source.partition(":")[0] for source in result.sources} == {"pump", "tank"}


def test_what_the_graph_does_not_hold_is_an_empty_failure(expert: KnowledgeExpert) -> None:
    result = work(expert, "which procedures touch valve V-99?")
    assert isinstance(result, StepFailure) and result.kind == "empty"


@pytest.mark.parametrize(
    "question",
    [
        "which procedures touch pump P-101?",
        "what can cause low coolant flow and which card answers it?",
        "which steps of which SOPs need a second person?",
        "list all procedures that use the torque wrench",
    ],
)
def test_a_question_about_a_set_of_procedures_goes_to_the_graph(question: str) -> None:
    assert is_across(question)


@pytest.mark.parametrize(
    "question",
    [
        "which procedure do I follow when pump P-101 trips?",
        "what steps do I take to restart the chiller?",
        "what causes low coolant flow?",
        "which procedures should I start with after a leak?",
    ],
)
def test_a_question_about_what_to_do_stays_with_retrieval(question: str) -> None:
    assert not is_across(question)
