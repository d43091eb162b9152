"""The self-check of a chat model: small graded tasks that say what it can be trusted with."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from soprag.tools.errors import AnswerInvalid, ModelError, ModelRefused, ModelUnavailable
from soprag.tools.llm.trust import TaskTrust
from soprag.tools.tasks.task import Answer, Ask, Llm, Task


@dataclass(frozen=True)
class GradedTask(Generic[Ask, Answer]):
    """One input of a task, and what is wrong with an answer to it (empty when nothing is)."""

    task: Task[Ask, Answer]
    inputs: Ask
    fault: Callable[[Answer], str]


async def check_model(llm: Llm, cases: Sequence[GradedTask[Any, Any]]) -> list[TaskTrust]:
    """Ask every case once; a task passes when all its cases do.

    An answer that is invalid, refused or does not come in time fails its task. Raises `ModelUnavailable` when no case
    at all is answered.
    """
    faults = await asyncio.gather(*(_fault(llm, case) for case in cases))
    silent = [fault for fault in faults if isinstance(fault, ModelUnavailable)]
    if silent and len(silent) == len(faults):
        raise silent[0]
    reasons: dict[str, str] = {}
    for case, fault in zip(cases, faults, strict=True):
        reasons[case.task.name] = reasons.get(case.task.name, "") or _reason(fault)
    return [TaskTrust(task=task, passed=not reason, reason=reason) for task, reason in reasons.items()]


async def _fault(llm: Llm, case: GradedTask[Any, Any]) -> str | ModelError:
    """What is wrong with the answer, or why there is none; a wrong key or model name ends the check."""
    try:
        return case.fault(await llm.ask(case.task, case.inputs))
    except (AnswerInvalid, ModelRefused, ModelUnavailable) as error:
        return error


def _reason(fault: str | ModelError) -> str:
    return fault if isinstance(fault, str) else f"{type(fault).__name__}: {str(fault).splitlines()[0]}"
