"""The planner: a question becomes a directed acyclic graph of subtasks (paper 001, Algorithm 1, lines 3-4 and 13)."""

from dataclasses import dataclass

from agents.deepsearch.capabilities import capabilities
from tools.llm import Llm
from tools.llm.tasks import deepsearch as tasks
from tools.research.dag import faults, flatten, ordered, subtask_of
from tools.research.records import Plan, Subtask


@dataclass(frozen=True)
class Planner:
    """Plans at most `limit` subtasks; an invalid plan is retried once, then its dependencies are dropped."""

    llm: Llm
    limit: int

    async def plan(self, question: str) -> Plan:
        """The plan, with a note for every correction."""
        drafts, problems = await self._draft(question, [])
        if not problems:
            return _plan(drafts, ())
        notes = ("The first plan was sent back: " + " ".join(problems),)
        drafts, problems = await self._draft(question, problems)
        if not problems:
            return _plan(drafts, notes)
        flat = "The second one was no better, so its subtasks run without their dependencies: " + " ".join(problems)
        return Plan(subtasks=flatten(drafts, self.limit), notes=(*notes, flat))

    def extend(self, plan: Plan, queries: tuple[str, ...], round: int) -> Plan:
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
        ask = tasks.PlanAsk(question=question, agents=cards, limit=self.limit, faults=problems)
        drafts = (await self.llm.ask(tasks.PLAN_RESEARCH, ask)).subtasks
        return drafts, faults(drafts, self.limit)


def _plan(drafts: list[tasks.SubtaskDraft], notes: tuple[str, ...]) -> Plan:
    return Plan(subtasks=ordered([subtask_of(draft) for draft in drafts]), notes=notes)
