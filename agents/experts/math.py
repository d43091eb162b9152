"""The math expert: a model or the rules choose one tool with typed arguments, the tool computes, units are checked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import Field, JsonValue

from soprag.agents.experts.prior_results import failures, shown, told
from soprag.tools.history import StepFailure
from soprag.tools.llm import Llm
from soprag.tools.math.laws import describe, laws
from soprag.tools.math.tool import Computed, MathTool
from soprag.tools.math.toolbox import toolbox
from soprag.tools.protocols import ExpertResult, ToolCard, ToolProtocol, Work
from soprag.tools.sandbox import Sandbox
from soprag.tools.sop import Frozen
from soprag.tools.tasks.calculate import MATH, NO_TOOL_PROTOCOL, MathAsk
from soprag.tools.units.quantity import UnitFault


class MathArguments(Frozen):
    """Optional arguments of the math expert."""

    unit: str = Field(default="", description="the unit that the result must have; empty: the tool's own")


PROTOCOL = ToolProtocol(
    name="math",
    purpose="Compute a quantity with its unit: conversions, engineering laws, properties of fluids, equations, optima.",
    when_to_use="One tool can answer: all quantities are stated, or come from earlier steps.",
    when_not="The calculation needs a program of several steps (use code) or a text (use retrieval).",
    arguments=MathArguments,
    response=Computed,
    side_effect="pure",
    errors=("dimension", "arguments", "range", "empty", "inconsistent", "timeout", "unavailable", "precondition"),
    example='{"unit": "kW"}',
)


@dataclass(frozen=True)
class MathExpert:
    """Chooses a tool and lets it compute; a repetition of a failed step shows the model its failure."""

    llm: Llm
    sandbox: Sandbox
    reads_failures: bool = True

    @cached_property
    def protocol(self) -> ToolProtocol:
        """Its contract, which names the laws it knows."""
        return replace(PROTOCOL, purpose=f"{PROTOCOL.purpose} Laws: {', '.join(laws())}.")

    @cached_property
    def tools(self) -> Mapping[str, MathTool]:
        """Its tools by name."""
        return toolbox(self.sandbox)

    @cached_property
    def cards(self) -> tuple[ToolCard, ...]:
        """Its tools as a model is offered them, and `none`."""
        protocols = [tool.protocol for tool in self.tools.values()]
        return tuple(ToolCard.of(protocol) for protocol in (*protocols, NO_TOOL_PROTOCOL))

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        """The computed quantities, or why there are none."""
        arguments = told(MathArguments, work.arguments)
        if isinstance(arguments, StepFailure):
            return arguments
        ask = MathAsk(
            task=work.task + (f"\nThe result is wanted in {arguments.unit}." if arguments.unit else ""),
            inputs=shown(work.history),
            laws=describe(work.task),
            tools=list(self.cards),
            failed="\n\n".join(failures(work.history, "math", work.task)),
        )
        choice = await self.llm.ask(MATH, ask)
        if choice.call is None:
            reason = choice.why or "no tool fits"
            return StepFailure(kind="unavailable", message=f"{work.task[:120]!r} was not computed: {reason}")
        tool = self.tools.get(choice.call.tool)
        if tool is None:
            return StepFailure(kind="unavailable", message=f"The tool {choice.call.tool!r} is not set up here.")
        computed = await tool.run(choice.call)
        if isinstance(computed, StepFailure):
            detail = f"call: {choice.call.model_dump_json(exclude_none=True)}"
            return computed.model_copy(update={"detail": f"{computed.detail}\n{detail}".strip()})
        return _result(computed, arguments.unit)


def _result(computed: Computed, unit: str) -> ExpertResult | StepFailure:
    try:
        first = computed.first.to(unit) if unit else computed.first
    except UnitFault as error:
        return error.failure
    others = [f"{value.name} = {value.quantity.words()}" for value in computed.values[1:]]
    text = f"{computed.values[0].name} = {first.words()}" + (f" (with {', '.join(others)})" if others else "")
    output: dict[str, JsonValue] = {"value": first.value, "unit": first.unit}
    if others:
        output["values"] = {value.name: {"value": value.value, "unit": value.unit} for value in computed.values}
    notes = "; ".join((computed.method, *computed.assumptions))
    return ExpertResult(output=output, text=f"{text} [{notes}]")
