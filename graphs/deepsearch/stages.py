"""The steps of a research run, each of which reads from and writes to the run folder.

So an interrupted run can repeat any step and finds finished work.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from typing import Any

from soprag.agents.deepsearch.searcher import Assignment
from soprag.graphs.deepsearch.context import ResearchContext
from soprag.tools.errors import BudgetSpent, ConfigError, CreditsSpent, SopragError, StorageError, UsageError
from soprag.tools.research.records import (
    BROKEN,
    AgentName,
    AgentSelection,
    Judgement,
    Subtask,
    SubtaskEvidence,
    SubtaskOutcome,
    SubtaskPlan,
    Version,
)
from soprag.tools.sop import digest

log = logging.getLogger(__name__)

Emit = Callable[[dict[str, Any]], None]
FATAL = (ConfigError, StorageError, UsageError)  # the next subtask would only fail in the same way
_PICTURES = re.compile(r"\b(?:pictures?|diagrams?|drawings?|images?|photos?|figures?)\b", re.IGNORECASE)
_CONTEXT = 6  # statements of each subtask that a dependent one is told


async def plan(research: ResearchContext, emit: Emit) -> list[str]:
    """Plan, or reopen an existing plan; returns all subtask ids. Failed and cut-off subtasks are reset."""
    if not await asyncio.to_thread(research.run.has, "plan", "plan"):
        emit({"stage": "plan", "note": "taking the question apart"})
        planned = await research.planner.plan(research.question)
        await asyncio.to_thread(research.run.write, "plan", "plan", planned)
    ids = await asyncio.to_thread(_reopen, research)
    for subtask in (await asyncio.to_thread(research.plan)).subtasks:
        needs = f", after {', '.join(subtask.depends_on)}" if subtask.depends_on else ""
        emit({"stage": "plan", "note": f"{subtask.id}: {subtask.query}{needs}"})
    emit({"stage": "investigate", "total": len(ids)})
    return ids


def _reopen(research: ResearchContext) -> list[str]:
    plan = research.plan()
    research.endings.clear()
    cut = {evidence.subtask for evidence in research.run.read_all("evidence", SubtaskEvidence) if evidence.cut}
    for outcome in research.outcomes():
        if outcome.status in BROKEN or outcome.subtask in cut:
            research.run.drop("outcomes", outcome.subtask)
            for name in research.agents:
                research.run.drop("evidence", f"{outcome.subtask}-{name}")
    return [subtask.id for subtask in plan.subtasks]


async def investigate(research: ResearchContext, id: str, emit: Emit) -> None:
    """Run one subtask after its dependencies; writes an outcome unless the error is fatal."""
    subtasks = {subtask.id: subtask for subtask in (await asyncio.to_thread(research.plan)).subtasks}
    subtask = subtasks[id]
    try:
        if await asyncio.to_thread(research.run.has, "outcomes", id):
            outcome = await asyncio.to_thread(research.run.read, "outcomes", id, SubtaskOutcome)
        else:
            outcome = await _outcome(research, subtask, emit)
            await asyncio.to_thread(research.run.write, "outcomes", id, outcome)
    finally:
        research.ending(id).set()
        await keep_ledger(research)
    emit({"stage": "investigate", "item": subtask.query, "outcome": outcome.status})


async def _outcome(research: ResearchContext, subtask: Subtask, emit: Emit) -> SubtaskOutcome:
    for need in subtask.depends_on:
        needed = await _ended(research, need)
        if needed.status in BROKEN:
            return SubtaskOutcome(
                subtask=subtask.id, status="skipped", reason=f"It needs {need!r}, which ended {needed.status}."
            )
    async with research.gate:
        selection = await asyncio.to_thread(research.selector.select, subtask)
        await asyncio.to_thread(research.run.write, "selections", subtask.id, selection)
        agents = " and ".join(selection.agents)
        emit({"stage": "investigate", "note": f"{subtask.id}: the {agents} agent"})

        def note(standing: str) -> None:
            emit({"stage": "investigate", "note": f"{subtask.id}: {standing}"})

        before = await asyncio.to_thread(_needed, research, subtask)
        sources = tuple(dict.fromkeys(source for evidence in before for source in evidence.sources))
        assignment = Assignment(subtask, _context(subtask, before), note, sources)
        return await _send_out(research, assignment, selection)


async def _ended(research: ResearchContext, id: str) -> SubtaskOutcome:
    if not await asyncio.to_thread(research.run.has, "outcomes", id):
        await research.ending(id).wait()
    return await asyncio.to_thread(research.run.read, "outcomes", id, SubtaskOutcome)


async def _send_out(research: ResearchContext, assignment: Assignment, selection: AgentSelection) -> SubtaskOutcome:
    """Run all selected agents concurrently; one failure does not discard the others' results."""
    subtask = assignment.subtask
    calls = (_evidence(research, name, assignment) for name in selection.agents)
    results = await asyncio.gather(*calls, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    for error in errors:
        if isinstance(error, FATAL) or not isinstance(error, Exception):
            raise error
        if not isinstance(error, SopragError):
            log.error("The subtask %r crashed", subtask.id, exc_info=error)
    collected = [result for result in results if isinstance(result, SubtaskEvidence)]
    if _needs_web(subtask, selection, collected):
        assignment.note("no page answers it: the web agent as well")
        collected, errors = await _by_web(research, assignment, collected, errors)
    reasons = " ".join(dict.fromkeys(str(error) or repr(error) for error in errors))
    if any(evidence.claims for evidence in collected):
        return SubtaskOutcome(subtask=subtask.id, status="done", reason=reasons)
    if any(isinstance(error, BudgetSpent | CreditsSpent) for error in errors) or any(
        evidence.cut for evidence in collected
    ):
        return SubtaskOutcome(subtask=subtask.id, status="budget", reason=reasons or "The budget was used up.")
    if not collected:
        return SubtaskOutcome(subtask=subtask.id, status="failed", reason=reasons)
    notes = [note for evidence in collected for note in evidence.notes]
    return SubtaskOutcome(subtask=subtask.id, status="empty", reason=" ".join([reasons, *notes]).strip()[:500])


def _needs_web(subtask: Subtask, selection: AgentSelection, collected: list[SubtaskEvidence]) -> bool:
    """Whether no page or procedure was cited by the selected agents, the web agent not among them.

    A subtask that asks for pictures is answered by their titles and captions.
    """
    if "web" in selection.agents or _PICTURES.search(f"{subtask.query} {subtask.instructions}"):
        return False
    return not any(evidence.claims and evidence.pages for evidence in collected)


async def _by_web(
    research: ResearchContext,
    assignment: Assignment,
    collected: list[SubtaskEvidence],
    errors: list[BaseException],
) -> tuple[list[SubtaskEvidence], list[BaseException]]:
    """The evidence of the web agent in place of the other agents' if it has any, else beside it."""
    try:
        evidence = await _evidence(research, "web", assignment)
    except SopragError as error:
        if isinstance(error, FATAL):
            raise
        return collected, [*errors, error]
    if not evidence.claims:
        return [*collected, evidence], errors
    for other in collected:
        await asyncio.to_thread(research.run.drop, "evidence", f"{other.subtask}-{other.agent}")
    return [evidence], errors


async def _evidence(research: ResearchContext, name: AgentName, assignment: Assignment) -> SubtaskEvidence:
    key = f"{assignment.subtask.id}-{name}"
    if not await asyncio.to_thread(research.run.has, "evidence", key):
        evidence = await research.agents[name].investigate(assignment)
        await asyncio.to_thread(research.run.write, "evidence", key, evidence)
    return await asyncio.to_thread(research.run.read, "evidence", key, SubtaskEvidence)


def _needed(research: ResearchContext, subtask: Subtask) -> list[SubtaskEvidence]:
    """The evidence of the dependencies of a subtask."""
    return [
        research.run.read("evidence", f"{need}-{name}", SubtaskEvidence)
        for need in subtask.depends_on
        for name in research.agents
        if research.run.has("evidence", f"{need}-{name}")
    ]


def _context(subtask: Subtask, needed: list[SubtaskEvidence]) -> str:
    """The context of a subtask: from the plan, and the claims of its dependencies."""
    statements = [f"- {claim.text}" for evidence in needed for claim in evidence.claims[:_CONTEXT]]
    return "\n".join([*([subtask.context] if subtask.context else []), *statements])


async def write(research: ResearchContext, number: int) -> None:
    """Write version `number`, unless the one on disk was written from the same evidence and feedback."""
    material = await asyncio.to_thread(research.material, number - 1)
    before = await asyncio.to_thread(research.version, number - 1) if number > 1 else None
    basis = digest(
        material.plan.model_dump_json() + "".join(evidence.model_dump_json() for evidence in material.evidence)
    )
    if before:
        basis = digest(basis + "".join(judgement.model_dump_json() for judgement in before.judgements))
    written = await asyncio.to_thread(research.run.has, "versions", str(number))
    if written and (await asyncio.to_thread(research.version, number)).basis == basis:
        return
    version = await research.writer.write(material, number, before)
    version = version.model_copy(update={"basis": basis})
    await asyncio.to_thread(research.run.write, "versions", str(number), version)


async def judge(research: ResearchContext, number: int, emit: Emit) -> Version:
    """Have all judges mark the version; failing judges are skipped, and at least one must succeed."""
    version = await asyncio.to_thread(research.version, number)
    if not version.judgements and research.judges and version.sections:
        material = await asyncio.to_thread(research.material, number - 1)
        outcomes = await asyncio.to_thread(research.outcomes)
        calls = (assessor.judge(material, version, outcomes) for assessor in research.judges)
        results = await asyncio.gather(*calls, return_exceptions=True)
        judgements = tuple(result for result in results if isinstance(result, Judgement))
        errors = [result for result in results if isinstance(result, BaseException)]
        for error in errors:
            if not isinstance(error, SopragError) or isinstance(error, FATAL) or not judgements:
                raise error
            log.warning("A judge could not be asked: %s", error)
        version = version.model_copy(update={"judgements": judgements})
        await asyncio.to_thread(research.run.write, "versions", str(number), version)
    emit({"stage": "judge", "item": f"version {number}: {version.score:.1f} of 4", "outcome": "judged"})
    return version


async def add_judgement(research: ResearchContext, number: int, person: Judgement) -> Version:
    """The version with the judgement of a person, which replaces an earlier one of theirs."""
    version = await asyncio.to_thread(research.version, number)
    others = tuple(judgement for judgement in version.judgements if judgement.judge != person.judge)
    version = version.model_copy(update={"judgements": (*others, person)})
    await asyncio.to_thread(research.run.write, "versions", str(number), version)
    return version


async def extend(research: ResearchContext, number: int, emit: Emit) -> list[str]:
    """The subtasks that the judges of version `number` ask for, put into the plan; their ids."""

    def add() -> SubtaskPlan:
        plan = research.plan()
        if any(subtask.round == number for subtask in plan.subtasks):
            return plan
        missing = tuple(query for judgement in research.version(number).judgements for query in judgement.missing)
        extended = research.planner.extend(plan, missing, number)
        research.run.write("plan", "plan", extended)
        return extended

    extended = await asyncio.to_thread(add)
    emit({"stage": "investigate", "total": len(extended.subtasks)})
    return [subtask.id for subtask in extended.subtasks if subtask.round == number]


async def keep_ledger(research: ResearchContext) -> None:
    """Write this process's model usage to the run folder."""
    await asyncio.to_thread(research.run.write, "ledger", research.page, research.ledger)


def finished(research: ResearchContext, number: int) -> bool:
    """Whether version `number` is the last: good, approved, N_max, out of budget, or no different from before."""
    version = research.version(number)
    if not version.sections:
        return True
    approved = [judgement.approved for judgement in version.judgements if judgement.approved is not None]
    good = all(approved) if approved else version.score >= research.settings.good_enough
    if good or number >= research.settings.versions or research.llm.spent:
        return True
    return number > 1 and version.sections == research.version(number - 1).sections
