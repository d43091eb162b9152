"""The MCP servers of `tools.toml`: connected to when a guided run first needs tools, without making it wait for long.

Only tools that the file lists come into the toolbox; see `mcp` for how one is called.
"""

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soprag.tools.actions.control_writes import writes_to_control
from soprag.tools.actions.mcp import mcp_action
from soprag.tools.actions.mcp_session import McpSession, ServerUnreachable
from soprag.tools.actions.policy import Server, ToolsFile
from soprag.tools.actions.toolbox import Toolbox
from soprag.tools.errors import ConfigError
from soprag.tools.text.sanitize import one_line

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    Offered = Mapping[str, BaseTool] | ServerUnreachable

_log = logging.getLogger(__name__)


@dataclass
class McpServers:
    """Brings the listed tools of the servers of `file` into `toolbox`, from all servers at the same time.

    The first who needs them waits `patience` seconds; a server that answers later, within its own timeout, is not
    waited for. The tools of a server that cannot be reached are unavailable, which is logged in one line; nothing else
    depends on them.
    """

    toolbox: Toolbox
    file: ToolsFile
    patience: float = 5.0
    _asked: "dict[str, tuple[McpSession, asyncio.Task[Offered]]]" = field(default_factory=dict, repr=False)
    _settled: set[str] = field(default_factory=set, repr=False)
    _until: float | None = field(default=None, repr=False)  # on the monotonic clock

    async def connect(self) -> None:
        """Take the tools of all servers that have answered.

        Raises `ConfigError` when the file lists a tool that the server does not have or that would write to a control
        system, and when two tools have one name.
        """
        self._until = self._until or time.monotonic() + self.patience
        for name, server in self.file.mcp.items():
            if name not in self._settled and (name not in self._asked or self._asked[name][1].cancelled()):
                session = McpSession(name, server)
                self._asked[name] = session, asyncio.create_task(_offered(session))
        loop = asyncio.get_running_loop()
        if here := [task for _, task in self._asked.values() if task.get_loop() is loop]:
            await asyncio.wait(here, timeout=max(self._until - time.monotonic(), 0.0))
        for name, (session, task) in list(self._asked.items()):
            if task.done() and not task.cancelled():
                _take(self.toolbox, session, task.result())
                self._settled.add(name)
                del self._asked[name]
            else:
                late = f"The MCP server {name!r} has not answered in {self.patience:g} s; it is not waited for."
                _miss(self.toolbox, session, late)


async def _offered(session: McpSession) -> "Offered":
    """The tools of a server, or why there are none."""
    try:
        return await session.tools()
    except ServerUnreachable as unreachable:
        return unreachable


def _miss(toolbox: Toolbox, session: McpSession, reason: str) -> None:
    """The listed tools of the server are unavailable; logged when the reason is a new one."""
    missing = {f"{session.name}_{tool}": reason for tool in session.server.tools}
    if not missing.items() <= toolbox.unavailable.items():
        _log.warning("%s Its tools cannot be used now.", reason)
    toolbox.unavailable.update(missing)


def _take(toolbox: Toolbox, session: McpSession, tools: "Offered") -> None:
    """Put the listed tools of a server into the toolbox."""
    name, server = session.name, session.server
    if isinstance(tools, ServerUnreachable):
        _miss(toolbox, session, str(tools))
        return
    _check_list(name, server, tools)
    unlisted: list[str] = []
    for tool in tools.values():
        full_name = f"{name}_{tool.name}"
        if full_name in toolbox.actions:
            raise ConfigError(f"Two tools are called {full_name!r}; rename one, or leave out the server {name!r}.")
        if tool.name in server.tools:
            toolbox.add(full_name, mcp_action(session, tool), server.tools[tool.name])
        elif not writes_to_control(tool.name, tool.description):
            unlisted.append(tool.name)
            reason = f"{full_name!r} is a tool of an MCP server that tools.toml does not list."
            toolbox.unavailable[full_name] = f"{reason} {_advice(name, tool.name)}"
    _warn_of_unlisted(name, unlisted)


def _check_list(name: str, server: Server, tools: "Mapping[str, BaseTool]") -> None:
    """Raise `ConfigError` for tables of `tools.toml` that can have no effect."""
    if missing := sorted(set(server.tools) - set(tools)):
        raise ConfigError(
            f"tools.toml lists tools that the MCP server {name!r} does not have: {', '.join(missing)}; "
            f"it has {', '.join(map(one_line, tools)) or 'none'}."
        )
    for tool, policy in server.tools.items():
        if policy.policy != "deny" and writes_to_control(tool, tools[tool].description):
            raise ConfigError(
                f"{tool!r} of the MCP server {name!r} would write to a control system; SOPRAG never calls such a tool. "
                f"Remove [mcp.{name}.tools.{tool}] from tools.toml."
            )


def _warn_of_unlisted(server: str, tools: list[str]) -> None:
    if tools:
        _log.warning(
            "The MCP server %s has tools that tools.toml does not list, so they are denied: %s. %s",
            server,
            ", ".join(map(one_line, tools)),
            _advice(server, tools[0]),
        )


def _advice(server: str, tool: str) -> str:
    """What to write into `tools.toml` to allow a tool of a server, or to settle that it stays denied."""
    key = one_line(tool) if tool.replace("_", "").replace("-", "").isalnum() and tool.isascii() else json.dumps(tool)
    table = f"[mcp.{server}.tools.{key}]"
    return f'To allow it, add the table {table} with the line policy = "confirm"; policy = "deny" keeps it out.'
