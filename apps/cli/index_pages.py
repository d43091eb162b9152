"""What `soprag index` prints: a list of SOPs, one SOP with its views, the bindings of steps, a verdict."""

from collections import Counter
from collections.abc import Iterator

from soprag.apps.compose.guided_run import SopBindings
from soprag.tools.retriever.index.index import IndexChange, Listed
from soprag.tools.retriever.index.moving import MovedTable
from soprag.tools.sop import END, UNRESOLVED, Frozen, Sop, Step, Views

_TITLE = 60  # characters that titles are aligned to; a longer one moves the rest of its line


class Listing(Frozen):
    """The SOPs of an index."""

    index: str
    sops: list[Listed]

    def text(self) -> str:
        """A line per SOP: its title, and at the end the id that other commands take."""
        width = min(max((len(sop.title) for sop in self.sops), default=0), _TITLE)
        rows = [f"{sop.title:<{width}}  v{sop.version}  {sop.updated[:10]}  {sop.id}" for sop in self.sops]
        return "\n".join([*rows, f"{len(rows)} SOPs in {self.index}"])


class IndexCheck(Frozen):
    """An index without faults."""

    index: str
    size: int

    def text(self) -> str:
        """One line."""
        return f"{self.index}: {self.size} SOPs, nothing wrong"


class MovePage(Frozen):
    """What `soprag index move` copied, equal on both sides."""

    index: str
    target: str
    tables: list[MovedTable]

    def text(self) -> str:
        """What was compared, and what stays behind."""
        rows = ", ".join(f"{table.rows} {table.table}" for table in self.tables)
        return (
            f"Copied {self.index} to {self.target}; rows and fingerprints are equal on both sides: {rows}.\n"
            "The index that was copied stays; so do its knowledge graph and the bindings of steps."
        )


class BindingPage(Frozen):
    """What `soprag index bindings` shows."""

    sops: list[SopBindings]

    def text(self) -> str:
        """The SOPs one after the other, and how many steps each tool has."""
        used = Counter(binding.tool or binding.kind for sop in self.sops for binding in sop.bindings.nodes.values())
        counts = ", ".join(f"{count} {name}" for name, count in used.most_common())
        return "\n".join([*(sop.text() for sop in self.sops), f"{len(self.sops)} SOPs: {counts}"])


class SopPage(Frozen):
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
                f"        {f'if {edge.condition}' if edge.condition else 'then'}: {edge.target}"
                for edge in flow.edges
                if edge.source == step.id and (edge.condition or edge.target in (END, UNRESOLVED))
            )
        yield from (f"  unresolved, lines {', '.join(map(str, one.lines))}: {one.reason}" for one in flow.unresolved)

    def _past(self) -> Iterator[str]:
        yield "History"
        yield from (f"  {event.at}  v{event.version}  {event.event}  ({event.edition})" for event in self.history)


def _step(step: Step) -> Iterator[str]:
    yield from (f"  {warning.kind.upper()}: {warning.text}" for warning in step.warnings)
    sign = "?" if step.kind == "decision" else " "
    yield f"  {step.id:>5} {sign} {step.label} {step.text}  (line {step.lines.start})"
    if step.only_if:
        yield f"        only if {step.only_if}"
