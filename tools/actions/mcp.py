"""Tools of MCP servers, under the policy of `tools.toml`; what a server says of its own tools decides nothing.

Without a line in the file a tool is asked for and counts as one that acts on the outside. A tool that would write to a
control system is never there, whatever the file says.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from tools.actions.action import Action, Call
from tools.actions.policy import Policy, Server, ToolsFile
from tools.actions.toolbox import Toolbox
from tools.errors import ConfigError
from tools.history import StepFailure
from tools.protocols import Result, SideEffect, ToolProtocol
from tools.text.sanitize import one_line

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_log = logging.getLogger(__name__)

_WRITES = re.compile(
    r"\b(?:write|set|force|override|actuate|command|toggle|trip|open|close|start|stop|jog|download)s?\b", re.IGNORECASE
)
_CONTROL = re.compile(
    r"\b(?:scada|dcs|plc|rtu|opc(?:[ _-]?ua)?|modbus|profinet|bacnet|s7|iec ?104|setpoints?|set points?|registers?|"
    r"coils?|tags?|actuators?|valves?|breakers?|drives?|pumps?|points?)\b",
    re.IGNORECASE,
)
_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}
_LONGEST = 20_000  # characters of an answer that are kept


class Said(BaseModel):
    """What an MCP tool answered; further fields are the tool's own."""

    model_config = ConfigDict(extra="allow")

    text: str = ""


@dataclass(frozen=True)
class McpAction:
    """One tool of a server."""

    tool: "BaseTool"
    protocol: ToolProtocol
    timeout: float

    async def act(self, arguments: dict[str, JsonValue], call: Call) -> Result | StepFailure:
        """Call it; a tool that fails gives a failure and not an exception."""
        import asyncio

        from langchain_core.tools import ToolException
        from mcp import McpError

        given = {name: value for name, value in arguments.items() if value is not None}
        request = {"name": self.tool.name, "args": given, "id": call.key, "type": "tool_call"}
        try:
            async with asyncio.timeout(self.timeout):
                message = await self.tool.ainvoke(request)
        except TimeoutError:
            message = f"{self.protocol.name!r} gave no answer in {self.timeout:g} s; what it did is not known."
            return StepFailure(kind="timeout", message=message)
        except (ToolException, McpError, OSError, ExceptionGroup) as fault:
            words = one_line(str(fault), 300) or type(fault).__name__
            return StepFailure(kind="unavailable", message=f"{self.protocol.name!r} failed: {words}")
        text = str(message.text)[:_LONGEST]
        if message.status == "error":
            return StepFailure(kind="unavailable", message=f"{self.protocol.name!r} failed: {one_line(text, 300)}")
        return Result(output=_output(message, text), text=text)


async def with_mcp(toolbox: Toolbox, file: ToolsFile) -> Toolbox:
    """The toolbox with the tools of all servers of the file; raises `ConfigError` when a server cannot be reached."""
    actions, policies = dict(toolbox.actions), dict(toolbox.policies)
    for name, server in file.mcp.items():
        for action in await _tools(name, server):
            own = action.protocol.name
            if own in actions:
                raise ConfigError(f"Two tools are called {own!r}; rename one, or leave out the server {name!r}.")
            actions[own] = action
            policies[own] = server.tools.get(action.tool.name, Policy())
        if unknown := sorted(set(server.tools) - {one.removeprefix(f"{name}_") for one in actions}):
            _log.warning("tools.toml names tools that %s does not have: %s", name, ", ".join(unknown))
    return Toolbox(actions, policies)


async def _tools(name: str, server: Server) -> list[McpAction]:
    try:
        from langchain_mcp_adapters.client import MultiServerMCPClient
    except ImportError as missing:
        raise ConfigError("MCP servers need the extra `mcp`: pip install 'soprag[mcp]'.") from missing
    client = MultiServerMCPClient({name: _connection(server)})
    try:
        tools = await client.get_tools()
    except (OSError, ExceptionGroup, RuntimeError) as fault:
        words = one_line(str(fault), 200)
        raise ConfigError(f"The MCP server {name!r} cannot be reached: {words}. Check [mcp.{name}].") from fault
    return [_action(name, server, tool) for tool in tools if not _steers(tool)]


def _connection(server: Server) -> Any:  # noqa: ANN401 - one of the TypedDicts of the adapters
    if server.url:
        return {"transport": "streamable_http", "url": server.url}
    return {"transport": "stdio", "command": server.command, "args": list(server.args), "env": dict(server.env)}


def _steers(tool: "BaseTool") -> bool:
    """Whether a tool would write to a control system: that is never offered."""
    words = re.sub(r"[_-]|(?<=[a-z])(?=[A-Z])", " ", tool.name)
    first = tool.description.partition("\n")[0]
    steers = bool(_WRITES.search(words) and _CONTROL.search(f"{words} {first}"))
    if steers:
        _log.warning("The tool %s would write to a control system; it is left out.", tool.name)
    return steers


def _action(name: str, server: Server, tool: "BaseTool") -> McpAction:
    policy = server.tools.get(tool.name, Policy())
    effect: SideEffect = policy.side_effect or "external"
    own = f"{name}_{tool.name}"
    purpose = one_line(tool.description, 400) or f"The tool {tool.name!r} of the MCP server {name!r}."
    protocol = ToolProtocol(
        name=own,
        purpose=purpose,
        when_to_use=purpose,
        when_not="Another tool fits better.",
        arguments=_model(own, tool.args_schema),
        response=Said,
        side_effect=effect,
        errors=("arguments", "timeout", "unavailable"),
    )
    return McpAction(tool, protocol, server.timeout)


def _model(name: str, schema: object) -> type[BaseModel]:
    """The arguments of a tool as a model: names, types and which are needed; the server checks the rest."""
    held: Mapping[str, Any] = schema if isinstance(schema, dict) else {}
    needed = set(held.get("required", ()))
    fields: dict[str, Any] = {}
    for field, about in held.get("properties", {}).items():
        kind = _TYPES.get(str(about.get("type")), Any)
        words = Field(description=one_line(str(about.get("description", "")), 300))
        optional = Field(default=about.get("default"), description=words.description)
        fields[field] = (kind, words) if field in needed else (kind | None if kind is not Any else Any, optional)
    made: type[BaseModel] = create_model(f"Arguments_{name}", __config__=ConfigDict(extra="forbid"), **fields)
    return made


def _output(message: Any, text: str) -> JsonValue:  # noqa: ANN401 - a ToolMessage
    """The structured answer where there is one, so that a reading with its unit is one."""
    artifact = getattr(message, "artifact", None)
    structured = artifact.get("structured_content") if isinstance(artifact, dict) else None
    return structured if isinstance(structured, dict) else {"text": text}


__all__ = ["Action", "McpAction", "with_mcp"]
