"""The flow view of a procedure: the one conversion of a `ProcedureFlow` into the graph that is stored and walked."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from soprag.tools.markdown.inline import plain
from soprag.tools.procedure.completeness import SHOWN, completeness
from soprag.tools.procedure.drafting.references import definitions, references
from soprag.tools.procedure.plain_reading import plain_reading
from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureStep
from soprag.tools.procedure.source_text import SourceText, letters_of
from soprag.tools.procedure.step_warnings import StepWarnings, with_whole_warnings
from soprag.tools.sop import (
    END,
    OTHERWISE,
    UNRESOLVED,
    Call,
    FlowEdge,
    FlowGraph,
    LeftOut,
    Span,
    StatedRange,
    Step,
    Unresolved,
    Warning,
)

_JOINER = re.compile(r"[\s,;]+(?:and then|and|(?<!\bby )then|or)$", re.IGNORECASE)
_IF = re.compile(r"^if\s+", re.IGNORECASE)
_LOST = "no part of the run holds this line"


def flow_view(flow: ProcedureFlow, source: SourceText) -> FlowGraph:
    """The flow view of the SOP with this source; its steps are in the order of their lines, as `s1`, `s2`, ..."""
    return _ViewBuilder(
        with_whole_warnings(flow if flow.steps else plain_reading(source, flow), source), source
    ).build()


@dataclass(frozen=True)
class _ViewBuilder:
    flow: ProcedureFlow
    source: SourceText

    @cached_property
    def steps(self) -> list[ProcedureStep]:
        """The steps in the order of their first lines."""
        return sorted(self.flow.steps, key=lambda step: step.lines[0])

    @cached_property
    def names(self) -> dict[str, str]:
        """Id of the reader -> id in the view."""
        return {step.id: f"s{position}" for position, step in enumerate(self.steps, 1)}

    @cached_property
    def owners(self) -> Counter[int]:
        """How many steps stand on each line."""
        return Counter(line for step in self.steps for line in step.lines)

    @cached_property
    def warnings(self) -> StepWarnings:
        """The warnings of the steps."""
        return StepWarnings(self.flow, self.source, self.steps)

    @cached_property
    def links(self) -> dict[str, str]:
        """The link definitions of the body."""
        return definitions(self.source.body)

    def build(self) -> FlowGraph:
        """All parts of the view."""
        account = completeness(self.source.body, self.flow)
        lost = [Unresolved(lines=(line,), reason=_LOST) for line in account.unaccounted]
        steps, edges = tuple(self._steps()), tuple(self._edges())
        left = [(line.n, line.role) for line in account.left_out if line.n not in self.warnings.noted]
        return FlowGraph(
            steps=steps,
            edges=edges,
            entry=tuple(self.names[name] for name in self._beginnings() if name in self.names),
            entry_points=tuple(
                point.model_copy(update={"step": self.names[point.step]})
                for point in self.flow.entry_points
                if point.step in self.names
            ),
            alternatives=tuple(
                fork.model_copy(update={"entries": tuple(self.names[name] for name in fork.entries)})
                for fork in self.flow.alternatives
                if set(fork.entries) <= set(self.names)
            ),
            limits=tuple(self._ranges("")),
            calls=tuple(self._call(one) for one in self.flow.calls),
            unresolved=(*(self._renamed(one) for one in self.flow.unresolved), *lost),
            left_out=tuple(_grouped([*left, *self._unshown(steps, edges)])),
        )

    def _call(self, one: Call) -> Call:
        names = {**self.names, END: END}
        return Call(
            source=names[one.source],
            target=names[one.target],
            steps=tuple(names[name] for name in one.steps),
            exits=tuple((names[a], names[b]) for a, b in one.exits),
            returns=names[one.returns],
        )

    def _beginnings(self) -> list[str]:
        """Where the procedure begins: not at the entry points of other situations, unless they are its alternatives."""
        entry = set(self.flow.entry)
        forked = {name for fork in self.flow.alternatives if entry.issuperset(fork.entries) for name in fork.entries}
        points = {point.step for point in self.flow.entry_points} - forked
        return [name for name in self.flow.entry if name not in points] or list(self.flow.entry[:1])

    # steps -----------------------------------------------------------------------------------------------------------

    def _steps(self) -> Iterator[Step]:
        sections = self.source.sections([step.lines[0] for step in self.steps])
        for step, heads in zip(self.steps, sections, strict=True):
            leads = (words for line, words in self.source.leads(step.lines[0]) if line not in self.owners)
            section = " / ".join(filter(None, [heads, *leads]))
            label, text, passage = self._words(step)
            yield Step(
                id=self.names[step.id],
                kind=step.kind,
                text=text,
                passage=passage if letters_of(passage) != letters_of(text) else "",
                label=label,
                section=section,
                lines=Span(start=step.lines[0], end=step.lines[-1]),
                only_if=_IF.sub("", step.only_if),
                warnings=tuple(map(self._renamed_warning, self.warnings.of(step, text))),
                ranges=tuple(self._ranges(step.id)),
                references=tuple(self._references(step, text)),
            )

    def _words(self, step: ProcedureStep) -> tuple[str, str, str]:
        """The label and the text of a step, and the passage around it when it is only a part of its lines."""
        first, last = step.lines[0], step.lines[-1]
        if self.owners[first] == 1:
            foreign = (line for line in range(first, last + 1) if self._foreign(line, step))
            label, text = self.source.step(first, last, [Span(start=line, end=line) for line in foreign])
            return label, text or step.text, ""
        start, end = self.source.leaf(first)
        if self.source.lines[start - 1].lstrip().startswith("<"):
            start, end = first, last  # the row, not the whole table
        own = all(line in step.lines for line in range(end + 1, last + 1))
        end = max(end, last) if own or step.kind == "decision" else end
        label, passage = self.source.step(start, end, [])
        return (label if step.label else ""), _JOINER.sub("", step.text) or step.text, passage

    def _foreign(self, line: int, step: ProcedureStep) -> bool:
        """Whether a line between the first and the last of a step belongs to something else."""
        if line in self.warnings.apart and line != step.lines[0]:
            return True
        return line not in step.lines and (line in self.owners or line in self.warnings.warned)

    def _references(self, step: ProcedureStep, text: str) -> Iterator[str]:
        raw = "\n".join(self.source.lines[line - 1] for line in step.lines)
        shared = self.owners[step.lines[0]] > 1
        for name in references(raw, self.links):
            if not shared or letters_of(name) in letters_of(text):
                yield name

    def _ranges(self, step: str) -> Iterator[StatedRange]:
        fields = StatedRange.model_fields
        for stated in self.flow.ranges:
            if stated.step == step:
                yield StatedRange(**{name: getattr(stated, name) for name in fields})

    def _unshown(self, steps: Iterable[Step], edges: Iterable[FlowEdge]) -> Iterator[tuple[int, str]]:
        """Lead-ins and conditions whose words stand over no step and on no edge, with their roles."""
        headings = {line for block in self.source.headings for line in range(block.start, block.end + 1)}
        parts = [*(edge.condition for edge in edges), *(f"{step.only_if} {step.section}" for step in steps)]
        shown = letters_of(" ".join(parts))
        taken = headings | self.warnings.noted | self.warnings.warned | set(self.owners)
        for line in self.flow.lines:
            words = letters_of(plain(self.source.lines[line.n - 1]))
            if line.role in SHOWN and line.n not in taken and words not in shown:
                yield line.n, line.role

    def _renamed_warning(self, warning: Warning) -> Warning:
        names = tuple(self.names.get(name, name) for name in warning.protects)
        return warning.model_copy(update={"protects": names})

    # edges -----------------------------------------------------------------------------------------------------------

    def _edges(self) -> Iterator[FlowEdge]:
        leaving: dict[str, list[FlowEdge]] = {}
        for edge in self.flow.edges:
            target = self.names.get(edge.target, edge.target)
            way = FlowEdge(source=self.names[edge.source], target=target, condition=_condition(edge.when))
            leaving.setdefault(edge.source, []).append(way)
        for one in self.flow.unresolved:
            if one.step in self.names and not one.doubt:
                way = FlowEdge(source=self.names[one.step], target=UNRESOLVED, condition=_condition(one.when))
                leaving.setdefault(one.step, []).append(way)
        for step in self.steps:
            ways = leaving.get(step.id) or [FlowEdge(source=self.names[step.id], target=UNRESOLVED)]
            # The words of an only way, such as "return to step 1", are no condition.
            yield from self._sorted(step, ways) if len(ways) > 1 else [ways[0].model_copy(update={"condition": ""})]

    def _sorted(self, step: ProcedureStep, ways: list[FlowEdge]) -> list[FlowEdge]:
        """The ways in the order of their words in the source; `otherwise` is the last."""
        ways = [way if way.condition else way.model_copy(update={"condition": OTHERWISE}) for way in ways]
        text = letters_of(plain(" ".join(self.source.lines[step.lines[0] - 1 : step.lines[-1]])))
        place = {way.condition: text.find(letters_of(way.condition)) for way in ways}
        return sorted(ways, key=lambda way: (way.condition == OTHERWISE, place[way.condition] % (len(text) + 1)))

    def _renamed(self, one: Unresolved) -> Unresolved:
        alone = one.step and not any(edge.source == one.step for edge in self.flow.edges)
        return one.model_copy(
            update={"step": self.names.get(one.step, ""), "when": "" if alone else _condition(one.when)}
        )


def _grouped(lines: Iterable[tuple[int, str]]) -> Iterator[LeftOut]:
    """Neighbouring lines of one role as one part."""
    numbered = enumerate(sorted(lines))
    for (_, role), members in groupby(numbered, key=lambda item: (item[1][0] - item[0], item[1][1])):
        numbers = [n for _, (n, _) in members]
        yield LeftOut(lines=Span(start=numbers[0], end=numbers[-1]), role=role)


def _condition(when: str) -> str:
    """The words of a condition without their "if"."""
    words = _IF.sub("", when)
    return OTHERWISE if words.lower() == OTHERWISE else words
