"""All tools of the math expert by name, and those that sandboxed programs may call on the host."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue, ValidationError

from soprag.tools.history import StepFailure
from soprag.tools.math import components, conversion, equations, laws, linear, properties, wolfram
from soprag.tools.math.tool import Computed, MathTool, fail
from soprag.tools.protocols import ToolCard, ToolProtocol

if TYPE_CHECKING:
    from soprag.tools.sandbox import HostTool, Sandbox


def toolbox(sandbox: "Sandbox") -> Mapping[str, MathTool]:
    """Every tool; those that read formulas in text work in `sandbox`."""
    every = (
        *conversion.TOOLS,
        *laws.TOOLS,
        *properties.TOOLS,
        *components.TOOLS,
        *equations.tools(sandbox),
        *linear.TOOLS,
        *wolfram.tools(),
    )
    return {tool.protocol.name: tool for tool in every}


def host_tools() -> dict[str, "HostTool"]:
    """Host functions for sandboxed programs: properties, constants, laws, linear algebra and linear programmes.

    They take numbers and names, evaluate no text, and access no file and no network.
    """
    allowed = (*properties.TOOLS, *components.TOOLS, *laws.TOOLS, *linear.TOOLS)
    return {tool.protocol.name: _served(tool) for tool in allowed}


def describe_host(tools: Mapping[str, Any]) -> str:
    """The signatures of the host functions as lines of a prompt."""
    host = {tool.protocol.name: tool for tool in (*properties.TOOLS, *components.TOOLS, *laws.TOOLS, *linear.TOOLS)}
    lines = []
    for name in tools:
        if name in host:
            lines.append(_signature(host[name].protocol))
    return "\n".join([*lines, "Each returns {name: quantity}, the result asked for first."] if lines else [])


def _signature(protocol: ToolProtocol) -> str:
    """`tool('name', field: type = default  # what it is, ...)`, from the model that validates the call."""
    schema = ToolCard.of(protocol).function()["function"]["parameters"]
    shapes = schema.get("$defs", {})
    lines = []
    for name, detail in schema["properties"].items():
        default = "" if name in schema["required"] else f" = {detail.get('default')!r}"
        remark = f"  # {detail['description']}" if "description" in detail else ""
        lines.append(f"\n  {name}: {_type(detail, shapes)}{default}{remark}")
    example = f"\n  example: {protocol.example}" if protocol.example else ""
    return f"tool({protocol.name!r}, ...): {protocol.purpose}{''.join(lines)}{example}"


def _type(detail: dict[str, Any], shapes: dict[str, Any]) -> str:
    """A JSON schema as a type in Python's notation."""
    if "$ref" in detail:
        fields = shapes[detail["$ref"].rpartition("/")[2]].get("properties", {})
        return "{" + ", ".join(f"{name}: {_type(inner, shapes)}" for name, inner in fields.items()) + "}"
    if "enum" in detail:
        return " | ".join(repr(value) for value in detail["enum"])
    if "anyOf" in detail:
        return " | ".join(_type(option, shapes) for option in detail["anyOf"])
    if detail.get("type") == "array":
        return f"list[{_type(detail.get('items', {}), shapes)}]"
    names = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}
    return names.get(str(detail.get("type")), str(detail.get("const", "object")))


def _served(tool: MathTool) -> "HostTool":
    def call(arguments: dict[str, JsonValue]) -> JsonValue | StepFailure:
        try:
            request = tool.protocol.arguments.model_validate(arguments)
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in error.errors()[:5])
            return fail("arguments", f"{tool.protocol.name}: {faults}")
        result: Computed | StepFailure = asyncio.run(
            tool.run(request)
        )  # a program runs in a thread of its own, where no loop is running
        if isinstance(result, Computed):
            return {quantity.name: {"value": quantity.value, "unit": quantity.unit} for quantity in result.values}
        return result

    return call
