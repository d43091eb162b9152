"""What the troubleshooter graph works with: the agents, the experts, its limits and the logbook."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from agents.meta import Action, Meta
from agents.reflection import Reflection
from agents.responding import Responder
from configs.settings import TroubleshootSettings
from tools.errors import SopragError
from tools.history import Event, StepFailure
from tools.llm.task import Llm
from tools.protocols import Expert, Result, Work


class Log(Protocol):
    """Where everything is written down; an entry whose key is there already is not written again."""

    def append(self, kind: str, /, *, by: str = "", key: str = "", **facts: object) -> object:
        """Write one entry."""
        ...


@dataclass(frozen=True)
class Crew:
    """The collaborators of every conversation on one index.

    `logbook` opens the logbook of a thread; a call of a tool in `approved` waits for a person.
    """

    llm: Llm
    meta: Meta
    reflection: Reflection
    responder: Responder
    experts: Mapping[str, Expert]
    limits: TroubleshootSettings
    logbook: Callable[[str], Log]
    approved: frozenset[str] = frozenset()

    async def work(self, action: Action, history: tuple[Event, ...], seconds: float) -> Event:
        """One version of one step; whatever goes wrong is in the event."""
        began = perf_counter()
        outcome = await self._outcome(action, history, seconds)
        event = Event(
            step=action.step,
            version=action.version,
            tool=action.tool,
            task=action.task,
            arguments=action.arguments,
            uses=action.uses,
            revision=action.revision,
            seconds=round(perf_counter() - began, 3),
        )
        if isinstance(outcome, StepFailure):
            return event.model_copy(update={"status": "failed", "failure": outcome})
        return event.model_copy(update={"output": outcome.output, "text": outcome.text})

    async def _outcome(self, action: Action, history: tuple[Event, ...], seconds: float) -> Result | StepFailure:
        task = f"{action.task}\n\n{action.revision}" if action.revision else action.task
        try:
            async with asyncio.timeout(seconds):
                return await self.experts[action.tool].work(
                    Work(task=task, arguments=action.arguments, history=history)
                )
        except TimeoutError:
            message = f"{action.tool!r} was stopped after {seconds:.0f} s, the time left for this question."
            return StepFailure(kind="timeout", message=message)
        except SopragError as fault:  # the conversation goes on; the person reads what has to be mended
            return StepFailure(kind="unavailable", message=str(fault))


def failed(action: Action, failure: StepFailure) -> Event:
    """The event of an action that was not taken."""
    return Event(
        step=action.step,
        version=action.version,
        tool=action.tool,
        task=action.task,
        arguments=action.arguments,
        uses=action.uses,
        status="failed",
        failure=failure,
    )
