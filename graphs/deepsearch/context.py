"""The collaborators of DeepSearch: run folders, and for each of them its agents, budget and limits."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import Field

from soprag.agents.deepsearch.judge import Judge, RubricJudge
from soprag.agents.deepsearch.planner import Planner
from soprag.agents.deepsearch.searcher import SearchingAgent
from soprag.agents.deepsearch.selector import Selector
from soprag.agents.deepsearch.writer import ReportMaterial, Writer
from soprag.configs.settings import ResearchSettings
from soprag.graphs.benchmark.context import RULES
from soprag.graphs.context import Collaborator, RunContext
from soprag.tools.llm import Ledger
from soprag.tools.research.budgeted import BudgetedLlm
from soprag.tools.research.records import AgentName, SubtaskEvidence, SubtaskOutcome, SubtaskPlan, Version
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.web.budget import RunBudget


@dataclass(frozen=True)
class ResearchContext:
    """The collaborators of one piece of research; `searched` says in words where it looks."""

    run: RunFolder
    question: str
    llm: BudgetedLlm
    planner: Planner
    selector: Selector
    agents: Mapping[AgentName, SearchingAgent]
    writer: Writer
    judges: tuple[Judge, ...]
    budget: RunBudget
    settings: ResearchSettings
    searched: str
    page: str
    gate: asyncio.Semaphore = field(init=False)
    endings: dict[str, asyncio.Event] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # A semaphore of our own and never LangGraph's max_concurrency: with that, finished siblings are not saved.
        object.__setattr__(self, "gate", asyncio.Semaphore(self.settings.concurrency))

    @property
    def ledger(self) -> Ledger:
        """What this process asked of models, a judge with a model of its own included."""
        own_models = [
            judge.llm for judge in self.judges if isinstance(judge, RubricJudge) and judge.llm is not self.llm
        ]
        return sum((llm.ledger for llm in own_models if llm.name != RULES), self.llm.ledger)

    def ending(self, subtask: str) -> asyncio.Event:
        """Set as soon as the subtask has an outcome."""
        return self.endings.setdefault(subtask, asyncio.Event())

    def plan(self) -> SubtaskPlan:
        """The plan as it is on disk."""
        return self.run.read("plan", "plan", SubtaskPlan)

    def outcomes(self) -> tuple[SubtaskOutcome, ...]:
        """How the subtasks ended that have ended."""
        return tuple(self.run.read_all("outcomes", SubtaskOutcome))

    def material(self, round: int) -> ReportMaterial:
        """All evidence of the subtasks up to `round`."""
        plan = self.plan()
        included = {subtask.id for subtask in plan.subtasks if subtask.round <= round}
        plan = plan.model_copy(
            update={"subtasks": tuple(subtask for subtask in plan.subtasks if subtask.id in included)}
        )
        evidence = tuple(
            evidence for evidence in self.run.read_all("evidence", SubtaskEvidence) if evidence.subtask in included
        )
        return ReportMaterial(self.question, plan, evidence)

    def version(self, number: int) -> Version:
        """One version of the report as it is on disk."""
        return self.run.read("versions", str(number), Version)


class ResearchRuns(Protocol):
    """Run folders of DeepSearch; both methods block."""

    def start(self, question: str, profile: str) -> Path:
        """Make the folder of a new run."""
        ...

    def open(self, run: str) -> ResearchContext:
        """The collaborators of a run, the same object every time."""
        ...


@dataclass(frozen=True)
class OpenedResearch:
    """A single run that is open already."""

    research: ResearchContext

    def start(self, question: str, profile: str) -> Path:
        """Its folder."""
        return self.research.run.path

    def open(self, run: str) -> ResearchContext:
        """Its collaborators."""
        return self.research


class DeepSearchContext(RunContext):
    """The collaborators of DeepSearch."""

    profile: str = Field(
        default="", description="Profile of the settings of a new run; empty: `openai` with its key, else `offline`."
    )
    runs: Collaborator[ResearchRuns]
