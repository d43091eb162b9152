"""The review of a benchmark's questions: choose -> ask -> record -> choose ... -> publish.

Every decision is a file of the run folder, so that a review that was killed goes on with the first open question.
"""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from soprag.graphs.context import schema_of, with_default
from soprag.graphs.review import nodes
from soprag.graphs.review.context import ReviewContext
from soprag.graphs.review.state import ReviewInput, ReviewOutput, ReviewState

RECURSION_LIMIT = 25  # a reply takes three supersteps

ReviewGraph = CompiledStateGraph[ReviewState, ReviewContext, ReviewInput, ReviewOutput]


def create_question_review(
    *,
    context: ReviewContext | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "review",
) -> ReviewGraph:
    """The compiled graph in which a person reviews the questions of a benchmark.

    Args:
        context: The collaborators of runs that bring none: the reviewer's name and whoever opens run folders. Without
            it every call needs `context=`.
        checkpointer: Keeps the state between replies; needed, for every question interrupts. None for a graph that
            another one or a server runs, which bring their own.
        name: The name of the graph in traces and drawings.

    Returns:
        A graph that takes the folder of a run and interrupts with a `HITLRequest` for every question. Resume it with a
        `HITLResponse`: approve, edit (`question`, `level`), reject with the reason as its message, or respond with
        `skip`, `back` or `finish`. Its output counts the decisions; the benchmark is published again with them.
    """
    graph = StateGraph(
        ReviewState, context_schema=schema_of(ReviewContext, context), input_schema=ReviewInput,
        output_schema=ReviewOutput,
    )  # fmt: skip
    graph.add_node("choose", with_default(nodes.choose, context))
    graph.add_node("ask", nodes.ask)
    graph.add_node("record", with_default(nodes.record, context))
    graph.add_node("publish", with_default(nodes.publish, context))
    graph.add_edge(START, "choose")
    graph.add_edge("ask", "record")
    graph.add_edge("publish", END)
    return graph.compile(checkpointer=checkpointer, name=name).with_config(recursion_limit=RECURSION_LIMIT)
