"""Reflection: finds the faulty step behind a failure and plans its repair.

Localisation is code: the failed step and the steps it depends on, each with its stored result checked again. A model
chooses among these suspects and describes the fix. Then that step and its descendants are repeated and nothing else;
steps with side effects are never repeated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pydantic import ValidationError

from soprag.agents.meta import NextAction, action_of, plain_arguments, typed
from soprag.tools.history import ErrorKind, StepFailure, StepRecord
from soprag.tools.math.reviewing import review
from soprag.tools.protocols import Expert
from soprag.tools.sop import Frozen, digest
from soprag.tools.tasks.task import Llm
from soprag.tools.tasks.troubleshoot import REPAIR, Repair, RepairAsk, Suspect, ToolArgument
from soprag.tools.text.sanitize import one_line

_MOST = 4  # suspects; attribution among more is poor, and a longer list hides the likely ones
_SHOWN = 1500  # characters of an output that are shown
_FOR_A_PERSON: frozenset[ErrorKind] = frozenset({"refused", "unavailable", "precondition"})
_CHANGES = ("write", "external")


@runtime_checkable
class Reviewer(Protocol):
    """An expert that can check its own stored results."""

    def review(self, event: StepRecord) -> StepFailure | None:
        """What is wrong with it, if anything."""
        ...


class Mending(Frozen):
    """A repair: the revised step and its descendants to repeat, and the superseded events."""

    agenda: tuple[NextAction, ...]
    superseded: tuple[StepRecord, ...]
    cause: str
    fix: str


class GiveUp(Frozen):
    """No repair is possible; the reason."""

    reason: str


@dataclass(frozen=True)
class Reflection:
    """Plans repairs, at most `per_step` for one step and `per_turn` in one turn; no request is made beyond them."""

    llm: Llm
    experts: Mapping[str, Expert]
    per_step: int = 2
    per_turn: int = 4

    async def repair(self, question: str, history: Sequence[StepRecord]) -> Mending | GiveUp:
        """Plan the repair of the last event of `history`, which failed; `history` holds all versions of a turn."""
        failed = history[-1]
        suspects = self.suspects(failed, current(history))
        if self._stuck(failed, history):
            suspects = [event for event in suspects[1:] if not repairs(history, event.step)]
        open_suspects = [event for event in suspects if repairs(history, event.step) < self.per_step]
        obstacle = self._hopeless(failed, suspects, history)
        if not open_suspects and not obstacle:
            obstacle = f"Step {suspects[0].step} was revised {self.per_step} times already."
        if obstacle:
            return GiveUp(reason=obstacle)
        if open_suspects == [failed] and self._reads_failures(failed):
            return self._mend(failed, _same_again(failed), history)
        repair = await self.llm.ask(REPAIR, self._ask(question, failed, open_suspects, history))
        faulty = next((event for event in open_suspects if event.step == repair.step), open_suspects[0])
        if not repair.fix.strip():
            return GiveUp(reason=repair.cause)
        return self._mend(faulty, repair, history)

    def suspects(self, failed: StepRecord, events: Sequence[StepRecord]) -> list[StepRecord]:
        """The failed step and its dependencies, nearest first; those with a broken result come before the others."""
        cone = dependencies(failed, events)
        broken = [event for event in cone[1:] if self.evidence(event)]
        repairable = [event for event in cone[1:] if event not in broken and not self._changes(event)]
        return [failed, *broken, *repairable][:_MOST]

    def evidence(self, event: StepRecord) -> str:
        """What is wrong with a step: its failure, or what comes out when its stored result is checked again."""
        if event.failure:
            return event.failure.message
        expert = self.experts.get(event.tool)
        if expert is None or self._changes(event):
            return ""
        failure = expert.review(event) if isinstance(expert, Reviewer) else review(event)
        return failure.message if failure else ""

    def _hopeless(self, failed: StepRecord, suspects: Sequence[StepRecord], history: Sequence[StepRecord]) -> str:
        """Why no repair is tried; empty when one may be."""
        failure = failed.failure
        if failure is None or failure.kind in _FOR_A_PERSON or self._changes(failed):
            return failure.message if failure else "Nothing failed."
        if not suspects:
            return f"Step {failed.step} failed twice in the same way: {failure.message}"
        if sum(repairs(history, step) for step in {event.step for event in history}) >= self.per_turn:
            return f"{self.per_turn} repairs were made for this question already."
        return ""

    def _stuck(self, failed: StepRecord, history: Sequence[StepRecord]) -> bool:
        """Whether the step failed before with the same error or the same code: to revise it again is no use."""
        before = [event for event in history[:-1] if event.step == failed.step and event.failure]
        code = code_of(failed)
        return any(same_error(event, failed) or (code and code_of(event) == code) for event in before)

    def _reads_failures(self, event: StepRecord) -> bool:
        """Whether the expert shows its model the failure when the step is repeated: one request mends it then."""
        return bool(getattr(self.experts.get(event.tool), "reads_failures", False))

    def _changes(self, event: StepRecord) -> bool:
        expert = self.experts.get(event.tool)
        return expert is not None and expert.protocol.side_effect in _CHANGES

    def _ask(
        self, question: str, failed: StepRecord, suspects: Sequence[StepRecord], history: Sequence[StepRecord]
    ) -> RepairAsk:
        failure = failed.failure or StepFailure(kind="runtime", message="")
        tried = [event for event in history if event.failure and event.step in {suspect.step for suspect in suspects}]
        return RepairAsk(
            question=question,
            failed=failed.step,
            kind=failure.kind,
            message=failure.message,
            detail=failure.detail[-_SHOWN:],
            suspects=[self._suspect(event) for event in suspects],
            attempts=[
                f"{attempt.step} version {attempt.version}: {_line(attempt)}"
                for attempt in tried
                if attempt is not failed
            ],
        )

    def _suspect(self, event: StepRecord) -> Suspect:
        arguments = [ToolArgument(name=name, value=str(value)) for name, value in event.arguments.items()]
        output = event.text or ("" if event.output is None else str(event.output))
        return Suspect(
            step=event.step,
            tool=event.tool,
            task=event.task,
            arguments=arguments,
            output=output[:_SHOWN],
            evidence=self.evidence(event),
        )

    def _mend(self, faulty: StepRecord, repair: Repair, history: Sequence[StepRecord]) -> Mending | GiveUp:
        events = current(history)
        after = [event for event in descendants(faulty, events) if not self._changes(event)]
        blocked = [event for event in descendants(faulty, events) if self._changes(event) and event.status == "ok"]
        if blocked:
            return GiveUp(reason=f"{blocked[0].step} changed something outside and builds on {faulty.step}.")
        try:
            revised = self._revised(faulty, repair, history)
        except ValidationError as error:
            return GiveUp(
                reason=f"The repair gave {faulty.step} arguments it does not take: {one_line(str(error), 200)}"
            )
        again = [action_of(event).model_copy(update={"version": versions(history, event.step) + 1}) for event in after]
        superseded = [event for event in (faulty, *after) if event.status == "ok"]
        return Mending(
            agenda=(revised, *again),
            superseded=tuple(event.model_copy(update={"status": "superseded"}) for event in superseded),
            cause=repair.cause,
            fix=repair.fix,
        )

    def _revised(self, faulty: StepRecord, repair: Repair, history: Sequence[StepRecord]) -> NextAction:
        arguments = {**faulty.arguments, **plain_arguments(repair.arguments)}
        expert = self.experts.get(faulty.tool)
        if expert is not None:
            arguments = typed(expert.protocol.arguments, arguments).model_dump(mode="json")
        return action_of(faulty).model_copy(
            update={
                "version": versions(history, faulty.step) + 1,
                "arguments": arguments,
                "revision": f"{repair.cause} {repair.fix}".strip(),
            }
        )


def _same_again(failed: StepRecord) -> Repair:
    """The repair of a step that is the only suspect, by an expert that reads why it failed."""
    cause = failed.failure.message if failed.failure else ""
    return Repair(step=failed.step, cause=cause, fix="Change what caused it.")


def current(history: Sequence[StepRecord]) -> list[StepRecord]:
    """The present version of every step, in the order of their first versions."""
    return list({event.step: event for event in history}.values())


def dependencies(event: StepRecord, events: Sequence[StepRecord]) -> list[StepRecord]:
    """The event and its transitive dependencies, nearest first."""
    by_step = {candidate.step: candidate for candidate in events}
    collected, queue = {event.step: event}, [event]
    while queue:
        for step in queue.pop(0).uses:
            if step in by_step and step not in collected:
                collected[step] = by_step[step]
                queue.append(by_step[step])
    return list(collected.values())


def descendants(event: StepRecord, events: Sequence[StepRecord]) -> list[StepRecord]:
    """The transitive dependents of the event, in order."""
    reached = {event.step}
    collected = []
    for candidate in events:  # a step can only use earlier ones
        if candidate.step not in reached and reached.intersection(candidate.uses):
            reached.add(candidate.step)
            collected.append(candidate)
    return collected


def versions(history: Sequence[StepRecord], step: str) -> int:
    """The number of the newest version of a step."""
    return max((event.version for event in history if event.step == step), default=0)


def repairs(history: Sequence[StepRecord], step: str) -> int:
    """How often a step was revised; repetitions caused by another step's repair do not count."""
    return len({event.version for event in history if event.step == step and event.revision})


def same_error(first: StepRecord, second: StepRecord) -> bool:
    """Whether two versions failed in the same way."""
    return first.failure is not None and second.failure is not None and _line(first) == _line(second)


def code_of(event: StepRecord) -> str:
    """A digest of the code or the call that a failed event ran, which its detail ends with; empty when it ran none."""
    if event.failure is None:
        return ""
    _, _, code = event.failure.detail.rpartition("program:\n")  # without the mark, the detail is the code
    return digest(code.strip()) if code.strip() else ""


def _line(event: StepRecord) -> str:
    return f"{event.failure.kind}: {one_line(event.failure.message, 300)}" if event.failure else event.status
