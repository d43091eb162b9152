"""Binds the steps of an SOP to tools, by rule or by a model, and stores the bindings in a file for review.

A run binds the step that it comes to and a few after it; whoever binds names only the steps that are not done by hand.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from soprag.tools.actions.toolbox import Toolbox
from soprag.tools.flow.bindings import Binding, BindingFolder, Bindings, Kind, kept_bindings
from soprag.tools.llm.fallback import attributed
from soprag.tools.procedure.plan import FlowPlan, words_of
from soprag.tools.procedure.rendered_steps import ShownStep
from soprag.tools.sop import digest
from soprag.tools.tasks.flow import BIND, BindAsk, Duty, StepToBind, ToolOffer
from soprag.tools.tasks.task import Llm
from soprag.tools.text.sanitize import one_line

_AT_ONCE = 40  # steps per request to the model
_AHEAD = 10  # steps of a request for the step that a run has come to


@dataclass(frozen=True)
class ToolBinder:
    """Binds plans to the tools of one toolbox."""

    llm: Llm
    folder: BindingFolder
    toolbox: Toolbox

    async def ensure(self, plan: FlowPlan, node: str = "") -> Bindings:
        """The bindings of a plan, stored ones and new ones where the SOP, the tools or the model changed.

        With `node` only that step and the next ones are bound, if it is not bound yet.
        """
        stored, edition = await asyncio.to_thread(self.folder.read, plan.sop), self.edition
        current = stored and (stored.graph, stored.edition) == (plan.graph, edition)
        known = stored.nodes if stored and current else kept_bindings(plan, stored)
        missing = [step for step in plan.steps if step.id not in known]
        if node:
            missing = _from(missing, node)
        new = {id: binding async for id, binding in self._bound(plan, missing)}
        nodes = {step.id: (known | new)[step.id] for step in plan.steps if step.id in known or step.id in new}
        bindings = Bindings(sop=plan.sop, graph=plan.graph, edition=edition, nodes=nodes)
        if new or not current:
            await asyncio.to_thread(self.folder.write, bindings, plan)
        return bindings

    def kept(self, plan: FlowPlan) -> Bindings:
        """The bindings as stored now; all by hand when there are none for this edition of the SOP."""
        stored = self.folder.read(plan.sop)
        return stored if stored and stored.graph == plan.graph else Bindings(sop=plan.sop, graph=plan.graph)

    async def _bound(self, plan: FlowPlan, missing: Sequence[ShownStep]) -> AsyncIterator[tuple[str, Binding]]:
        for start in range(0, len(missing), _AT_ONCE):
            steps = missing[start : start + _AT_ONCE]
            by_node, by = await self._duties(self.request(plan, steps))
            for step in steps:
                otherwise: Kind = "decision" if len(plan.ways(step.id)) > 1 else "human"
                yield step.id, self._checked(by_node.get(step.id), step, by, otherwise)

    def request(self, plan: FlowPlan, steps: Sequence[ShownStep]) -> BindAsk:
        """What a model is asked about some steps of a plan."""
        asked = [_asked(plan, step) for step in steps]
        return BindAsk(title=one_line(plan.title), tools=list(self._offers()), steps=asked)

    async def _duties(self, ask: BindAsk) -> tuple[dict[str, Duty], str]:
        """The duties by node, and the name of their author."""
        reply = await attributed(self.llm, BIND, ask)
        return {duty.node: duty for duty in reply.answer.duties}, reply.author

    def _checked(self, duty: Duty | None, step: ShownStep, by: str, otherwise: Kind) -> Binding:
        """A valid binding: an available tool with its declared arguments, else `otherwise`."""
        text_hash = words_of(step)
        if duty is None or (duty.kind == "tool" and duty.tool not in self.toolbox.offered()):
            return Binding(kind=otherwise, by=by, text=text_hash)
        if duty.kind != "tool":
            return Binding(kind=duty.kind, by=by, text=text_hash)
        fields = self.toolbox.actions[duty.tool].protocol.arguments.model_fields
        arguments = {argument.name: argument.value for argument in duty.arguments if argument.name in fields}
        return Binding(kind="tool", tool=duty.tool, arguments=arguments, by=by, text=text_hash)

    def _offers(self) -> Iterator[ToolOffer]:
        for name in self.toolbox.offered():
            protocol = self.toolbox.actions[name].protocol
            yield ToolOffer(
                name=name,
                purpose=protocol.purpose,
                when_to_use=protocol.when_to_use,
                when_not=protocol.when_not,
                arguments=_described(protocol.arguments),
            )

    @property
    def edition(self) -> str:
        """The rules or the model and prompt that bind, and the tools."""
        return f"{self.llm.fingerprint(BIND)}/{digest(' '.join(sorted(self.toolbox.offered())))[:8]}"


def _described(arguments: type[BaseModel]) -> str:
    """The arguments of a tool: each with what it is."""
    return "; ".join(f"{name}: {field.description or 'text'}" for name, field in arguments.model_fields.items())


def _from(missing: Sequence[ShownStep], node: str) -> list[ShownStep]:
    """The step of a node and the next ones that are missing; none when it is not missing."""
    place = next((i for i, step in enumerate(missing) if step.id == node), len(missing))
    return list(missing[place : place + _AHEAD])


def _asked(plan: FlowPlan, step: ShownStep) -> StepToBind:
    return StepToBind(node=step.id, text=step.text, ways=len(plan.ways(step.id)))
