"""Every graph takes its collaborators by LangGraph's run context, and shows a client what it may set."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from soprag.graphs.benchmark import create_benchmark_builder
from soprag.graphs.deepsearch import create_researcher
from soprag.graphs.flow import create_guided_run
from soprag.graphs.knowledge import create_knowledge_builder
from soprag.graphs.procedure import create_procedure
from soprag.graphs.review import create_question_review
from soprag.graphs.troubleshoot import create_troubleshooter
from soprag.graphs.troubleshoot.state import TroubleshootInput
from soprag.tools.errors import UsageError
from soprag.tools.flow.run import FlowRun
from soprag.tools.store.logbook import Logbook
from tests.graphs.guided import Books, desk

CONFIG: Any = {"configurable": {"thread_id": "t1"}}


def by_name(books: Books) -> dict[str, Any]:
    """The graphs as a server loads them for their schemas."""
    plan = desk(Path("unused"), books).cursor("coolant").plan
    return {
        "benchmark": create_benchmark_builder(),
        "deepsearch": create_researcher(),
        "flow": create_guided_run(),
        "knowledge": create_knowledge_builder(),
        "procedure": create_procedure(plan=plan),
        "review": create_question_review(),
        "troubleshoot": create_troubleshooter(),
    }


@pytest.mark.parametrize(
    "name", ["benchmark", "deepsearch", "flow", "knowledge", "procedure", "review", "troubleshoot"]
)
@pytest.mark.parametrize("part", ["input", "output", "context"])
def test_every_field_that_a_client_sees_has_a_description(name: str, part: str) -> None:
    graph = by_name(Books())[name]
    schema = getattr(graph, f"get_{part}_jsonschema")()
    assert schema["properties"], f"the {part} of {name} shows nothing"
    assert [field for field, about in schema["properties"].items() if not about.get("description")] == []


def test_no_collaborator_is_part_of_a_schema() -> None:
    shown = {name: set(graph.get_context_jsonschema()["properties"]) for name, graph in by_name(Books()).items()}
    assert shown == {
        "benchmark": {"profile"},
        "deepsearch": {"profile"},
        "flow": {"form", "operator"},
        "knowledge": {"summary_calls"},
        "procedure": {"procedure"},
        "review": {"reviewer"},
        "troubleshoot": {"form", "operator"},
    }


async def test_a_client_sets_one_field_and_the_default_context_gives_the_other_ones(tmp_path: Path) -> None:
    graph = create_guided_run(context=desk(tmp_path, Books()), checkpointer=InMemorySaver())
    request: Any = {"procedure": "coolant"}
    await graph.ainvoke(request, CONFIG, context=cast("Any", {"operator": "bob"}))
    begun = Logbook(tmp_path / "sessions/t1/logbook.jsonl").entries()[0]
    assert (begun.kind, begun.by) == ("flow begun", "bob")


async def test_a_context_given_to_a_call_replaces_the_default(tmp_path: Path) -> None:
    graph = create_guided_run(context=desk(tmp_path / "default", Books()), checkpointer=InMemorySaver())
    await graph.ainvoke({"procedure": "coolant"}, CONFIG, context=desk(tmp_path / "call", Books()))
    assert [folder.name for folder in tmp_path.iterdir()] == ["call"]


async def test_a_graph_without_a_context_says_what_is_missing() -> None:
    message = TroubleshootInput(messages=[HumanMessage("pump tripped")])
    with pytest.raises(UsageError, match="context="):
        await create_troubleshooter().ainvoke(message)


async def test_a_client_may_send_a_run_as_json(tmp_path: Path) -> None:
    guide = desk(tmp_path, Books())
    run = await asyncio.to_thread(lambda: guide.cursor("coolant").begin())
    sent: Any = {"flow": run.model_dump(mode="json")}
    result = await create_guided_run(context=guide, checkpointer=InMemorySaver()).ainvoke(sent, CONFIG)
    assert isinstance(result["flow"], FlowRun) and result["flow"].id == run.id


def test_the_words_of_our_errors_reach_the_clients_of_a_server() -> None:
    serde = pytest.importorskip("langgraph_api.serde")
    shown = serde.default(UsageError("There is no SOP 'x'."))
    assert shown == {"error": "UsageError", "message": "There is no SOP 'x'."}
