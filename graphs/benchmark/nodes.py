"""The nodes of the benchmark builder: each runs one stage on the collaborators of the run's folder."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from soprag.graphs.benchmark import stages
from soprag.graphs.benchmark.context import BenchmarkContext, BuildContext
from soprag.graphs.benchmark.runner import ItemStage
from soprag.graphs.benchmark.state import BenchmarkItem, BenchmarkState

Update = dict[str, Any]


async def collect(state: BenchmarkState, runtime: Runtime[BenchmarkContext]) -> Update:
    """Topic to raw files."""
    context, topic = runtime.context, state["topic"]
    start = context.runs.start
    run = state.get("run") or str(await asyncio.to_thread(start, topic, state.get("source", ""), context.profile))
    documents = await stages.collect(await _build(runtime, run), topic, runtime.stream_writer)
    return {"run": run, "documents": _announce(runtime, "archive", documents)}


async def archive(state: BenchmarkItem, runtime: Runtime[BenchmarkContext]) -> Update:
    """One file to Markdown."""
    return {"parsed": await _stage(stages.archive, state, runtime)}


async def merge(state: BenchmarkState, runtime: Runtime[BenchmarkContext]) -> Update:
    """Files with the same words become one."""
    build = await _build(runtime, state["run"])
    merged = await asyncio.to_thread(stages.merge, build, state.get("parsed", []))
    return {"merged": _announce(runtime, "audit", merged)}


async def audit(state: BenchmarkItem, runtime: Runtime[BenchmarkContext]) -> Update:
    """Keep or reject one document, and split it into SOPs."""
    return {"audited": await _stage(stages.audit, state, runtime)}


async def sample(state: BenchmarkState, runtime: Runtime[BenchmarkContext]) -> Update:
    """Choose the SOPs that get questions."""
    build = await _build(runtime, state["run"])
    sampled = await asyncio.to_thread(stages.sample, build, state.get("audited", []))
    return {"sampled": _announce(runtime, "examine", sampled)}


async def examine(state: BenchmarkItem, runtime: Runtime[BenchmarkContext]) -> Update:
    """Questions for one SOP."""
    return {"examined": await _stage(stages.examine, state, runtime)}


async def measure(state: BenchmarkState, runtime: Runtime[BenchmarkContext]) -> Update:
    """A panel of systems is tried on the questions."""
    await stages.measure(await _build(runtime, state["run"]), runtime.stream_writer)
    return {}


async def publish(state: BenchmarkState, runtime: Runtime[BenchmarkContext]) -> Update:
    """The run becomes a benchmark folder."""
    return {"summary": await asyncio.to_thread(stages.publish, await _build(runtime, state["run"]))}


async def _stage(stage: ItemStage, state: BenchmarkItem, runtime: Runtime[BenchmarkContext]) -> list[str]:
    build = await _build(runtime, state["run"])
    return await runtime.context.runner.run(stage, build, state["id"], runtime.stream_writer)


async def _build(runtime: Runtime[BenchmarkContext], run: str) -> BuildContext:
    return await asyncio.to_thread(runtime.context.runs.open, run)


def _announce(runtime: Runtime[BenchmarkContext], stage: str, ids: list[str]) -> list[str]:
    """Emit the number of items of the next stage as a progress event."""
    runtime.stream_writer({"stage": stage, "total": len(ids)})
    return ids
