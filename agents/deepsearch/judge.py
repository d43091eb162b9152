"""The judges of a report: rules or a gold model by the same task, and a reward model behind its endpoint.

Paper 001: feedback F_i comes from human experts, a gold model and a reward model. The person is asked by the graph.
"""

from dataclasses import dataclass
from typing import Protocol

from soprag.agents.deepsearch.writer import ReportMaterial, as_text
from soprag.tools.llm import Llm
from soprag.tools.research.records import AXES, Judgement, SubtaskOutcome, Version
from soprag.tools.research.reward import RewardModel
from soprag.tools.tasks import deepsearch as tasks

_WEAK = 0.6  # share of the best mark below which an axis is worth a word of feedback
_ADVICE = {
    "helpfulness": "Answer the question more directly and completely.",
    "correctness": "Say only what the facts say.",
    "coherence": "Let one sentence lead to the next, and say nothing twice.",
    "complexity": "Go deeper where the facts allow it.",
    "verbosity": "Use more of the facts.",
}


class Judge(Protocol):
    """An automatic judge of a report version."""

    async def judge(
        self, material: ReportMaterial, version: Version, outcomes: tuple[SubtaskOutcome, ...]
    ) -> Judgement:
        """Marks, feedback and what is missing."""
        ...


@dataclass(frozen=True)
class RubricJudge:
    """Asks `llm`, a model or the rules, for marks on five axes; `weights` are theirs in the score."""

    name: str
    llm: Llm
    weights: tuple[float, ...]

    async def judge(
        self, material: ReportMaterial, version: Version, outcomes: tuple[SubtaskOutcome, ...]
    ) -> Judgement:
        """The marks of the rubric."""
        status = {outcome.subtask: outcome.status for outcome in outcomes}
        claims = material.claims
        queries = {subtask.id: subtask.query for subtask in material.plan.subtasks}
        parts = {claim.id: queries[one.subtask] for one in material.evidence for claim in one.claims}
        ask = tasks.JudgeAsk(
            question=material.question,
            subtasks=[
                tasks.AnsweredSubtask(query=subtask.query, status=status.get(subtask.id, "skipped"))
                for subtask in material.plan.subtasks
            ],
            report=as_text(version.sections),
            sentences=[
                tasks.CitedSentence(
                    text=sentence.text,
                    quotes=[quote.text for id in sentence.claims for quote in claims[id].quotes],
                    heading=section.heading if section.procedure else claims[sentence.claims[0]].heading,
                    kind=sentence.kind,
                    part=parts[sentence.claims[0]],
                )
                for section in version.sections
                for sentence in section.sentences
            ],
        )
        marks = await self.llm.ask(tasks.JUDGE_REPORT, ask)
        axes = {axis: round(float(getattr(marks, axis)), 3) for axis in AXES}
        return Judgement(
            judge=self.name,
            score=score(axes, self.weights),
            axes=axes,
            feedback=tuple(marks.feedback),
            missing=tuple(marks.missing),
            unanswered=tuple(marks.unanswered),
        )


@dataclass(frozen=True)
class RewardJudge:
    """Asks a reward model, which returns numbers only; weak axes are turned into stock feedback."""

    model: RewardModel
    weights: tuple[float, ...]
    name: str = "reward"

    async def judge(
        self, material: ReportMaterial, version: Version, outcomes: tuple[SubtaskOutcome, ...]
    ) -> Judgement:
        """The marks of the reward model, cut to 0 to 4; raises `ServiceError`."""
        axes = await self.model.score(material.question, as_text(version.sections))
        weak = [axis for axis in AXES if axis in axes and axes[axis] < _WEAK * 4]
        return Judgement(
            judge=self.name,
            score=score(axes, self.weights),
            axes=axes,
            feedback=tuple(_ADVICE[axis] for axis in weak),
        )


def score(axes: dict[str, float], weights: tuple[float, ...]) -> float:
    """The weighted mean of the axes that were marked, 0 to 4; a single other number counts as it is."""
    weighed = [(axes[axis], weight) for axis, weight in zip(AXES, weights, strict=True) if axis in axes]
    if not weighed:
        weighed = [(mark, 1.0) for mark in axes.values()]
    total = sum(weight for _, weight in weighed)
    mean = sum(mark * weight for mark, weight in weighed) / total if total else 0.0
    return round(min(4.0, max(0.0, mean)), 3)
