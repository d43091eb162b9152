"""Repair of injected faults: with reflection, by retrying the failed step, and without either."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from soprag.benchmarks.quality.faults import FAULTS, HIDDEN, Fault, Injected, injected
from soprag.tools.sop import Frozen
from soprag.tools.tasks.cost import Ledger

if TYPE_CHECKING:
    from soprag.graphs.troubleshoot.context import AgentContext
    from soprag.tools.history import StepRecord
    from soprag.tools.tasks.task import Answer, Ask, Task

Arm = Literal["without", "retry", "reflection"]
OpenContext = Callable[[Any], Awaitable["AgentContext"]]  # the context of the troubleshooter for a chat model
ARMS: tuple[Arm, ...] = ("without", "retry", "reflection")
SECONDS = 1.0  # limit of a program: those with an endless loop use all of it


class RepairReport(Frozen):
    """How many of the runs with each fault came to the right value, by what was done about the failure."""

    runs: dict[Fault, int]
    mended: dict[Arm, dict[Fault, int]]

    def render(self) -> str:
        """A table."""
        rows = [f"{'fault':14}{'runs':>6}" + "".join(f"{arm:>12}" for arm in ARMS)]
        for fault in FAULTS:
            rows.append(f"{fault:14}{self.runs[fault]:>6}" + "".join(f"{self.mended[arm][fault]:>12}" for arm in ARMS))
        total = sum(self.runs.values())
        sums = [sum(self.mended[arm].values()) for arm in ARMS]
        rows.append(f"{'all':14}{total:>6}" + "".join(f"{count:>7} {count / total:>4.0%}" for count in sums))
        return "\n".join(rows)


@dataclass
class Script:
    """A model that plans the chain as it is, writes the faulty program first, and the right one when it is told."""

    chain: Injected
    name: str = "script"
    ledger: Ledger = field(default_factory=Ledger)

    async def ask(self, task: "Task[Ask, Answer]", inputs: "Ask") -> "Answer":
        """Plans and programs by script, everything else by rule."""
        if task.name == "plan":
            return task.answers.model_validate(self._plan(inputs))
        if task.name == "code":
            return task.answers.model_validate({"code": self._write(inputs), "why": "script"})
        from soprag.tools.rules.adapter import RulesLlm

        return await RulesLlm().ask(task, inputs)

    def fingerprint(self, task: "Task[Ask, Answer]") -> str:
        """Always the same."""
        return self.name

    def _plan(self, ask: Any) -> dict[str, Any]:  # noqa: ANN401 - a PlanAsk
        done = len(ask.history)
        if done == len(self.chain.parts) or any(past.status != "ok" for past in ask.history):
            return {"tool": "finish"}
        part = self.chain.parts[done]
        return {"tool": "code", "step": part.task, "uses": list(part.uses)}

    def _write(self, ask: Any) -> str:  # noqa: ANN401 - a CodeAsk
        part = next(part for part in self.chain.parts if ask.task.startswith(part.task))
        return part.code if ask.failed else self.chain.first.get(part.task, part.code)


async def measure_repair(open_context: OpenContext, seeds: int) -> RepairReport:
    """Run every fault under every arm over an index of `procedures()`."""
    chains = list(injected(seeds))
    runs = {fault: sum(chain.fault == fault for chain in chains) for fault in FAULTS} | {"empty": 1}
    mended: dict[Arm, dict[Fault, int]] = {arm: dict.fromkeys(FAULTS, 0) for arm in ARMS}
    bench = RepairBench(open_context)
    sound = {chain.name: Injected(chain.name, chain.fault, "", chain.parts) for chain in chains}
    right = {name: await bench.value(chain, "without") for name, chain in sound.items()}
    for arm in ARMS:
        for chain in chains:
            result, true = await bench.value(chain, arm), right[chain.name]
            mended[arm][chain.fault] += result is not None and true is not None and abs(result / true - 1) < 1e-6
        mended[arm]["empty"] += await bench.finds(arm)
    return RepairReport(runs=runs, mended=mended)


@dataclass(frozen=True)
class RepairBench:
    """The real graph over an index with one procedure."""

    open_context: OpenContext

    async def value(self, chain: Injected, arm: Arm) -> float | None:
        """The last value of a run; None when there is none."""
        question = ", then ".join(part.task for part in chain.parts)
        history = await self._run(question, Script(chain), arm)
        last = history[-1] if history else None
        if last is None or last.step != f"s{len(chain.parts)}" or last.status != "ok":
            return None
        return float(str(last.output["value"])) if isinstance(last.output, dict) else None

    async def finds(self, arm: Arm) -> bool:
        """Whether the procedure is found under words that hide it."""
        from soprag.tools.rules.adapter import RulesLlm

        history = await self._run(HIDDEN, RulesLlm(), arm)
        return history[-1].status == "ok"

    async def _run(self, question: str, llm: Any, arm: Arm) -> "list[StepRecord]":  # noqa: ANN401 - an Llm
        from langchain_core.messages import HumanMessage

        from soprag.graphs.troubleshoot import create_troubleshooter
        from soprag.graphs.troubleshoot.state import TroubleshootInput

        context = _armed(await self.open_context(llm), arm)
        message = TroubleshootInput(messages=[HumanMessage(question)])
        state = await create_troubleshooter(context=context).ainvoke(message)
        return list(state["history"])


def _armed(context: "AgentContext", arm: Arm) -> "AgentContext":
    """The context with as much reflection as the arm has."""
    from dataclasses import replace

    from soprag.agents.reflection import Reflection
    from soprag.tools.history import StepRecord

    class Retry(Reflection):
        """Only ever the failed step."""

        def suspects(self, failed: StepRecord, events: Any) -> list[StepRecord]:  # noqa: ANN401 - as in Reflection
            return [failed]

    whole = context.reflection
    if arm == "reflection":
        return context
    retry = Retry(whole.llm, whole.experts, whole.per_step, whole.per_turn)
    return context.model_copy(update={"reflection": retry if arm == "retry" else replace(whole, per_turn=0)})


def procedures() -> "Iterator[Any]":
    """The procedure that the hidden question is about."""
    from soprag.tools.sop import Sop, Span

    body = "# Restart the coolant pump P-101\n\nThe coolant pump trips when its suction pressure is low.\n\n"
    body += "1. Close the discharge valve V-12.\n2. Clean the strainer S-7.\n3. Press START on the local panel.\n"
    span = Span(start=1, end=body.count("\n") + 1)
    yield Sop(id="pump", title="Restart the coolant pump P-101", text=body, document="d", span=span)
