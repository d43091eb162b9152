"""Reflection: finds the faulty step behind a failure, and what is done again because of it.

Localisation is code: the failed step first, then the steps it uses, each with its stored result checked again. A model
only chooses among these few and says what to change. Then that step and its descendants are done again and nothing
else; what changes the world is never done twice.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pydantic import ValidationError

from agents.meta import Action, action_of, plain_arguments, typed
from tools.errors import ModelError
from tools.flow.visible import one_line
from tools.history import ErrorKind, Event, StepFailure
from tools.llm.task import Llm
from tools.llm.tasks.troubleshoot import REPAIR, Argument, Repair, RepairAsk, Suspect
from tools.math.reviewing import review
from tools.protocols import Expert
from tools.rules import mending
from tools.sop import Frozen, digest

_log = logging.getLogger(__name__)
_MOST = 4  # suspects; attribution among more is poor, and a longer list hides the likely ones
_SHOWN = 1500  # characters of an output that are shown
_FOR_A_PERSON: frozenset[ErrorKind] = frozenset({"refused", "unavailable", "precondition"})
_CHANGES = ("write", "external")


@runtime_checkable
class Reviewer(Protocol):
    """An expert that can check a result of its own again."""

    def review(self, event: Event) -> StepFailure | None:
        """What is wrong with it, if anything."""
        ...


class Mending(Frozen):
    """What is done again: the revised step and its descendants, and their versions so far, which no longer hold."""

    agenda: tuple[Action, ...]
    superseded: tuple[Event, ...]
    cause: str
    fix: str


class GiveUp(Frozen):
    """Why nothing more is tried."""

    reason: str


@dataclass(frozen=True)
class Reflection:
    """Repairs within its limits: so many times per step, and per turn."""

    llm: Llm
    experts: Mapping[str, Expert]
    per_step: int = 2
    per_turn: int = 4

    async def repair(self, question: str, history: Sequence[Event]) -> Mending | GiveUp:
        """What to do about the last event of `history`, which failed; `history` holds all versions of a turn."""
        failed = history[-1]
        suspects = self.suspects(failed, current(history))
        if self._stuck(failed, history):
            suspects = [event for event in suspects[1:] if not repairs(history, event.step)]
        hopeless = self._hopeless(failed, suspects, history)
        if hopeless:
            return GiveUp(reason=hopeless)
        wanted = await self._choose(self._ask(question, failed, suspects, history))
        named = next((event for event in suspects if event.step == wanted.step), suspects[0])
        if not wanted.fix.strip():
            return GiveUp(reason=wanted.cause)
        if repairs(history, named.step) >= self.per_step:
            return GiveUp(reason=f"Step {named.step} was revised {self.per_step} times already.")
        return self._mend(named, wanted, history)

    def suspects(self, failed: Event, events: Sequence[Event]) -> list[Event]:
        """The failed step and what it builds on, nearest first; those with a broken result are never left out."""
        cone = dependencies(failed, events)
        broken = [event for event in cone[1:] if self.evidence(event)]
        repairable = [event for event in cone[1:] if event not in broken and not self._changes(event)]
        return [failed, *broken, *repairable][:_MOST]

    def evidence(self, event: Event) -> str:
        """What is wrong with a step: its failure, or what comes out when its stored result is checked again."""
        if event.failure:
            return event.failure.message
        expert = self.experts.get(event.tool)
        if expert is None or self._changes(event):
            return ""
        found = expert.review(event) if isinstance(expert, Reviewer) else review(event)
        return found.message if found else ""

    def _hopeless(self, failed: Event, suspects: Sequence[Event], history: Sequence[Event]) -> str:
        """Why a repair is not even tried."""
        failure = failed.failure
        if failure is None or failure.kind in _FOR_A_PERSON or self._changes(failed):
            return failure.message if failure else "Nothing failed."
        if not suspects:
            return f"Step {failed.step} failed twice in the same way: {failure.message}"
        if sum(repairs(history, step) for step in {event.step for event in history}) >= self.per_turn:
            return f"{self.per_turn} repairs were made for this question already."
        return ""

    def _stuck(self, failed: Event, history: Sequence[Event]) -> bool:
        """Whether the step failed before with the same error or the same code: to revise it again is no use."""
        before = [event for event in history[:-1] if event.step == failed.step and event.failure]
        code = code_of(failed)
        return any(same_error(event, failed) or (code and code_of(event) == code) for event in before)

    def _changes(self, event: Event) -> bool:
        expert = self.experts.get(event.tool)
        return expert is not None and expert.protocol.side_effect in _CHANGES

    def _ask(self, question: str, failed: Event, suspects: Sequence[Event], history: Sequence[Event]) -> RepairAsk:
        failure = failed.failure or StepFailure(kind="runtime", message="")
        tried = [event for event in history if event.failure and event.step in {one.step for one in suspects}]
        return RepairAsk(
            question=question,
            failed=failed.step,
            kind=failure.kind,
            message=failure.message,
            detail=failure.detail[-_SHOWN:],
            suspects=[self._suspect(event) for event in suspects],
            attempts=[f"{one.step} version {one.version}: {_line(one)}" for one in tried if one is not failed],
        )

    def _suspect(self, event: Event) -> Suspect:
        arguments = [Argument(name=name, value=str(value)) for name, value in event.arguments.items()]
        output = event.text or ("" if event.output is None else str(event.output))
        return Suspect(
            step=event.step,
            tool=event.tool,
            task=event.task,
            arguments=arguments,
            output=output[:_SHOWN],
            evidence=self.evidence(event),
        )

    async def _choose(self, asked: RepairAsk) -> Repair:
        try:
            return await self.llm.ask(REPAIR, asked)
        except ModelError as fault:
            _log.warning("The model found no fault: %s", fault)
            return mending.repair(asked)

    def _mend(self, faulty: Event, wanted: Repair, history: Sequence[Event]) -> Mending | GiveUp:
        events = current(history)
        after = [event for event in descendants(faulty, events) if not self._changes(event)]
        blocked = [event for event in descendants(faulty, events) if self._changes(event) and event.status == "ok"]
        if blocked:
            return GiveUp(reason=f"{blocked[0].step} changed something outside and builds on {faulty.step}.")
        try:
            revised = self._revised(faulty, wanted, history)
        except ValidationError as wrong:
            return GiveUp(
                reason=f"The repair gave {faulty.step} arguments it does not take: {one_line(str(wrong), 200)}"
            )
        again = [action_of(event).model_copy(update={"version": versions(history, event.step) + 1}) for event in after]
        gone = [event for event in (faulty, *after) if event.status == "ok"]
        return Mending(
            agenda=(revised, *again),
            superseded=tuple(event.model_copy(update={"status": "superseded"}) for event in gone),
            cause=wanted.cause,
            fix=wanted.fix,
        )

    def _revised(self, faulty: Event, wanted: Repair, history: Sequence[Event]) -> Action:
        arguments = {**faulty.arguments, **plain_arguments(wanted.arguments)}
        expert = self.experts.get(faulty.tool)
        if expert is not None:
            arguments = typed(expert.protocol.arguments, arguments).model_dump(mode="json")
        return action_of(faulty).model_copy(
            update={
                "version": versions(history, faulty.step) + 1,
                "arguments": arguments,
                "revision": f"{wanted.cause} {wanted.fix}".strip(),
            }
        )


def current(history: Sequence[Event]) -> list[Event]:
    """The present version of every step, in the order of their first versions."""
    return list({event.step: event for event in history}.values())


def dependencies(event: Event, events: Sequence[Event]) -> list[Event]:
    """The event and all that it builds on, nearest first."""
    by_step = {one.step: one for one in events}
    found, open_ = {event.step: event}, [event]
    while open_:
        for step in open_.pop(0).uses:
            if step in by_step and step not in found:
                found[step] = by_step[step]
                open_.append(by_step[step])
    return list(found.values())


def descendants(event: Event, events: Sequence[Event]) -> list[Event]:
    """The steps that build on the event, directly or not, in their order."""
    reached = {event.step}
    found = []
    for one in events:  # a step can only use earlier ones
        if one.step not in reached and reached.intersection(one.uses):
            reached.add(one.step)
            found.append(one)
    return found


def versions(history: Sequence[Event], step: str) -> int:
    """The number of the newest version of a step."""
    return max((event.version for event in history if event.step == step), default=0)


def repairs(history: Sequence[Event], step: str) -> int:
    """How often a step was revised; a replay because of another step is no repair of its own."""
    return len({event.version for event in history if event.step == step and event.revision})


def same_error(one: Event, other: Event) -> bool:
    """Whether two versions failed in the same way."""
    return one.failure is not None and other.failure is not None and _line(one) == _line(other)


def code_of(event: Event) -> str:
    """A digest of the code or the call that a failed event ran, which its detail ends with; empty when it ran none."""
    if event.failure is None:
        return ""
    _, _, code = event.failure.detail.rpartition("program:\n")  # without the mark, the detail is the code
    return digest(code.strip()) if code.strip() else ""


def _line(event: Event) -> str:
    return f"{event.failure.kind}: {one_line(event.failure.message, 300)}" if event.failure else event.status
