"""The collaborators of the troubleshooter: agents, experts and limits, beside those of its guided runs."""

import asyncio
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from soprag.agents.meta import Meta, NextAction
from soprag.agents.reflection import Reflection, current
from soprag.agents.responder import AnswerWriter, Responder
from soprag.configs.settings import TroubleshootSettings
from soprag.graphs.context import Collaborator
from soprag.graphs.flow.context import GuideContext
from soprag.tools.errors import SopragError
from soprag.tools.history import StepFailure, StepRecord
from soprag.tools.observe.spans import span
from soprag.tools.protocols import Expert, ExpertResult, Work
from soprag.tools.retriever.answer.answer_markdown import MarkdownAnswer
from soprag.tools.retriever.answer.answer_page import PlainAnswer
from soprag.tools.tasks.answer import ANSWER
from soprag.tools.tasks.calculate import CODE, MATH
from soprag.tools.tasks.retriever import ROUTE
from soprag.tools.tasks.task import Llm, Task
from soprag.tools.tasks.troubleshoot import PLAN, REPAIR, REPLY

_TASKS: tuple[Task[Any, Any], ...] = (REPLY, PLAN, REPAIR, ROUTE, ANSWER, MATH, CODE)


class AgentContext(GuideContext):
    """The collaborators of every conversation on one index, those of its guided runs included.

    A call of a tool in `approved` waits for a person.
    """

    llm: Collaborator[Llm]
    meta: Collaborator[Meta]
    reflection: Collaborator[Reflection]
    responder: Collaborator[Responder]
    experts: Collaborator[Mapping[str, Expert]]
    limits: Collaborator[TroubleshootSettings]
    approved: Collaborator[frozenset[str]] = frozenset()

    @property
    def editions(self) -> dict[str, str]:
        """Task → the edition of its answers (model and prompt, or rule), for the record."""
        return {task.name: self.llm.fingerprint(task) for task in _TASKS}

    @property
    def writer(self) -> AnswerWriter:
        """What writes the text of an answer."""
        return PlainAnswer() if self.form == "plain" else MarkdownAnswer(self.page)

    @property
    def left_out(self) -> set[str]:
        """The parts of a structured answer whose words stand in the text of its message."""
        return {"text"} if self.form == "plain" else {"text", "answer", "remark"}

    async def work(self, action: NextAction, history: tuple[StepRecord, ...], seconds: float) -> StepRecord:
        """Run one version of one step; errors are recorded in the event."""
        began = perf_counter()
        with span("expert", expert=action.tool) as working:
            outcome = await self._outcome(action, history, seconds)
            if isinstance(outcome, StepFailure):
                working.error = outcome.kind
        event = StepRecord(
            step=action.step,
            version=action.version,
            tool=action.tool,
            task=action.task,
            arguments=action.arguments,
            uses=action.uses,
            revision=action.revision,
            last=action.last,
            seconds=round(perf_counter() - began, 3),
        )
        if isinstance(outcome, StepFailure):
            return event.model_copy(update={"status": "failed", "failure": outcome})
        return event.model_copy(update={"output": outcome.output, "text": outcome.text})

    async def _outcome(
        self, action: NextAction, history: tuple[StepRecord, ...], seconds: float
    ) -> ExpertResult | StepFailure:
        work = Work(task=action.task, arguments=action.arguments, history=_known(action, history))
        try:
            async with asyncio.timeout(seconds):
                return await self.experts[action.tool].work(work)
        except TimeoutError:
            message = f"{action.tool!r} was stopped after {seconds:.0f} s, the time left for this question."
            return StepFailure(kind="timeout", message=message)
        except SopragError as error:  # the conversation goes on; the person reads what has to be mended
            return StepFailure(kind="unavailable", message=str(error))


def _known(action: NextAction, history: tuple[StepRecord, ...]) -> tuple[StepRecord, ...]:
    """The history for an expert: valid results, and the failures of earlier versions of the same step.

    A version that succeeded but is being repaired gets the reason of the repair as its failure. A step that is repeated
    only because an earlier step changed sees no failure.
    """
    results = tuple(event for event in current(history) if event.status == "ok" and event.step != action.step)
    if not action.revision:
        return results
    previous = [event for event in history if event.step == action.step and event.version < action.version]
    causes = [_doubted(event, action.revision) for event in {event.version: event for event in previous}.values()]
    return (*results, *causes)


def _doubted(event: StepRecord, revision: str) -> StepRecord:
    failure = event.failure or StepFailure(kind="inconsistent", message="This result was found to be wrong.")
    failure_with_reason = failure.model_copy(update={"message": f"{failure.message} {revision}".strip()})
    return event.model_copy(update={"status": "failed", "failure": failure_with_reason})


def failed(action: NextAction, failure: StepFailure) -> StepRecord:
    """The event of an action that was not taken."""
    return StepRecord(
        step=action.step,
        version=action.version,
        tool=action.tool,
        task=action.task,
        arguments=action.arguments,
        uses=action.uses,
        status="failed",
        failure=failure,
    )
