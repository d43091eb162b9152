"""Per-event-loop resources: HTTP connections, the chat model that uses them, and the request limits.

A connection must not outlive its event loop. LangChain's shared client does, so the second `asyncio.run` of a process
fails with "Event loop is closed". Therefore every loop has its own client, which is closed when the loop ends.
"""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel

from soprag.configs.settings import LlmSettings
from soprag.tools.llm.rendering import answer_schema, tools_of
from soprag.tools.providers import BUILDING, Provider, cannot_use, connection_options
from soprag.tools.tasks.task import Answer, Ask, CallableTool, Task

if TYPE_CHECKING:
    from httpx import AsyncClient
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.runnables import Runnable, RunnableSequence

_OPENAI = ("openai", "azure_openai")


class RateLimiter:
    """Rate limiter: spaces requests evenly and waits out pauses that the server asked for."""

    def __init__(self, per_second: float) -> None:
        self._apart = 1.0 / per_second if per_second else 0.0
        self._next = 0.0

    async def turn(self) -> None:
        """Wait until the next request may start."""
        clock = asyncio.get_running_loop().time()
        start = max(clock, self._next)
        self._next = start + self._apart if self._apart else self._next
        if start > clock:
            await asyncio.sleep(start - clock)

    def hold(self, seconds: float) -> None:
        """Block new requests for `seconds`."""
        self._next = max(self._next, asyncio.get_running_loop().time() + seconds)


@dataclass(frozen=True)
class ModelRequest:
    """What an answer must be: a call of one of `tools`, or without any an object of the form `answers`."""

    task: str
    answers: type[BaseModel]
    tools: tuple[CallableTool, ...] = ()
    compact: bool = False

    @staticmethod
    def of(task: Task[Ask, Answer], inputs: Ask) -> "ModelRequest":
        """The request of a task; its input names the tools, where the answer is a call of one of them."""
        return ModelRequest(task.name, task.answers, tools_of(inputs), task.compact)


@dataclass(frozen=True)
class LoopClient:
    """The chat model of one event loop, with its concurrency and rate limits."""

    model: "BaseChatModel"
    settings: LlmSettings
    gate: asyncio.Semaphore
    limiter: RateLimiter
    _forms: "dict[ModelRequest, Runnable[Any, AIMessage]]" = field(default_factory=dict)

    async def send(self, request: ModelRequest, talk: "list[BaseMessage]") -> "AIMessage":
        """One request under both limits; exceptions of the provider's library pass through."""
        if request not in self._forms:
            self._forms[request] = self._shape(request)
        async with self.gate:
            await self.limiter.turn()
            async with asyncio.timeout(self.settings.timeout):
                return await self._forms[request].ainvoke(talk, {"run_name": request.task, "tags": ["nostream"]})

    def _shape(self, request: ModelRequest) -> "Runnable[Any, AIMessage]":
        """The model with its tools, or with the schema of its answer; it returns the raw message."""
        method = self.settings.method
        if request.tools and method != "json_mode":
            return self.model.bind_tools([tool.function() for tool in request.tools], tool_choice="any")
        if request.tools:  # any of the tools is an answer; the prompt spells them out
            return self.model.bind(response_format={"type": "json_object"})
        strict = {"strict": not request.compact} if method == "json_schema" else {}
        schema = answer_schema(request.answers, compact=request.compact)
        shaped = self.model.with_structured_output(schema, method=method, **strict)
        # A model and a reader of its answer. The reader is left out: `ChatLlm` reads what came, and repairs it.
        return cast("RunnableSequence[Any, Any]", shaped).first


Key = tuple[asyncio.AbstractEventLoop, LlmSettings, Provider]
Keeper = AsyncGenerator[LoopClient, None]
# Global, not per `ChatLlm`: connections that are garbage-collected while their loop runs cannot be closed any more.
_clients: dict[Key, "asyncio.Task[tuple[LoopClient, Keeper]]"] = {}


async def loop_client(settings: LlmSettings, provider: Provider) -> LoopClient:
    """The client of the running event loop, opened by the first request; equal settings share its limits."""
    key = (asyncio.get_running_loop(), settings, provider)
    if key not in _clients:
        _clients[key] = asyncio.create_task(_open(key))
    # Shielded: many requests wait for the one client, and giving up on one of them must not close it for the others.
    client, _ = await asyncio.shield(_clients[key])
    return client


async def _open(key: Key) -> tuple[LoopClient, Keeper]:
    # A loop that ends closes the generators begun in it: that is when `_keep` closes the connections.
    keeper = _keep(key)
    return await anext(keeper), keeper


async def _keep(key: Key) -> Keeper:
    _, settings, provider = key
    client = None
    try:
        client = await asyncio.to_thread(_open_connections, provider)
        model = await asyncio.to_thread(_build, settings, provider, client)
        limiter = RateLimiter(settings.requests_per_second)
        yield LoopClient(model, settings, asyncio.Semaphore(settings.concurrency), limiter)
    finally:
        _clients.pop(key, None)
        if client:
            await client.aclose()


def _open_connections(provider: Provider) -> "AsyncClient | None":
    """An HTTP client for providers that accept one; None for the others."""
    if provider.model.partition(":")[0] not in _OPENAI:
        return None
    with BUILDING:
        import openai
    return openai.DefaultAsyncHttpxClient(timeout=provider.timeout)


def _build(settings: LlmSettings, provider: Provider, client: "AsyncClient | None") -> "BaseChatModel":
    options: dict[str, Any] = {
        # We retry ourselves, so that retries are counted and a server's wish to wait is heard by all requests.
        "max_retries": 0,
        "timeout": settings.timeout,
        "max_tokens": settings.max_output_tokens,
        # LangGraph would stream every model inside a graph; a stream that ends early looks like a whole answer.
        "disable_streaming": True,
        **connection_options(provider),
    }
    if client:
        options["http_async_client"] = client
    if settings.temperature >= 0:
        options["temperature"] = settings.temperature
    if provider.server and provider.model.startswith("openai:"):
        options["use_responses_api"] = False  # other servers rarely have it
    try:
        with BUILDING:
            from langchain.chat_models import init_chat_model

            return cast("BaseChatModel", init_chat_model(settings.model, **options))
    except Exception as error:  # noqa: BLE001 - every provider raises its own when its key is missing
        problem = cannot_use(provider, error)
    raise problem
