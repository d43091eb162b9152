"""The code expert: a model writes Python for a sub-task, the sandbox runs it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import Field, JsonValue

from soprag.agents.experts.prior_results import earlier, failures, shown, told
from soprag.tools.history import StepFailure
from soprag.tools.llm import Llm
from soprag.tools.math.laws import describe
from soprag.tools.math.toolbox import describe_host
from soprag.tools.protocols import ExpertResult, ToolProtocol, Work
from soprag.tools.sandbox import Program, Sandbox, SandboxOutcome
from soprag.tools.sop import Frozen
from soprag.tools.tasks.calculate import CODE, CodeAsk
from soprag.tools.units.quantity import Quantity, UnitFault

SHOWN = 1_500  # characters of a program in a failure


class CodeArguments(Frozen):
    """Optional arguments of the code expert."""

    code: str = Field(default="", description="a program to run as it is; empty: the expert writes it")
    unit: str = Field(default="", description="the unit that the result must have; empty: whatever comes out")


class CodeResponse(Frozen):
    """What a program left in `answer`."""

    answer: JsonValue = Field(description="a quantity as {value, unit}, a number, or several of them by name")
    code: str = Field(description="the program")


PROTOCOL = ToolProtocol(
    name="code",
    purpose="Compute a result by a Python program that is written for the sub-task and run in a closed sandbox.",
    when_to_use="A calculation needs several steps, a loop, a table, or a method that no tool of mathematics has.",
    when_not="A single conversion, law or property answers it (use math), or a text must be found (use retrieval).",
    arguments=CodeArguments,
    response=CodeResponse,
    side_effect="pure",
    errors=(
        "syntax",
        "name",
        "type",
        "runtime",
        "timeout",
        "limit",
        "dimension",
        "inconsistent",
        "arguments",
        "unavailable",
    ),
)


@dataclass(frozen=True)
class CodeExpert:
    """Writes and runs programs; a repetition of a failed step shows the model its failures.

    `functions` gives the functions of the sandbox's libraries that fit a task, as lines of a prompt (GRACG, paper 002).
    """

    llm: Llm
    sandbox: Sandbox
    functions: Callable[[str, Sequence[str]], str] = lambda task, libraries: ""
    protocol: ToolProtocol = field(default=PROTOCOL)
    reads_failures: bool = True

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        """The program's answer, or why there is none."""
        arguments = told(CodeArguments, work.arguments)
        if isinstance(arguments, StepFailure):
            return arguments
        inputs = earlier(work.history)
        code = arguments.code or await self._write(work, arguments, inputs)
        if not code.strip():
            message = f"No program was written for {work.task[:120]!r}; set a model, or state all numbers with units."
            return StepFailure(kind="unavailable", message=message)
        if code[:SHOWN] in "\n".join(failures(work.history, "code", work.task)):
            again = "The same program failed before and is not run again; change what caused the fault."
            return StepFailure(kind="runtime", message=again, detail=code)
        outcome = await self.sandbox.run(Program(code, inputs))
        return _judge(outcome, code, arguments.unit)

    async def _write(self, work: Work, arguments: CodeArguments, inputs: Mapping[str, JsonValue]) -> str:
        unit_request = f"\nThe result is wanted in {arguments.unit}." if arguments.unit else ""
        fitting = await asyncio.to_thread(self.functions, work.task, self.sandbox.libraries)
        ask = CodeAsk(
            task=work.task + unit_request,
            inputs=shown(work.history),
            libraries="\n".join(filter(None, (", ".join(self.sandbox.libraries), fitting))),
            tools=describe_host(self.sandbox.tools),
            laws=describe(work.task) if "apply_law" in self.sandbox.tools else "",
            failed="\n\n".join(failures(work.history, "code", work.task)),
        )
        return (await self.llm.ask(CODE, ask)).code


def _judge(outcome: SandboxOutcome, code: str, unit: str) -> ExpertResult | StepFailure:
    if outcome.failure:
        detail = f"{outcome.failure.detail}\nprogram:\n{code[:SHOWN]}".strip()
        return outcome.failure.model_copy(update={"detail": detail})
    value = outcome.value
    if value is None:
        message = "The program left nothing in `answer`."
        return StepFailure(
            kind="empty", message=message, detail=f"printed: {outcome.stdout[-500:]}\nprogram:\n{code[:SHOWN]}"
        )
    try:
        value = _as(value, unit)
    except UnitFault as error:
        return error.failure.model_copy(update={"detail": f"program:\n{code[:SHOWN]}"})
    return ExpertResult(output=value, text=words(value))


def _as(value: JsonValue, unit: str) -> JsonValue:
    """The answer in the unit asked for; raises `UnitFault` when its dimension is another."""
    if not unit:
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Quantity(value=value).to(unit).model_dump()
    if isinstance(value, dict) and set(value) == {"value", "unit"}:
        return Quantity.model_validate(value).to(unit).model_dump()
    return value


def words(value: JsonValue) -> str:
    """An answer as text for a person."""
    if isinstance(value, dict) and set(value) == {"value", "unit"}:
        return Quantity.model_validate(value).words()
    if isinstance(value, dict):
        return "; ".join(f"{name} = {words(element)}" for name, element in value.items())
    if isinstance(value, list):
        return ", ".join(words(element) for element in value)
    return Quantity(value=value).words() if isinstance(value, float) else str(value)
