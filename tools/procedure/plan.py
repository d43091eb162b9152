"""The plan of an SOP for guided runs: its steps, the edges between them, and graph defects."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from soprag.tools.markdown.inline import plain
from soprag.tools.procedure.ranges.reading_range import Range, demands
from soprag.tools.procedure.rendered_steps import ShownStep, show
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.sop import (
    END,
    EVERY_STEP,
    UNRESOLVED,
    Alternatives,
    Call,
    FlowGraph,
    Sop,
    Span,
    Unresolved,
    Warning,
    digest,
)
from soprag.tools.text.sanitize import one_line

_SHORT = 70  # characters of a step that tell beginnings under one heading apart
START = "START"  # the node at which a procedure with several beginnings asks which of them it is


@dataclass(frozen=True)
class Edge:
    """An outgoing edge of a step; an empty `to` is the end of the procedure, `UNRESOLVED` a place nobody knows."""

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
    flow: FlowGraph
    rows: tuple[str, ...]  # the lines of the SOP

    @cached_property
    def by_id(self) -> dict[str, ShownStep]:
        """Node → its step; `START` among them when it has to be asked where to begin."""
        start = [self._choice()] if self.start == START else []
        return {step.id: step for step in [*start, *self.steps]}

    @cached_property
    def start(self) -> str:
        """The node at which a run begins; empty without steps."""
        entries = self.entries
        return START if len(entries) > 1 else entries[0] if entries else ""

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The steps at which the procedure begins, one of them for a run."""
        ids = {step.id for step in self.steps}
        stated = tuple(name for name in self.flow.entry if name in ids)
        return stated or tuple(step.id for step in self.steps[:1])

    def ways(self, node: str) -> tuple[Edge, ...]:
        """The outgoing edges of a step; no edge, or one with an empty target, ends the procedure."""
        if node == START:
            named = {name: self._situation(name) for name in self.entries}
            shared = Counter(named.values())
            return tuple(Edge(to, self._told(to, words, shared[words])) for to, words in named.items())
        return self.edges.get(node, ())

    def call(self, node: str, to: str = "") -> Call | None:
        """The call that a step makes, on its way to `to` when that is given."""
        return next((one for one in self.flow.calls if one.source == node and to in ("", one.target)), None)

    def fork(self, node: str) -> Alternatives | None:
        """The alternatives that the ways of a step lead to, when no decision of the step chooses between them."""
        targets = {edge.to for edge in self.ways(node)}
        return next((fork for fork in self.flow.alternatives if targets == set(fork.entries)), None)

    def alternative(self, node: str) -> dict[str, str]:
        """The choice that leads to `node` from a fork behind steps common to all alternatives; empty for others."""
        forks = ((step.id, self.fork(step.id)) for step in self.steps)
        leads = ((fork, edge) for at, fork in forks if fork for edge in self.ways(at) if edge.to == node != at)
        return next(({fork.by: edge.condition} for fork, edge in leads), {})

    def doubt(self, node: str) -> Unresolved | None:
        """What makes it doubtful whether the only way of a step is the one that its words mean."""
        return next((one for one in self.flow.unresolved if one.doubt and one.step == node), None)

    def _situation(self, node: str) -> str:
        """When the procedure begins at a step: its situation, its heading or its words."""
        situations = {point.step: point.situation for point in self.flow.entry_points}
        step = next(step for step in self.steps if step.id == node)
        return situations.get(node) or step.section.rpartition(" / ")[2] or plain_lines(step.text)

    def _told(self, node: str, words: str, sharing: int) -> str:
        """The words of a beginning; when it shares them with others, with what is done there."""
        if sharing < 2:
            return words
        step = next(step for step in self.steps if step.id == node)
        act = one_line(plain_lines(step.text), _SHORT)
        return f"{words}: {act}" if act != words else words

    def _choice(self) -> ShownStep:
        """The question where to begin, as a step without a number."""
        forks = (fork.by for fork in self.flow.alternatives if set(self.entries) <= set(fork.entries))
        by = next(forks, "case")
        lines = Span(start=self.steps[0].lines.start, end=self.steps[-1].lines.end)
        return ShownStep(number=0, id=START, kind="decision", text=f"Which {by} is it?", lines=lines)

    def demands(self, node: str) -> tuple[Range, ...]:
        """The ranges the step states for its readings."""
        step = self.by_id[node]
        return demands(plain_lines(step.text), step.ranges)

    def warnings(self, node: str, read: Iterable[str] = ()) -> tuple[Warning, ...]:
        """The warnings to read before the step: its own, and those not yet `read` that protect it with other steps."""
        own, acknowledged = self.by_id[node].warnings, set(read)
        if node == START:
            return ()
        shared = [
            warning
            for step in self.steps
            for warning in step.warnings
            if {node, EVERY_STEP}.intersection(warning.protects) and lines_key(warning) not in acknowledged
        ]
        return tuple(dict.fromkeys([*shared, *own]))

    # what is odd ----------------------------------------------------------------------------------------------------

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The nodes that the first step leads to, itself included."""
        points = [point.step for point in self.flow.entry_points]
        return frozenset().union(*(self._from(name) for name in [*self.entries, *points]))

    @property
    def unreachable(self) -> tuple[ShownStep, ...]:
        """Steps that no path reaches."""
        return tuple(step for step in self.steps if step.id not in self.reachable)

    @cached_property
    def endless(self) -> tuple[ShownStep, ...]:
        """Reachable steps from which no end can be reached: a go-to cycle without a way out."""
        ends = [
            step.id for step in self.steps if {"", UNRESOLVED} & {edge.to for edge in self.ways(step.id) or [Edge("")]}
        ]
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
            fresh = [edge.to for edge in self.ways(open_.pop()) if edge.to not in ("", UNRESOLVED, *reached)]
            reached.update(fresh)
            open_ += fresh
        return frozenset(reached)


def plan(sop: Sop, flow: FlowGraph) -> FlowPlan:
    """The plan of an SOP; an edge to a step that the graph does not have is unresolved."""
    source = SourceText(sop.body)
    steps = show(flow, source)
    targets = {step.id: step.id for step in steps} | {END: ""}
    edges: dict[str, dict[tuple[str, str], Edge]] = {}
    for edge in flow.edges:
        target = targets.get(edge.target, UNRESOLVED)
        edges.setdefault(edge.source, {})[target, edge.condition] = Edge(target, edge.condition)
    outgoing = {node: tuple(unique.values()) for node, unique in edges.items()}
    content, graph = digest(f"{sop.title}\n{sop.body}"), digest(flow.model_dump_json())
    return FlowPlan(sop.id, sop.title, content, graph, steps, outgoing, flow, tuple(source.lines))


def words_of(step: ShownStep) -> str:
    """The hash of a step's text, which identifies the step across editions."""
    return digest(step.text)[:16]


def lines_key(warning: Warning) -> str:
    """The key of a warning by its lines, as stored in a run."""
    return f"{warning.lines.start}-{warning.lines.end}"


def plain_lines(text: str) -> str:
    """A step's text without markup, line breaks preserved."""
    return "\n".join(plain(line) for line in text.split("\n"))
