"""Tools of MCP servers, under the policy of `tools.toml`; what a server says of its own tools decides nothing.

Only tools that the file lists can be used, and a listed one counts as acting on the outside unless the file vouches
that it only reads. A tool that would write to a control system is refused even when it is listed.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from soprag.tools.actions.action import OperatorTool, ToolCall
from soprag.tools.actions.control_writes import writes_to_control
from soprag.tools.actions.policy import Server, ToolsFile
from soprag.tools.actions.toolbox import Toolbox
from soprag.tools.errors import ConfigError
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, SideEffect, ToolProtocol
from soprag.tools.text.sanitize import one_line, sanitize, sanitize_json

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_log = logging.getLogger(__name__)

_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}
_LONGEST = 20_000  # characters of an answer that are kept


class McpAnswer(BaseModel):
    """What an MCP tool answered; further fields are the tool's own."""

    model_config = ConfigDict(extra="allow")

    text: str = ""


@dataclass(frozen=True)
class McpAction:
    """One tool of a server."""

    tool: "BaseTool"
    protocol: ToolProtocol
    timeout: float

    async def act(self, arguments: dict[str, JsonValue], call: ToolCall) -> ExpertResult | StepFailure:
        """Call the tool; whatever goes wrong in the tool or on the way is returned as a `StepFailure`."""
        import asyncio

        from langchain_core.tools import ToolException
        from mcp import McpError

        present = {name: value for name, value in arguments.items() if value is not None}
        request = {"name": self.tool.name, "args": present, "id": call.key, "type": "tool_call"}
        try:
            async with asyncio.timeout(self.timeout):
                message = await self.tool.ainvoke(request)
        except TimeoutError:
            reason = f"{self.protocol.name!r} gave no answer in {self.timeout:g} s; what it did is not known."
            return StepFailure(kind="timeout", message=reason)
        except (ToolException, McpError, OSError, ExceptionGroup) as error:
            reason = one_line(str(error), 300) or type(error).__name__
            return StepFailure(kind="unavailable", message=f"{self.protocol.name!r} failed: {reason}")
        text = sanitize(str(message.text))[:_LONGEST]
        if message.status == "error":
            return StepFailure(kind="unavailable", message=f"{self.protocol.name!r} failed: {one_line(text, 300)}")
        return ExpertResult(output=_output(message, text), text=text)


async def with_mcp(toolbox: Toolbox, file: ToolsFile) -> Toolbox:
    """The toolbox with the listed tools of all servers of the file.

    Raises `ConfigError` when a server cannot be reached, when the file lists a tool that the server does not have or
    that would write to a control system, and when two tools have one name.
    """
    actions, policies, unlisted = dict(toolbox.actions), dict(toolbox.policies), dict(toolbox.unlisted)
    for name, server in file.mcp.items():
        tools = await _tools(name, server)
        _check_list(name, server, tools)
        for tool in tools:
            full_name = f"{name}_{tool.name}"
            if full_name in actions:
                raise ConfigError(f"Two tools are called {full_name!r}; rename one, or leave out the server {name!r}.")
            if tool.name in server.tools:
                actions[full_name] = _action(name, server, tool)
                policies[full_name] = server.tools[tool.name]
            elif not writes_to_control(tool.name, tool.description):
                unlisted[full_name] = _advice(name, tool.name)
        _warn_of_unlisted(name, [tool.name for tool in tools if f"{name}_{tool.name}" in unlisted])
    return Toolbox(actions, policies, unlisted)


def _check_list(name: str, server: Server, tools: "list[BaseTool]") -> None:
    """Raise `ConfigError` for tables of `tools.toml` that can have no effect."""
    by_name = {tool.name: tool for tool in tools}
    if missing := sorted(set(server.tools) - set(by_name)):
        raise ConfigError(
            f"tools.toml lists tools that the MCP server {name!r} does not have: {', '.join(missing)}; "
            f"it has {', '.join(map(one_line, by_name)) or 'none'}."
        )
    for tool, policy in server.tools.items():
        if policy.policy != "deny" and writes_to_control(tool, by_name[tool].description):
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


async def _tools(name: str, server: Server) -> "list[BaseTool]":
    """All tools that the server offers."""
    try:
        from langchain_mcp_adapters.client import MultiServerMCPClient
    except ImportError as missing:
        raise ConfigError("MCP servers need the extra `mcp`: pip install 'soprag[mcp]'.") from missing
    client = MultiServerMCPClient({name: _connection(server)})
    try:
        return await client.get_tools()
    except (OSError, ExceptionGroup, RuntimeError) as error:
        reason = one_line(str(error), 200)
        raise ConfigError(f"The MCP server {name!r} cannot be reached: {reason}. Check [mcp.{name}].") from error


def _connection(server: Server) -> Any:  # noqa: ANN401 - one of the TypedDicts of the adapters
    if server.url:
        return {"transport": "streamable_http", "url": server.url}
    return {"transport": "stdio", "command": server.command, "args": list(server.args), "env": dict(server.env)}


def _action(name: str, server: Server, tool: "BaseTool") -> McpAction:
    effect: SideEffect = server.tools[tool.name].side_effect or "external"
    full_name = f"{name}_{tool.name}"
    purpose = one_line(tool.description, 400) or f"The tool {tool.name!r} of the MCP server {name!r}."
    protocol = ToolProtocol(
        name=full_name,
        purpose=purpose,
        when_to_use=purpose,
        when_not="Another tool fits better.",
        arguments=_model(full_name, tool.args_schema),
        response=McpAnswer,
        side_effect=effect,
        errors=("arguments", "timeout", "unavailable"),
    )
    return McpAction(tool, protocol, server.timeout)


def _model(name: str, schema: object) -> type[BaseModel]:
    """The arguments of a tool as a model: names, types and which are needed; the server checks the rest."""
    json_schema: Mapping[str, Any] = schema if isinstance(schema, dict) else {}
    required = set(json_schema.get("required", ()))
    fields: dict[str, Any] = {}
    for field, details in json_schema.get("properties", {}).items():
        kind = _TYPES.get(str(details.get("type")), Any)
        description = one_line(str(details.get("description", "")), 300)
        optional = Field(default=details.get("default"), description=description)
        if field in required:
            fields[field] = (kind, Field(description=description))
        else:
            fields[field] = (kind | None if kind is not Any else Any, optional)
    model: type[BaseModel] = create_model(f"Arguments_{name}", __config__=ConfigDict(extra="forbid"), **fields)
    return model


def _output(message: Any, text: str) -> JsonValue:  # noqa: ANN401 - a ToolMessage
    """The structured answer where the tool gave one, so that a value with its unit can be used as a reading."""
    artifact = getattr(message, "artifact", None)
    structured = artifact.get("structured_content") if isinstance(artifact, dict) else None
    return sanitize_json(structured) if isinstance(structured, dict) else {"text": text}


__all__ = ["McpAction", "OperatorTool", "with_mcp"]
