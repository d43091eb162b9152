"""Never pays twice: answers are looked up before a model is asked, and the same question is asked once at a time."""

import asyncio
import logging
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from pydantic import ValidationError

from tools.llm.answers import AnswerStore, Asked
from tools.llm.cost import Ledger, Meter, Spent
from tools.llm.task import Answer, Ask, Llm, Task

log = logging.getLogger(__name__)
Flights = WeakValueDictionary[tuple[asyncio.AbstractEventLoop, str], asyncio.Lock]


@dataclass(frozen=True)
class RememberingLlm:
    """`llm` behind one or more stores of answers; an answer found in one of them is put into the others too."""

    llm: Llm
    meter: Meter
    stores: tuple[AnswerStore, ...]
    _flights: Flights = field(default_factory=WeakValueDictionary)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.llm.name

    @property
    def ledger(self) -> Ledger:
        """What was asked and what was remembered."""
        return self.meter.ledger

    def edition(self, task: Task[Ask, Answer]) -> str:
        """What the model's answer depends on besides its input."""
        return self.llm.edition(task)

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The remembered answer, or the model's, which is then remembered."""
        asked = Asked(task.name, self.edition(task), inputs.model_dump_json())
        async with self._flight(asked):
            known = await asyncio.to_thread(self._find, asked, task.answers)
            if known is not None:
                self.meter.add(task.name, Spent(cached=1))
                return known
            answer = await self.llm.ask(task, inputs)
            await asyncio.to_thread(self._keep, asked, answer.model_dump_json(), self.stores)
            return answer

    def _flight(self, asked: Asked) -> asyncio.Lock:
        """Held by whoever is asking this question in this event loop; gone when nobody is."""
        return self._flights.setdefault((asyncio.get_running_loop(), asked.key), asyncio.Lock())

    def _find(self, asked: Asked, form: type[Answer]) -> Answer | None:
        for store in self.stores:
            found = store.find(asked)
            answer = self._read(asked, found, form) if found is not None else None
            if answer is not None:
                others = tuple(other for other in self.stores if other is not store and other.find(asked) is None)
                self._keep(asked, answer.model_dump_json(), others)
                return answer
        return None

    @staticmethod
    def _read(asked: Asked, found: str, form: type[Answer]) -> Answer | None:
        try:
            return form.model_validate_json(found)
        except ValidationError:
            log.warning("%s: a remembered answer is damaged and is asked for again", asked.task)
            return None

    @staticmethod
    def _keep(asked: Asked, answer: str, stores: tuple[AnswerStore, ...]) -> None:
        for store in stores:
            store.keep(asked, answer)
