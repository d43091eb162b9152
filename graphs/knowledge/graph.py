"""The knowledge builder: collect, read*, merge, (cluster, summarise*), publish (* = one task per item).

What is read is a row of the index, and a document that is there as it is does nothing, so an interrupted run is gone
on with by running it again.
"""

from typing import Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from soprag.graphs.context import schema_of, with_default
from soprag.graphs.knowledge import nodes
from soprag.graphs.knowledge.context import KnowledgeContext
from soprag.graphs.knowledge.state import DocumentTask, KnowledgeInput, KnowledgeOutput, KnowledgeState, SummaryTask

RECURSION_LIMIT = 15  # six supersteps are needed; more would be a loop

KnowledgeBuilder = CompiledStateGraph[KnowledgeState, KnowledgeContext, KnowledgeInput, KnowledgeOutput]


def create_knowledge_builder(
    *,
    context: KnowledgeContext | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "knowledge",
) -> KnowledgeBuilder:
    """The compiled graph that reads documents into the knowledge graph of an index.

    Args:
        context: The collaborators of runs that bring none: whoever opens the knowledge graph, with its reader, models
            and budget. Without it every call needs `context=`.
        checkpointer: Keeps the state between supersteps. None for a graph that another one or a server runs, and where
            the index alone is to be resumed from: run it again with the same input.
        name: The name of the graph in traces and drawings.

    Returns:
        A graph that takes files, folders or research runs, or nothing for the SOPs of the index; its output is a report
        with the counts of documents, facts, model calls and communities.
    """
    graph = StateGraph(
        KnowledgeState,
        context_schema=schema_of(KnowledgeContext, context),
        input_schema=KnowledgeInput,
        output_schema=KnowledgeOutput,
    )
    graph.add_node("collect", with_default(nodes.collect, context))
    graph.add_node("read", with_default(nodes.read, context), input_schema=DocumentTask)
    graph.add_node("merge", with_default(nodes.merge, context))
    graph.add_node("cluster", with_default(nodes.cluster, context))
    graph.add_node("summarise", with_default(nodes.summarise, context), input_schema=SummaryTask)
    graph.add_node("publish", with_default(nodes.publish, context))
    graph.add_edge(START, "collect")
    graph.add_conditional_edges("collect", _documents, ["read", "merge"])
    graph.add_edge("read", "merge")
    graph.add_conditional_edges("merge", _communities, ["cluster", "publish"])
    graph.add_edge("summarise", "publish")
    graph.add_edge("publish", END)
    return graph.compile(checkpointer=checkpointer, name=name).with_config(recursion_limit=RECURSION_LIMIT)


def _documents(state: KnowledgeState) -> "list[Send] | Literal['merge']":
    return [Send("read", DocumentTask(document=found)) for found in state["documents"]] or "merge"


def _communities(state: KnowledgeState) -> Literal["cluster", "publish"]:
    return "cluster" if state.get("communities") else "publish"
