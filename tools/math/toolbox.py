"""All tools of the math expert by name, and as functions that a program in the sandbox may call."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue, ValidationError

from tools.history import StepFailure
from tools.math import components, conversion, equations, laws, linear, properties, wolfram
from tools.math.tool import Computed, MathTool, fail

if TYPE_CHECKING:
    from tools.sandbox import HostTool, Sandbox


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
    """What a program in the sandbox may call: look-ups of properties and constants, and linear programmes.

    They take plain numbers and names, run no text, and reach no file and no network.
    """
    allowed = (*properties.TOOLS, *components.TOOLS, *laws.TOOLS, *(one for one in linear.TOOLS))
    return {tool.protocol.name: _served(tool) for tool in allowed}


def describe(tools: Mapping[str, MathTool]) -> str:
    """The tools in lines for a model."""
    lines = []
    for name, tool in tools.items():
        it = tool.protocol
        lines.append(f"{name}: {it.purpose} When: {it.when_to_use} Not: {it.when_not}")
    return "\n".join([*lines, "", "laws of apply_law:", *laws.lines()])


def describe_host(tools: Mapping[str, Any]) -> str:
    """The signatures of the host's tools in lines for a model."""
    known = {tool.protocol.name: tool for tool in (*properties.TOOLS, *components.TOOLS, *laws.TOOLS, *linear.TOOLS)}
    lines = []
    for name in tools:
        if name in known:
            fields = known[name].protocol.arguments.model_fields
            shown = ", ".join(key for key in fields if key != "tool")
            lines.append(f"tool({name!r}, {shown}): {known[name].protocol.purpose}")
    return "\n".join(lines)


def _served(tool: MathTool) -> "HostTool":
    def call(arguments: dict[str, JsonValue]) -> JsonValue | StepFailure:
        try:
            asked = tool.protocol.arguments.model_validate(arguments)
        except ValidationError as wrong:
            faults = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in wrong.errors()[:5])
            return fail("arguments", f"{tool.protocol.name}: {faults}")
        made: Computed | StepFailure = asyncio.run(
            tool.run(asked)
        )  # a program runs in a thread of its own, where no loop is running
        if isinstance(made, Computed):
            return {one.name: {"value": one.value, "unit": one.unit} for one in made.values}
        return made

    return call
