"""The planner: a question becomes a directed acyclic graph of subtasks (paper 001, Algorithm 1, lines 3-4 and 13)."""

from dataclasses import dataclass

from soprag.agents.deepsearch.capabilities import capabilities
from soprag.tools.llm import Llm
from soprag.tools.research.dag import faults, flatten, ordered, subtask_of
from soprag.tools.research.records import Subtask, SubtaskPlan
from soprag.tools.tasks import deepsearch as tasks


@dataclass(frozen=True)
class Planner:
    """Plans at most `limit` subtasks; an invalid plan is retried once, then its dependencies are dropped."""

    llm: Llm
    limit: int

    async def plan(self, question: str) -> SubtaskPlan:
        """The plan, with a note for every correction."""
        drafts, problems = await self._draft(question, [])
        if not problems:
            return _plan(drafts, ())
        notes = ("The first plan was sent back: " + " ".join(problems),)
        drafts, problems = await self._draft(question, problems)
        if not problems:
            return _plan(drafts, notes)
        flat = "The second one was no better, so its subtasks run without their dependencies: " + " ".join(problems)
        return SubtaskPlan(subtasks=flatten(drafts, self.limit), notes=(*notes, flat))

    def extend(self, plan: SubtaskPlan, queries: tuple[str, ...], round: int) -> SubtaskPlan:
        """The plan with a subtask for each query the judges of version `round` asked for and nobody has asked yet."""
        queried = {subtask.query.casefold() for subtask in plan.subtasks}
        new = [
            query
            for query in dict.fromkeys(" ".join(query.split()) for query in queries)
            if query.casefold() not in queried
        ]
        added = tuple(
            Subtask(id=f"more-{round}-{number}", query=query[:400], round=round) for number, query in enumerate(new, 1)
        )
        return plan.model_copy(update={"subtasks": (*plan.subtasks, *added)})

    async def _draft(self, question: str, problems: list[str]) -> tuple[list[tasks.SubtaskDraft], list[str]]:
        cards = [
            tasks.AgentCard(name=capability.name, does=" ".join(capability.skills)) for capability in capabilities()
        ]
        ask = tasks.SubtaskPlanAsk(question=question, agents=cards, limit=self.limit, faults=problems)
        drafts = (await self.llm.ask(tasks.PLAN_RESEARCH, ask)).subtasks
        return drafts, faults(drafts, self.limit)


def _plan(drafts: list[tasks.SubtaskDraft], notes: tuple[str, ...]) -> SubtaskPlan:
    return SubtaskPlan(subtasks=ordered([subtask_of(draft) for draft in drafts]), notes=notes)
