"""A test double of the model interface: it replies from a script and records every request."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import BaseModel

from soprag.tools.errors import UsageError
from soprag.tools.llm.base import MeteredLlm
from soprag.tools.tasks.cost import Spent
from soprag.tools.tasks.task import Answer, Ask, Llm, Task

ScriptedReply: TypeAlias = BaseModel | Mapping[str, Any] | Exception | Callable[[Any], BaseModel | Mapping[str, Any]]
Script: TypeAlias = Mapping[str, ScriptedReply | Sequence[ScriptedReply]]


@dataclass(frozen=True)
class ScriptedLlm(MeteredLlm):
    """An `Llm` that replies to each task from `script`, which maps task names to replies.

    A reply is the answer (a model or its fields), a function of the task's input, or an exception, which is raised.
    A list of replies is used up in order, one per request; a single reply serves every request. A task without a
    reply goes to `fallback`, or raises `UsageError` when there is none. Answers are validated like a model's.

        llm = ScriptedLlm({"route": {"intent": "repair", "entity": 1, "causal": 0, "flow": 0}})
        route = await llm.ask(tasks.ROUTE, RouteAsk(question="P-101 trips"))
        assert [task for task, _ in llm.requests] == ["route"]
    """

    script: Script = field(default_factory=dict)
    fallback: Llm | None = None
    name: str = "scripted"
    delay: float = 0.0  # seconds before each reply
    requests: list[tuple[str, Any]] = field(default_factory=list)  # (task name, input), in order

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The next reply to `task`; raises the scripted exception, or `UsageError` when no reply is left."""
        earlier = sum(name == task.name for name, _ in self.requests)
        self.requests.append((task.name, inputs))
        self.meter.add(task.name, Spent(calls=1))
        await asyncio.sleep(self.delay)
        replies = self.script.get(task.name, ())
        if not isinstance(replies, Sequence):
            return _answer(task, inputs, replies)
        if earlier < len(replies):
            return _answer(task, inputs, replies[earlier])
        if self.fallback is not None:
            return await self.fallback.ask(task, inputs)
        raise UsageError(f"The script has no reply to request {earlier + 1} of task {task.name!r}; add one.")

    def fingerprint(self, task: Task[Ask, Answer]) -> str:
        """The same for every task: a script follows no prompt."""
        return "scripted"


def _answer(task: Task[Ask, Answer], inputs: Ask, reply: ScriptedReply) -> Answer:
    if isinstance(reply, Exception):
        raise reply
    return task.answers.model_validate(reply(inputs) if callable(reply) else reply)
