"""Binds the steps of an SOP to tools once, by rule or by a model, and stores the bindings in a file for review."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from soprag.tools.actions.toolbox import Toolbox
from soprag.tools.flow.bindings import Binding, BindingFolder, Bindings, rebound
from soprag.tools.llm.fallback import attributed
from soprag.tools.procedure.plan import FlowPlan, words_of
from soprag.tools.procedure.rendered_steps import ShownStep
from soprag.tools.sop import digest
from soprag.tools.tasks.flow import BIND, BindAsk, Duty, StepToBind, ToolOffer
from soprag.tools.tasks.task import Llm
from soprag.tools.text.sanitize import one_line

_AT_ONCE = 40  # steps per request to the model


@dataclass(frozen=True)
class ToolBinder:
    """Binds plans to the tools of one toolbox."""

    llm: Llm
    folder: BindingFolder
    toolbox: Toolbox

    async def ensure(self, plan: FlowPlan) -> Bindings:
        """The bindings of the plan: the stored ones, or new ones when the SOP, the tools or the model changed."""
        stored, edition = await asyncio.to_thread(self.folder.read, plan.sop), self._edition()
        if stored and (stored.graph, stored.edition) == (plan.graph, edition):
            return stored
        nodes = {node: binding async for node, binding in self._bound(plan)}
        fresh = Bindings(sop=plan.sop, graph=plan.graph, edition=edition, nodes=nodes)
        bound = rebound(fresh, stored)
        await asyncio.to_thread(self.folder.write, bound, plan)
        return bound

    def kept(self, plan: FlowPlan) -> Bindings:
        """The bindings as stored now; all by hand when there are none for this edition of the SOP."""
        stored = self.folder.read(plan.sop)
        return stored if stored and stored.graph == plan.graph else Bindings(sop=plan.sop, graph=plan.graph)

    async def _bound(self, plan: FlowPlan) -> AsyncIterator[tuple[str, Binding]]:
        offers = list(self._offers())
        for start in range(0, len(plan.steps), _AT_ONCE):
            steps = plan.steps[start : start + _AT_ONCE]
            ask = BindAsk(title=one_line(plan.title), tools=offers, steps=[_asked(plan, step) for step in steps])
            by_node, by = await self._duties(ask)
            for step in steps:
                yield step.id, self._checked(by_node.get(step.id), step, by)

    async def _duties(self, ask: BindAsk) -> tuple[dict[str, Duty], str]:
        """The duties by node, and the name of their author."""
        reply = await attributed(self.llm, BIND, ask)
        return {duty.node: duty for duty in reply.answer.duties}, reply.author

    def _checked(self, duty: Duty | None, step: ShownStep, by: str) -> Binding:
        """A valid binding: an available tool with its declared arguments, else by hand."""
        text_hash = words_of(step)
        if duty is None or (duty.kind == "tool" and duty.tool not in self.toolbox.offered()):
            return Binding(kind="human", by=by, text=text_hash)
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
                arguments=json.dumps(protocol.arguments.model_json_schema(), ensure_ascii=False),
            )

    def _edition(self) -> str:
        return f"{self.llm.fingerprint(BIND)}/{digest(' '.join(sorted(self.toolbox.offered())))[:8]}"


def _asked(plan: FlowPlan, step: ShownStep) -> StepToBind:
    return StepToBind(node=step.id, text=step.text, ways=len(plan.ways(step.id)))
