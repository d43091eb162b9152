"""The nodes of the knowledge builder: each runs one stage on the collaborators of the run."""

import asyncio
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from soprag.graphs.knowledge import stages
from soprag.graphs.knowledge.context import KnowledgeContext, KnowledgeWork
from soprag.graphs.knowledge.state import DocumentTask, KnowledgeState, SummaryTask

Update = dict[str, Any]


async def collect(state: KnowledgeState, runtime: Runtime[KnowledgeContext]) -> Update:
    """The documents that are to be read; with `update` those that are gone are removed."""
    work = await _work(runtime)
    if state.get("update"):
        documents, removed = await asyncio.to_thread(stages.find_again, work)
    else:
        documents, removed = await asyncio.to_thread(stages.find, work, state.get("sources", [])), []
    runtime.stream_writer({"stage": "knowledge", "total": len(documents)})
    return {"documents": documents, "outcomes": removed}


async def read(state: DocumentTask, runtime: Runtime[KnowledgeContext]) -> Update:
    """One document to windows, names and quoted facts in the index."""
    outcome = await stages.read(await _work(runtime), state["document"])
    runtime.stream_writer({"stage": "knowledge", "item": outcome.sop, "outcome": outcome.event})
    return {"outcomes": [outcome]}


async def merge(state: KnowledgeState, runtime: Runtime[KnowledgeContext]) -> Update:
    """The names that denote the same thing are linked."""
    work = await _work(runtime)
    await asyncio.to_thread(work.library.merge_names)
    return {}


async def cluster(
    state: KnowledgeState, runtime: Runtime[KnowledgeContext]
) -> Command[Literal["summarise", "publish"]]:
    """The communities that changes touched are clustered again; the budget goes to the first that need a summary."""
    work, calls = await _work(runtime), runtime.context.summary_calls
    budget = work.calls if calls is None else calls
    clusters, missing = await asyncio.to_thread(stages.cluster, work)
    runtime.stream_writer({"stage": "summarise", "total": len(missing)})
    tasks = [SummaryTask(digest=digest, by_model=number < budget) for number, digest in enumerate(missing)]
    return Command(goto=[Send("summarise", task) for task in tasks] or "publish", update={"clusters": clusters})


async def summarise(state: SummaryTask, runtime: Runtime[KnowledgeContext]) -> Update:
    """The summary of one community."""
    made = await stages.summarise(await _work(runtime), state["digest"], by_model=state["by_model"])
    runtime.stream_writer({"stage": "summarise", "item": state["digest"], "outcome": "made"})
    return {"summarised": made}


async def publish(state: KnowledgeState, runtime: Runtime[KnowledgeContext]) -> Update:
    """The counts of the run."""
    work, made = await _work(runtime), len(state.get("summarised", []))
    outcomes, clusters = state.get("outcomes", []), state.get("clusters")
    return {"report": await asyncio.to_thread(stages.report, work, outcomes, clusters, made)}


async def _work(runtime: Runtime[KnowledgeContext]) -> KnowledgeWork:
    return await asyncio.to_thread(runtime.context.graph.open)
