"""The plan of an SOP for guided runs: its steps, the edges between them, and graph defects."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from soprag.tools.markdown.inline import plain
from soprag.tools.procedure.choices import conditions
from soprag.tools.procedure.reading_range import Range, ranges
from soprag.tools.procedure.rendered_steps import ShownStep, show
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.procedure.stated_stops import same_condition, stated_stops
from soprag.tools.sop import FlowGraph, Sop, Warning, digest


@dataclass(frozen=True)
class Edge:
    """An outgoing edge of a step; an empty `to` is the end of the procedure."""

    to: str
    condition: str = ""


@dataclass(frozen=True)
class FlowPlan:
    """One SOP prepared for execution; derived entirely from the SOP and its flow graph."""

    sop: str
    title: str
    digest: str
    graph: str
    steps: tuple[ShownStep, ...]
    edges: dict[str, tuple[Edge, ...]]

    @cached_property
    def by_id(self) -> dict[str, ShownStep]:
        """Node → its step."""
        return {step.id: step for step in self.steps}

    def ways(self, node: str) -> tuple[Edge, ...]:
        """The outgoing edges of a step; no edge, or one with an empty target, ends the procedure.

        A graph has no edges to the end, so a single conditional edge implies a second one, to the end.
        """
        edges = self.edges.get(node, ())
        if len(edges) != 1 or not edges[0].condition:
            return edges
        if edges[0].condition != "otherwise":
            return (*edges, Edge("", "otherwise"))
        ended = next(iter(conditions(plain_lines(self.by_id[node].text))), "")
        return (Edge("", ended), *edges) if ended else edges

    def demands(self, node: str) -> tuple[Range, ...]:
        """The ranges the step states for its readings."""
        return ranges(plain_lines(self.by_id[node].text))

    def onward(self, node: str) -> str:
        """The step written after this one; empty after the last."""
        number = self.by_id[node].number
        return self.steps[number].id if number < len(self.steps) else ""

    def warnings(self, node: str, came_from: str = "", read: Iterable[str] = ()) -> tuple[Warning, ...]:
        """The warnings to read before the step: its own, and on entering a section those of the section's first step.

        A remark before the first step of a section applies to the whole section.
        """
        step, acknowledged = self.by_id[node], set(read)
        before = self.by_id.get(came_from)
        heads = [] if before and before.section == step.section else self._heads(step)
        above = [w for head in heads for w in head.warnings if lines_key(w) not in acknowledged]
        return tuple(dict.fromkeys([*above, *step.warnings]))

    def _heads(self, step: ShownStep) -> list[ShownStep]:
        names = step.section.split(" / ")
        sections = {" / ".join(names[:depth]) for depth in range(1, len(names) + 1)} if step.section else set()
        first: dict[str, ShownStep] = {}
        for earlier in self.steps[: step.number - 1]:
            parts = earlier.section.split(" / ")
            for depth in range(1, len(parts) + 1):
                first.setdefault(" / ".join(parts[:depth]), earlier)
        heads = {first[name].number: first[name] for name in sections if name in first}
        return [heads[number] for number in sorted(heads)]

    # what is odd ----------------------------------------------------------------------------------------------------

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The nodes that the first step leads to, itself included."""
        return self._from(self.steps[0].id) if self.steps else frozenset()

    @property
    def unreachable(self) -> tuple[ShownStep, ...]:
        """Steps that no path reaches."""
        return tuple(step for step in self.steps if step.id not in self.reachable)

    @cached_property
    def endless(self) -> tuple[ShownStep, ...]:
        """Reachable steps from which no end can be reached: a go-to cycle without a way out."""
        ends = [step.id for step in self.steps if not all(edge.to for edge in self.ways(step.id) or [Edge("")])]
        predecessors: dict[str, list[str]] = {}
        for node, edges in self.edges.items():
            for edge in edges:
                predecessors.setdefault(edge.to, []).append(node)
        leads = set(ends)
        while ends:
            fresh = [node for node in predecessors.get(ends.pop(), ()) if node not in leads]
            leads.update(fresh)
            ends += fresh
        return tuple(step for step in self.steps if step.id in self.reachable and step.id not in leads)

    def _from(self, node: str) -> frozenset[str]:
        reached, open_ = {node}, [node]
        while open_:
            fresh = [edge.to for edge in self.ways(open_.pop()) if edge.to and edge.to not in reached]
            reached.update(fresh)
            open_ += fresh
        return frozenset(reached)


def plan(sop: Sop, flow: FlowGraph) -> FlowPlan:
    """The plan of an SOP; an edge that names a step the graph does not have is left out."""
    steps = show(flow, SourceText(sop.body))
    ids = {step.id for step in steps}
    edges: dict[str, dict[tuple[str, str], Edge]] = {}
    for edge in flow.edges:
        if {edge.source, edge.target} <= ids:
            edges.setdefault(edge.source, {})[edge.target, edge.condition] = Edge(edge.target, edge.condition)
    outgoing = {node: tuple(unique.values()) for node, unique in edges.items()}
    for node, stops in stated_stops(sop.body, {step.id: step.lines for step in steps}).items():
        outgoing[node] = _stopping(outgoing.get(node, ()), stops)
    return FlowPlan(
        sop.id, sop.title, digest(f"{sop.title}\n{sop.body}"), digest(flow.model_dump_json()), steps, outgoing
    )


def _stopping(edges: tuple[Edge, ...], stops: tuple[str, ...]) -> tuple[Edge, ...]:
    """The edges of a step with an end for every stop that its text states; the last step ends anyway."""
    onward = [edge for edge in edges if not any(same_condition(edge.condition, stop) for stop in stops)]
    if not edges or any(not edge.to for edge in edges):
        return edges
    rest = onward or [Edge(edges[0].to, "otherwise")]
    if len(rest) == 1 and not rest[0].condition:
        rest = [Edge(rest[0].to, "otherwise")]
    return (*(Edge("", stop) for stop in stops), *rest)


def words_of(step: ShownStep) -> str:
    """The hash of a step's text, which identifies the step across editions."""
    return digest(step.text)[:16]


def lines_key(warning: Warning) -> str:
    """The key of a warning by its lines, as stored in a run."""
    return f"{warning.lines.start}-{warning.lines.end}"


def plain_lines(text: str) -> str:
    """A step's text without markup, line breaks preserved."""
    return "\n".join(plain(line) for line in text.split("\n"))
