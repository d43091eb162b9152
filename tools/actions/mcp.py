"""Tools of MCP servers, under the policy of `tools.toml`; what a server says of its own tools decides nothing.

Only tools that the file lists can be used, and a listed one counts as acting on the outside unless the file vouches
that it only reads. A tool that would write to a control system is refused even when it is listed.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from soprag.tools.actions.action import OperatorTool, ToolCall
from soprag.tools.actions.control_writes import writes_to_control
from soprag.tools.actions.mcp_session import McpSession, ServerUnreachable
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
    """The tool `tool` of a server."""

    session: McpSession
    tool: str
    protocol: ToolProtocol

    async def act(self, arguments: dict[str, JsonValue], call: ToolCall) -> ExpertResult | StepFailure:
        """Call the tool; whatever goes wrong in the tool or on the way is returned as a `StepFailure`."""
        from langchain_core.tools import ToolException

        present = {name: value for name, value in arguments.items() if value is not None}
        request = {"name": self.tool, "args": present, "id": call.key, "type": "tool_call"}
        seconds = self.session.server.timeout
        try:
            tool = (await self.session.tools())[self.tool]
            async with asyncio.timeout(seconds):
                message = await tool.ainvoke(request)
        except TimeoutError:
            reason = f"{self.protocol.name!r} gave no answer in {seconds:g} s; what it did is not known."
            return StepFailure(kind="timeout", message=reason)
        except (ToolException, ServerUnreachable) as error:
            return self._failed(one_line(str(error), 300) or type(error).__name__)
        except Exception as error:  # noqa: BLE001 - a broken connection raises what its transport raises
            self.session.drop()
            reason = one_line(str(error), 300) or type(error).__name__
            return self._failed(f"{reason}; what it did is not known.")
        text = sanitize(str(message.text))[:_LONGEST]
        if message.status == "error":
            return self._failed(one_line(text, 300))
        return ExpertResult(output=_output(message, text), text=text)

    def _failed(self, reason: str) -> StepFailure:
        return StepFailure(kind="unavailable", message=f"{self.protocol.name!r} failed: {reason}")


async def with_mcp(toolbox: Toolbox, file: ToolsFile) -> Toolbox:
    """The toolbox with the listed tools of all servers of the file, which are connected to at the same time.

    The tools of a server that cannot be reached are unavailable, which is logged; nothing else depends on them. Raises
    `ConfigError` when the file lists a tool that the server does not have or that would write to a control system, and
    when two tools have one name.
    """
    sessions = [McpSession(name, server) for name, server in file.mcp.items()]
    for session, tools in zip(sessions, await asyncio.gather(*map(_offered, sessions)), strict=True):
        if isinstance(tools, ServerUnreachable):
            _log.warning("%s Its tools cannot be used now.", tools)
            missing = {f"{session.name}_{tool}": str(tools) for tool in session.server.tools}
            toolbox = replace(toolbox, unavailable={**toolbox.unavailable, **missing})
        else:
            toolbox = _with_tools(toolbox, session, tools)
    return toolbox


async def _offered(session: McpSession) -> "Mapping[str, BaseTool] | ServerUnreachable":
    """The tools of a server, or why there are none."""
    try:
        return await session.tools()
    except ServerUnreachable as unreachable:
        return unreachable


def _with_tools(toolbox: Toolbox, session: McpSession, tools: "Mapping[str, BaseTool]") -> Toolbox:
    actions, policies, unavailable = dict(toolbox.actions), dict(toolbox.policies), dict(toolbox.unavailable)
    name, server = session.name, session.server
    _check_list(name, server, tools)
    unlisted: list[str] = []
    for tool in tools.values():
        full_name = f"{name}_{tool.name}"
        if full_name in actions:
            raise ConfigError(f"Two tools are called {full_name!r}; rename one, or leave out the server {name!r}.")
        if tool.name in server.tools:
            actions[full_name] = _action(session, tool)
            policies[full_name] = server.tools[tool.name]
        elif not writes_to_control(tool.name, tool.description):
            unlisted.append(tool.name)
            reason = f"{full_name!r} is a tool of an MCP server that tools.toml does not list."
            unavailable[full_name] = f"{reason} {_advice(name, tool.name)}"
    _warn_of_unlisted(name, unlisted)
    return Toolbox(actions, policies, unavailable)


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


def _action(session: McpSession, tool: "BaseTool") -> McpAction:
    effect: SideEffect = session.server.tools[tool.name].side_effect or "external"
    full_name = f"{session.name}_{tool.name}"
    purpose = one_line(tool.description, 400) or f"The tool {tool.name!r} of the MCP server {session.name!r}."
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
    return McpAction(session, tool.name, protocol)


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
