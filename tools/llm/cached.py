"""Caching wrapper of an `Llm`: looks answers up first and sends concurrent identical requests once."""

import asyncio
import logging
from dataclasses import dataclass, field

from pydantic import ValidationError

from soprag.tools.llm.answer_store import AnswerKey, AnswerStore
from soprag.tools.llm.base import LlmWrapper
from soprag.tools.store.single_flight import SingleFlight
from soprag.tools.tasks.cost import Meter, Spent
from soprag.tools.tasks.task import Answer, Ask, Task

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CachedLlm(LlmWrapper):
    """`llm` behind answer stores; an answer found in one store is copied to the others.

    `meter` is that of `llm`: it counts the answers from the stores too.
    """

    meter: Meter
    stores: tuple[AnswerStore, ...]
    _flights: SingleFlight = field(default_factory=SingleFlight)

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The cached answer, or the model's, which is then stored."""
        request = AnswerKey(task.name, self.fingerprint(task), inputs.model_dump_json())
        async with self._flights.of(request.key):
            cached = await asyncio.to_thread(self._find, request, task.answers)
            if cached is not None:
                self.meter.add(task.name, Spent(cached=1))
                return cached
            answer = await self.llm.ask(task, inputs)
            await asyncio.to_thread(self._keep, request, answer.model_dump_json(), self.stores)
            return answer

    def _find(self, request: AnswerKey, form: type[Answer]) -> Answer | None:
        for store in self.stores:
            stored = store.find(request)
            answer = self._read(request, stored, form) if stored is not None else None
            if answer is not None:
                others = tuple(
                    candidate for candidate in self.stores if candidate is not store and candidate.find(request) is None
                )
                self._keep(request, answer.model_dump_json(), others)
                return answer
        return None

    @staticmethod
    def _read(request: AnswerKey, stored: str, form: type[Answer]) -> Answer | None:
        try:
            return form.model_validate_json(stored)
        except ValidationError:
            log.warning("%s: a cached answer is damaged and is requested again", request.task)
            return None

    @staticmethod
    def _keep(request: AnswerKey, answer: str, stores: tuple[AnswerStore, ...]) -> None:
        for store in stores:
            store.keep(request, answer)
