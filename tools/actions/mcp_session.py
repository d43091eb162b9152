"""One open session per MCP server, so that a call does not start the server anew.

A session must be entered and left by the same task: a task of its own holds it until the event loop ends, and another
event loop gets another session. A session whose connection broke is dropped and opened again by the next call.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from soprag.tools.actions.policy import Server
from soprag.tools.errors import ConfigError, SopragError
from soprag.tools.text.sanitize import one_line

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_DETAIL = 200  # characters of a reason
# Errors of anyio without words, for a server that left before or while it was written to.
_CLOSED = frozenset(("BrokenResourceError", "ClosedResourceError", "EndOfStream"))


class ServerUnreachable(SopragError):
    """An MCP server does not start, does not answer in time, or closed the connection."""


@dataclass(frozen=True)
class _HeldSession:
    """The task that holds a session open, and the tools of the session, or why there is none."""

    task: "asyncio.Task[None]"
    tools: "asyncio.Future[Mapping[str, BaseTool]]"


@dataclass(frozen=True)
class McpSession:
    """The session with the server `name` of `tools.toml`, opened when its tools are first asked for."""

    name: str
    server: Server
    _held: "WeakKeyDictionary[asyncio.AbstractEventLoop, _HeldSession]" = field(
        default_factory=WeakKeyDictionary, repr=False, compare=False
    )

    async def tools(self) -> "Mapping[str, BaseTool]":
        """The tools of the server by name; raises `ServerUnreachable`, and `ConfigError` without the extra `mcp`."""
        loop, adapters = asyncio.get_running_loop(), _adapters()
        held = self._held.get(loop)
        if held is None or held.task.done():
            opened: asyncio.Future[Mapping[str, BaseTool]] = loop.create_future()
            held = _HeldSession(loop.create_task(self._hold(opened, *adapters)), opened)
            self._held[loop] = held
        try:
            async with asyncio.timeout(self.server.timeout):
                return await asyncio.shield(held.tools)
        except TimeoutError:
            self.drop()
            raise ServerUnreachable(self._unreachable(f"no answer in {self.server.timeout:g} s")) from None

    def drop(self) -> None:
        """End the session; the next call opens another one."""
        held = self._held.pop(asyncio.get_running_loop(), None)
        if held:
            held.task.cancel()

    async def _hold(
        self,
        opened: "asyncio.Future[Mapping[str, BaseTool]]",
        create_session: Callable[[Any], AbstractAsyncContextManager[Any]],
        load_mcp_tools: Callable[[Any], Awaitable["list[BaseTool]"]],
    ) -> None:
        try:
            async with create_session(_connection(self.server)) as session:
                await session.initialize()
                opened.set_result({tool.name: tool for tool in await load_mcp_tools(session)})
                await asyncio.Event().wait()
        except Exception as error:  # noqa: BLE001 - a server may fail in any way; it is reported as unreachable
            if not opened.done():
                opened.set_exception(ServerUnreachable(self._unreachable(_reason(error))))

    def _unreachable(self, reason: str) -> str:
        return f"The MCP server {self.name!r} cannot be reached: {reason}. Check [mcp.{self.name}] in tools.toml."


def _adapters() -> tuple[Any, Any]:
    try:
        from langchain_mcp_adapters.sessions import create_session
        from langchain_mcp_adapters.tools import load_mcp_tools
    except ImportError as missing:
        raise ConfigError("MCP servers need the extra `mcp`: pip install 'soprag[mcp]'.") from missing
    return create_session, load_mcp_tools


def _reason(error: BaseException) -> str:
    """The innermost failure: task groups wrap it in "unhandled errors in a TaskGroup"."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    name = type(error).__name__
    return one_line(str(error), _DETAIL) or ("Connection closed" if name in _CLOSED else name)


def _connection(server: Server) -> dict[str, Any]:
    if server.url:
        return {"transport": "streamable_http", "url": server.url}
    return {"transport": "stdio", "command": server.command, "args": list(server.args), "env": dict(server.env)}
