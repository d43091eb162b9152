"""All tools of the math expert by name, and those that sandboxed programs may call on the host."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue, ValidationError

from soprag.tools.history import StepFailure
from soprag.tools.math import components, conversion, equations, laws, linear, properties, wolfram
from soprag.tools.math.tool import Computed, MathTool, fail

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


def describe(tools: Mapping[str, MathTool]) -> str:
    """The tools as lines of a prompt."""
    lines = []
    for name, tool in tools.items():
        it = tool.protocol
        lines.append(f"{name}: {it.purpose} When: {it.when_to_use} Not: {it.when_not}")
    return "\n".join([*lines, "", "laws of apply_law:", *laws.lines()])


def describe_host(tools: Mapping[str, Any]) -> str:
    """The signatures of the host functions as lines of a prompt."""
    host = {tool.protocol.name: tool for tool in (*properties.TOOLS, *components.TOOLS, *laws.TOOLS, *linear.TOOLS)}
    lines = []
    for name in tools:
        if name in host:
            fields = host[name].protocol.arguments.model_fields
            parameters = ", ".join(key for key in fields if key != "tool")
            lines.append(f"tool({name!r}, {parameters}): {host[name].protocol.purpose}")
    return "\n".join(lines)


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
