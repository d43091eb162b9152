"""Aligns the flow answers of a model with the source: every part is checked, what the model overlooked is restored.

The result is a `ProcedureFlow`, the same structure as the code's own reading, from which it takes line roles, ranges,
numbered steps and warnings that the answers lack. No edge is guessed: a way whose target does not exist is unresolved.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from soprag.tools.procedure.drafting.draft import Role
from soprag.tools.procedure.procedure import (
    LineRole,
    ProcedureEdge,
    ProcedureFlow,
    ProcedureRange,
    ProcedureStep,
    ProcedureWarning,
)
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.retriever.index.called_parts import calls_of, ways_of
from soprag.tools.retriever.index.disagreement import disputed
from soprag.tools.retriever.index.flow_answers import answer_of
from soprag.tools.retriever.index.losses import Losses
from soprag.tools.retriever.index.overlooked import missing_steps, missing_warnings
from soprag.tools.retriever.index.proposal import Proposal
from soprag.tools.retriever.index.step_lines import StepLines
from soprag.tools.sop import END, EVERY_STEP, UNRESOLVED, Alternatives, EntryPoint, Unresolved
from soprag.tools.tasks.retriever import FlowAnswer, OverlookedAnswer, StepDraft, WarningDraft

_UNKNOWN = "the way leads to no step of the procedure"
_READ_AS_STEP = frozenset(("step", "decision", "step-part"))


@dataclass
class FlowAligner:
    """Merges the flow answers for all windows of one SOP; `reading` is what the code reads in it."""

    source: SourceText
    reading: ProcedureFlow
    losses: Losses
    steps: list[StepDraft] = field(default_factory=list)
    warnings: list[WarningDraft] = field(default_factory=list)
    alternatives: list[Alternatives] = field(default_factory=list)
    entry_points: list[EntryPoint] = field(default_factory=list)
    answers: list[FlowAnswer] = field(default_factory=list)
    struck: set[int] = field(default_factory=set)

    def take(self, answer: FlowAnswer) -> None:
        """Add the parts of one window that stand on lines of the SOP; ids are made unique by the window's number."""
        self.answers.append(answer)
        self.struck |= set(answer.struck)
        for draft in answer.steps:
            if self._stands(draft.start, draft.end) and self._id(draft.id) not in self.known:
                self.steps.append(self._own(self._lines.below_heading(draft)))
            else:
                self.losses.steps += 1
        self._warn(answer.warnings)
        for choice in answer.alternatives:
            self.alternatives.append(Alternatives(by=choice.by, entries=tuple(map(self._id, choice.entries))))
        self.entry_points += [p.model_copy(update={"step": self._id(p.step)}) for p in answer.entry_points]

    def overlooked(self) -> Proposal:
        """The proposals that the answers neither hold nor strike; none where the reading stands as it is."""
        if not self.steps or self._as_read():
            return Proposal()
        begun = (self.reading, self.steps, self.warnings, self.struck)
        steps, warnings = missing_steps(*begun), missing_warnings(*begun)
        return Proposal(tuple(step.start for step in steps), tuple(stated.lines[0] for stated in warnings))

    def take_overlooked(self, answer: OverlookedAnswer) -> None:
        """Add what a model says about overlooked lines; each step takes its place among the others."""
        self.answers.append(FlowAnswer(steps=answer.steps, struck=answer.struck))
        self.struck |= set(answer.struck)
        for draft in answer.steps:
            if self._stands(draft.start, draft.end) and self._id(draft.id) not in self.known:
                self._insert(self._own(draft))
            else:
                self.losses.steps += 1
        self._warn(answer.warnings)

    def flow(self) -> ProcedureFlow:
        """The checked flow; the code's own reading when no answer has a step, or the answer says the same."""
        if not self.steps or self._as_read():
            return self.reading
        self._restore_steps()
        edges, unresolved = self._edges()
        steps = [self._step(draft, edges) for draft in self.steps]
        decisions = {step.id for step in steps if step.kind == "decision"}
        flow = ProcedureFlow(
            lines=tuple(self._roles()),
            steps=tuple(steps),
            edges=tuple(dict.fromkeys(_settled(edge, decisions, edges) for edge in edges)),
            entry=self._entry(),
            entry_points=tuple(point for point in self.entry_points if point.step in self.known),
            alternatives=tuple(choice for choice in self.alternatives if self.known.issuperset(choice.entries)),
            warnings=tuple(self._warnings()),
            ranges=tuple(self._range(one) for one in self.reading.ranges),
            unresolved=tuple(unresolved),
            calls=tuple(calls_of(self.steps, edges)),
        )
        return flow.model_copy(update={"unresolved": (*unresolved, *disputed(flow, self.reading))})

    def _as_read(self) -> bool:
        return self.answers == [answer_of(self.reading)]

    @cached_property
    def _lines(self) -> StepLines:
        return StepLines({line.n: line.role for line in self.reading.lines})

    @property
    def known(self) -> set[str]:
        """The ids of the steps."""
        return {draft.id for draft in self.steps}

    def _id(self, name: str) -> str:
        return f"w{len(self.answers)}-{name}"

    def _named(self, name: str) -> str:
        """The id of what a way or a warning of the newest answer names; steps of the chart go by their ids there."""
        return name if name in ("", END, UNRESOLVED, EVERY_STEP) or name in self.known else self._id(name)

    def _own(self, draft: StepDraft) -> StepDraft:
        named = [{"to": self._named(way.to), "through": self._named(way.through)} for way in draft.next]
        ways = [way.model_copy(update=names) for way, names in zip(draft.next, named, strict=True)]
        return draft.model_copy(update={"id": self._id(draft.id), "next": ways})

    def _warn(self, remarks: Iterable[WarningDraft]) -> None:
        for remark in remarks:
            if self._stands(remark.start, remark.end):
                named = list(map(self._named, remark.protects))
                self.warnings.append(remark.model_copy(update={"protects": named}))
            else:
                self.losses.warnings += 1

    def _stands(self, start: int, end: int) -> bool:
        inside = 1 <= start <= end <= len(self.source.lines)
        return inside and any(map(str.strip, self.source.lines[start - 1 : end]))

    # steps and edges -------------------------------------------------------------------------------------------------

    def _restore_steps(self) -> None:
        """Numbered items that the code reads as steps and no answer covers or strikes, each in its place."""
        for draft in list(missing_steps(self.reading, self.steps, self.warnings, self.struck)):
            self._insert(draft)
            self.losses.restored_steps += 1

    def _insert(self, step: StepDraft) -> None:
        position = bisect_left([draft.start for draft in self.steps], step.start)
        self.steps.insert(position, step)
        if not 0 < position < len(self.steps) - 1:
            return
        before, after = self.steps[position - 1], self.steps[position + 1]
        ways = [way.model_copy(update={"to": step.id}) if way.to == after.id else way for way in before.next]
        self.steps[position - 1] = before.model_copy(update={"next": ways})

    def _edges(self) -> tuple[list[ProcedureEdge], list[Unresolved]]:
        edges: list[ProcedureEdge] = []
        unresolved: list[Unresolved] = []
        for position, draft in enumerate(self.steps):
            following = self.steps[position + 1].id if position + 1 < len(self.steps) else END
            for way in ways_of(draft, following):
                when = self._condition(draft, way.when) or (self._words(draft) if way.through else "")
                if way.to in self.known or way.to == END:
                    edges.append(ProcedureEdge(source=draft.id, target=way.to, when=when))
                    continue
                self.losses.branches += way.to != UNRESOLVED
                lost = Unresolved(lines=self._lines.of(draft), reason=when or _UNKNOWN, step=draft.id, when=when)
                unresolved.append(lost)
        return edges, unresolved

    def _condition(self, draft: StepDraft, when: str) -> str:
        """The condition if it occurs in the SOP, else `otherwise`."""
        if when in ("", "otherwise") or self.source.find(when, draft.start):
            return when
        self.losses.conditions += 1
        return "otherwise"

    def _step(self, draft: StepDraft, edges: Iterable[ProcedureEdge]) -> ProcedureStep:
        """The step; a decision whose ways lead to one place is an action that may not apply."""
        ways = [edge for edge in edges if edge.source == draft.id]
        apart = len({edge.target for edge in ways}) > 1 or (ways and any(way.to == UNRESOLVED for way in draft.next))
        kind = draft.kind if apart or draft.kind != "decision" else "action"
        stated = next((edge.when for edge in ways if edge.when not in ("", "otherwise")), "")
        only_if = self._quoted(draft.only_if) or ("" if kind == draft.kind else stated)
        label, _ = self.source.step(draft.start, draft.end, [])
        text = self._words(draft)
        return ProcedureStep(
            id=draft.id, lines=self._lines.of(draft), kind=kind, text=text, only_if=only_if, label=label
        )

    def _words(self, draft: StepDraft) -> str:
        return self._quoted(draft.words) or self.source.step(draft.start, draft.end, [])[1]

    def _quoted(self, words: str) -> str:
        """The words if they occur in the SOP."""
        if not words or self.source.find(words):
            return words
        self.losses.conditions += 1
        return ""

    def _entry(self) -> tuple[str, ...]:
        forks = {name for choice in self.alternatives for name in choice.entries} & self.known
        first = self.steps[0].id
        begin = [choice.entries for choice in self.alternatives if first in choice.entries and forks]
        points = [point.step for point in self.entry_points if point.step in self.known]
        return tuple(dict.fromkeys([*(begin[0] if begin else [first]), *points]))

    # what the reading adds -------------------------------------------------------------------------------------------

    @cached_property
    def _by_line(self) -> dict[int, str]:
        """Line -> the step that begins on it, else the innermost that spans it."""
        owners: dict[int, str] = {}
        for draft in sorted(self.steps, key=lambda draft: draft.start - draft.end):
            owners |= dict.fromkeys(range(draft.start, draft.end + 1), draft.id)
        return owners

    def _mapped(self, name: str) -> str:
        """The model's step on the line of a step of the reading; empty when there is none."""
        line = next((step.lines[0] for step in self.reading.steps if step.id == name), 0)
        return self._by_line.get(line, "")

    def _range(self, stated: ProcedureRange) -> ProcedureRange:
        return stated.model_copy(update={"step": self._mapped(stated.step)})

    def _warnings(self) -> Iterable[ProcedureWarning]:
        for remark in self.warnings:
            lines = tuple(range(remark.start, remark.end + 1))
            protects = [name for name in remark.protects if name in self.known or name == EVERY_STEP]
            text = self._quoted(remark.words) or self.source.remark(remark.start, remark.end)
            yield ProcedureWarning(lines=lines, text=text, protects=tuple(protects or [self._after(remark.end)]))
        for stated in missing_warnings(self.reading, self.steps, self.warnings, self.struck):
            self.losses.restored_warnings += 1
            mapped = [name if name == EVERY_STEP else self._mapped(name) for name in stated.protects]
            protects = list(dict.fromkeys(filter(None, mapped)))
            yield stated.model_copy(update={"protects": tuple(protects or [self._after(max(stated.lines))])})

    def _after(self, line: int) -> str:
        return next((draft.id for draft in self.steps if draft.start > line), self.steps[-1].id)

    def _roles(self) -> Iterable[LineRole]:
        """The roles of the reading; a line that only the reading takes for a step is prose."""
        for line in self.reading.lines:
            role: Role = "prose" if line.role in _READ_AS_STEP and line.n not in self._by_line else line.role
            yield LineRole(n=line.n, role=role)


def _settled(edge: ProcedureEdge, decisions: set[str], edges: list[ProcedureEdge]) -> ProcedureEdge:
    """The only target of a step that decides nothing is reached in any case."""
    targets = {other.target for other in edges if other.source == edge.source}
    alone = edge.source not in decisions and len(targets) == 1
    return edge.model_copy(update={"when": ""}) if alone else edge
