"""One SOP as the index knows it, for a person: card, entities, states, steps with their warnings, history."""

from collections.abc import Iterator

from soprag.tools.retriever.index.index import Index, IndexChange
from soprag.tools.sop import Frozen, Sop, Step, Views


class ShownSop(Frozen):
    """The SOP, its views and what happened to it."""

    sop: Sop
    views: Views
    history: list[IndexChange]

    def text(self) -> str:
        """A page for a person."""
        return "\n".join([*self._head(), *self._causal(), *self._flow(), *self._past()])

    def _head(self) -> Iterator[str]:
        yield f"{self.views.card.title}  ({self.sop.id})"
        yield f"  {self.views.card.abstract}"
        for kind in ("alarm", "parameter", "asset", "role", "other"):
            names = [entity.name for entity in self.views.entity.entities if entity.kind == kind]
            if names:
                yield f"  {kind:10} {', '.join(names)}"

    def _causal(self) -> Iterator[str]:
        causal = self.views.causal
        texts = {state.id: state.text for state in causal.states}
        yield f"Causal view: {len(texts)} states"
        yield from (f"  {texts[state]}  -> this procedure" for state in causal.resolves)
        yield from (f"  {texts[edge.source]}  {edge.relation}  {texts[edge.target]}" for edge in causal.edges)

    def _flow(self) -> Iterator[str]:
        flow = self.views.flow
        yield f"Flow view: {len(flow.steps)} steps"
        for step in flow.steps:
            yield from _step(step)
            yield from (
                f"        if {edge.condition}: {edge.target}"
                for edge in flow.edges
                if edge.source == step.id and edge.condition
            )

    def _past(self) -> Iterator[str]:
        yield "History"
        yield from (f"  {event.at}  v{event.version}  {event.event}  ({event.edition})" for event in self.history)


def show_sop(index: Index, id: str) -> ShownSop:
    """Everything about one SOP; raises `UsageError` when it is not there."""
    return ShownSop(sop=index.sop(id), views=index.views(id), history=index.history(id))


def _step(step: Step) -> Iterator[str]:
    yield from (f"  {warning.kind.upper()}: {warning.text}" for warning in step.warnings)
    sign = "?" if step.kind == "decision" else " "
    yield f"  {step.id:>5} {sign} {step.label} {step.text}  (line {step.lines.start})"
