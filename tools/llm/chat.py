"""The chat adapter: runs a task on any LangChain chat model, with retries and repair of invalid answers."""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soprag.tools.errors import AnswerInvalid
from soprag.tools.llm import rendering
from soprag.tools.llm.answer_reading import AnswerReading, CorrectedItems, parse, read
from soprag.tools.llm.base import ConfiguredLlm
from soprag.tools.llm.client_pool import LoopClient, ModelRequest, loop_client
from soprag.tools.llm.response import answer_of, check_ending, tokens_in_fault, tokens_of
from soprag.tools.observe.spans import current_span, span
from soprag.tools.providers import Fault, Provider, judge, pause_before_retry
from soprag.tools.retries import RetryPolicy
from soprag.tools.tasks.cost import Spent, price
from soprag.tools.tasks.task import Answer, Ask, Task

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

log = logging.getLogger(__name__)

# The OpenAI library raises these instead of handing over an answer that ended early.
_ENDINGS = {"LengthFinishReasonError": "length", "ContentFilterFinishReasonError": "content_filter"}


@dataclass(frozen=True)
class ChatLlm(ConfiguredLlm):
    """Any chat model of `init_chat_model`; the model is built with the first request.

    `prices` are US dollars per million tokens (in, out).
    """

    prices: tuple[float, float] | None = None
    provider: Provider = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "provider", Provider(self.settings.model, self.server, self.settings.timeout))

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """The validated answer; an invalid one is sent back with its validation errors, up to `llm.repairs` times.

        Of an answer that is only malformed in items of its lists, these items alone are sent back, once.
        """
        with span("model", task=task.name, model=self.name):
            return await self._answer(task, inputs)

    async def _answer(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        talk = rendering.open_talk(task, inputs, spell_out=self.settings.method == "json_mode")
        request = ModelRequest.of(task, inputs)
        for repairs in range(self.settings.repairs, -1, -1):
            text = answer_of(await self._send(request, talk), self.provider.where, calls=bool(request.tools))
            reading = read(task.answers, text)
            if reading.answer is not None:
                return await self._completed(task, talk, text, reading) if repairs else reading.answer
            assert reading.error is not None
            faults = rendering.explain(reading.error)
            talk = rendering.send_back(talk, text, faults)
            log.info("%s: not in the agreed form, %d repairs left:\n%s", task.name, repairs, faults)
            self.meter.add(task.name, Spent(repairs=1 if repairs else 0))
        times = f"after {self.settings.repairs} repairs" if self.settings.repairs else "and llm.repairs is 0"
        raise AnswerInvalid(
            f"{self.provider.where} did not answer {task.name!r} in the agreed form, {times}:\n{faults}"
        )

    async def _completed(
        self, task: Task[Ask, Answer], talk: "list[BaseMessage]", text: str, reading: AnswerReading[Answer]
    ) -> Answer:
        """The answer after one request for its malformed items alone; those still malformed are left out."""
        assert reading.answer is not None
        if not reading.malformed:
            return reading.answer
        self.meter.add(task.name, Spent(repairs=1))
        request = ModelRequest(task.name, CorrectedItems)
        message = await self._send(request, rendering.send_items_back(talk, text, reading.malformed))
        corrected = read(CorrectedItems, answer_of(message, self.provider.where)).answer
        items = {item.path: parse(item.item) for item in corrected.items} if corrected else {}
        again = reading.with_items(items, task.answers)
        dropped = again.malformed if again.answer is not None else reading.malformed
        if dropped:
            log.info("%s: %d malformed items were left out", task.name, len(dropped))
        return again.answer if again.answer is not None else reading.answer

    async def _send(self, request: ModelRequest, talk: "list[BaseMessage]") -> "AIMessage":
        """One response, with retries by the retry policy."""
        client = await loop_client(self.settings, self.provider)
        policy = RetryPolicy(self.settings.retries, self.settings.first_wait, self.settings.longest_wait)
        attempt = 0
        while True:
            attempt += 1
            outcome = await self._try(client, request, talk)
            if not isinstance(outcome, Fault):
                return outcome
            seconds = pause_before_retry(policy, outcome, attempt)
            log.warning("%s: %s Asking again in %.1f s (retry %d).", request.task, outcome.error, seconds, attempt)
            self.meter.add(request.task, Spent(retries=1))
            if outcome.pause is not None:
                client.limiter.hold(seconds)
            await asyncio.sleep(seconds)

    async def _try(self, client: LoopClient, request: ModelRequest, talk: "list[BaseMessage]") -> "AIMessage | Fault":
        try:
            message = await client.send(request, talk)
        except Exception as error:  # noqa: BLE001 - every provider raises its own; each becomes one of our errors
            ending = _ENDINGS.get(type(error).__name__, "")
            if ending:
                self._count(request.task, tokens_in_fault(error))
            problem = judge(error, self.provider)
        else:
            self._count(request.task, tokens_of(message))
            return message
        # Outside the except clause, so that the provider's exception, which may hold a key, is not chained to ours.
        check_ending(ending, self.provider.where)
        return problem

    def _count(self, task: str, tokens: tuple[int, int] | None) -> None:
        tokens_in, tokens_out = tokens or (0, 0)
        cost = price(tokens_in, tokens_out, self.prices) if tokens else None
        self.meter.add(task, Spent(calls=1, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost))
        asking = current_span()
        if asking:
            asking.add(calls=1, tokens_in=tokens_in, tokens_out=tokens_out, dollars=cost or 0.0)
