"""The nodes of DeepSearch: each runs one stage on the collaborators of the run's folder.

`confirm` only interrupts: a node that interrupts runs again from its first line when the answer comes.
"""

import asyncio
from typing import Any, Literal

from langchain.agents.middleware.human_in_the_loop import HITLResponse
from langgraph.runtime import Runtime
from langgraph.types import Command, Send, interrupt

from soprag.graphs.deepsearch import stages
from soprag.graphs.deepsearch.context import DeepSearchContext, ResearchContext
from soprag.graphs.deepsearch.review import judgement_of, propose
from soprag.graphs.deepsearch.state import DeepSearchState, SubtaskItem
from soprag.tools.approval import read_decision
from soprag.tools.publishing.research import publish_research
from soprag.tools.web.budget import RESOURCES, Amounts

Update = dict[str, Any]


async def plan(state: DeepSearchState, runtime: Runtime[DeepSearchContext]) -> Update:
    """The question becomes subtasks."""
    context, question = runtime.context, state["question"]
    run = state.get("run") or str(await asyncio.to_thread(context.runs.start, question, context.profile))
    research = await asyncio.to_thread(context.runs.open, run)
    subtasks = await stages.plan(research, runtime.stream_writer)
    return {"run": run, "version": 1, "decision": None, "open": subtasks}


async def investigate(state: SubtaskItem, runtime: Runtime[DeepSearchContext]) -> Update:
    """One subtask becomes evidence."""
    research = await asyncio.to_thread(runtime.context.runs.open, state["run"])
    await stages.investigate(research, state["id"], runtime.stream_writer)
    return {}


async def write(state: DeepSearchState, runtime: Runtime[DeepSearchContext]) -> Update:
    """All evidence becomes a version of the report."""
    await stages.write(await _research(state, runtime), state["version"])
    return {}


async def judge(state: DeepSearchState, runtime: Runtime[DeepSearchContext]) -> Command[Literal["confirm", "decide"]]:
    """The judges mark the version; a person among them is asked next."""
    research = await _research(state, runtime)
    version = await stages.judge(research, state["version"], runtime.stream_writer)
    if "human" not in research.settings.judges or not version.sections or version.heard:
        return Command(goto="decide")
    return Command(goto="confirm", update={"proposal": propose(research.question, version)})


def confirm(state: DeepSearchState) -> Command[Literal["confirm", "decide"]]:
    """A person approves the version, or says what is missing; a reply without a decision is asked for again."""
    decision = read_decision(interrupt(state["proposal"], response_schema=HITLResponse))
    return Command(goto="confirm") if decision.error else Command(goto="decide", update={"decision": decision})


async def decide(
    state: DeepSearchState, runtime: Runtime[DeepSearchContext]
) -> Command[Literal["investigate", "write", "publish"]]:
    """Publish a version that is good enough or the last; otherwise run new subtasks or write the next version."""
    research, number, decision = await _research(state, runtime), state["version"], state["decision"]
    if decision:
        await stages.add_judgement(research, number, judgement_of(decision))
    if await asyncio.to_thread(stages.finished, research, number):
        return Command(goto="publish")
    added = await stages.extend(research, number, runtime.stream_writer)
    update = {"version": number + 1, "open": added, "decision": None}
    return Command(goto=send_out(state["run"], added) or "write", update=update)


async def publish(state: DeepSearchState, runtime: Runtime[DeepSearchContext]) -> Update:
    """The best version becomes the report."""
    research = await _research(state, runtime)
    await stages.keep_ledger(research)
    amounts: Amounts = {resource: research.budget.spent(resource) for resource in RESOURCES}
    report = await asyncio.to_thread(publish_research, research.run, research.searched, research.llm.spent, amounts)
    return {"report": report}


def send_out(run: str, subtasks: list[str]) -> list[Send]:
    """One task per subtask."""
    return [Send("investigate", SubtaskItem(run=run, id=id)) for id in subtasks]


async def _research(state: DeepSearchState, runtime: Runtime[DeepSearchContext]) -> ResearchContext:
    return await asyncio.to_thread(runtime.context.runs.open, state["run"])
