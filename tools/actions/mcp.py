"""A tool of an MCP server, under the policy of `tools.toml`; what a server says of its own tools decides nothing.

Only tools that the file lists can be used, and a listed one counts as acting on the outside unless the file vouches
that it only reads. A tool that would write to a control system is refused even when it is listed.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from soprag.tools.actions.action import ToolCall
from soprag.tools.actions.mcp_session import McpSession, ServerUnreachable
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, SideEffect, ToolProtocol
from soprag.tools.text.sanitize import one_line, sanitize, sanitize_json

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

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


def mcp_action(session: McpSession, tool: "BaseTool") -> McpAction:
    """The tool of a server as an action, with the side effect that `tools.toml` gives it."""
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
