"""Aligns an extraction answer with its source: line numbers become verbatim text, unsupported parts are dropped."""

from bisect import bisect_right
from dataclasses import dataclass, field, fields

from soprag.tools.procedure.branches import condition_of
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.sop import (
    Card,
    CausalEdge,
    CausalView,
    Entity,
    EntityView,
    FlowEdge,
    FlowGraph,
    Span,
    State,
    Step,
    Views,
    Warning,
)
from soprag.tools.tasks.retriever import (
    BranchDraft,
    CausalAnswer,
    EntityAnswer,
    FlowAnswer,
    StepDraft,
    WarningDraft,
)


@dataclass(frozen=True)
class WindowAnswer:
    """The extraction answers for one window of an SOP."""

    entity: EntityAnswer
    causal: CausalAnswer
    flow: FlowAnswer


@dataclass
class Losses:
    """Counts of answer parts dropped for lack of support in the SOP, and of parts restored by the rules."""

    entities: int = 0
    states: int = 0
    links: int = 0
    steps: int = 0
    branches: int = 0
    conditions: int = 0
    warnings: int = 0
    restored_steps: int = 0
    restored_warnings: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(getattr(self, part.name) for part in fields(self))


@dataclass
class SourceAligner:
    """Merges the answers for all windows of one SOP into its views."""

    title: str
    source: SourceText
    losses: Losses = field(default_factory=Losses)
    entities: dict[str, Entity] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)  # by its text in lower case
    edges: dict[CausalEdge, None] = field(default_factory=dict)
    resolves: dict[str, None] = field(default_factory=dict)
    drafts: dict[int, StepDraft] = field(default_factory=dict)  # by first line

    def take(self, answer: WindowAnswer) -> None:
        """Add the parts of one answer that the SOP supports."""
        self._entities(answer.entity)
        self._causal(answer.causal)
        before = max(self.drafts, default=0)
        for draft in answer.flow.steps:
            self._step(draft)
        self._join(before)

    def views(self, card: Card, ruled: FlowAnswer | None = None) -> Views:
        """The views; numbered steps and warnings that only `ruled`, the flow of the rules, has are restored first."""
        if ruled:
            self._restore(ruled)
        return Views(
            card=card,
            entity=EntityView(entities=tuple(self.entities.values())),
            causal=CausalView(
                states=tuple(self.states.values()), edges=tuple(self.edges), resolves=tuple(self.resolves)
            ),
            flow=self._flow(),
        )

    # entities and causes --------------------------------------------------------------------------------------------

    def _entities(self, answer: EntityAnswer) -> None:
        title = SourceText(self.title)
        for draft in answer.entities:
            key = draft.name.strip().lower()
            if key in self.entities:
                continue
            if not self.source.find(draft.name) and not title.find(draft.name):
                self.losses.entities += 1
                continue
            attributes = {pair.name: pair.value for pair in draft.attributes if self.source.find(pair.value)}
            self.entities[key] = Entity.model_construct(name=draft.name.strip(), kind=draft.kind, attributes=attributes)

    def _causal(self, answer: CausalAnswer) -> None:
        state_ids: dict[str, str] = {}
        for draft in answer.states:
            lines = self.source.find(draft.text, draft.line)
            if not lines:
                self.losses.states += 1
                continue
            text = " ".join(draft.text.split())
            state = self.states.get(text.lower())
            if not state:
                state = State.model_construct(id=f"s{len(self.states) + 1}", text=text, lines=lines)
                self.states[text.lower()] = state
            state_ids[draft.id] = state.id
        for link in answer.links:
            if (
                link.source in state_ids
                and link.target in state_ids
                and state_ids[link.source] != state_ids[link.target]
            ):
                edge = CausalEdge(source=state_ids[link.source], relation=link.relation, target=state_ids[link.target])
                self.edges.setdefault(edge)
            else:
                self.losses.links += 1
        self.resolves.update({state_ids[state]: None for state in answer.resolves if state in state_ids})

    # flow -----------------------------------------------------------------------------------------------------------

    def _step(self, draft: StepDraft) -> None:
        last = len(self.source.lines)
        inside = draft.start <= draft.end <= last and any(
            map(str.strip, self.source.lines[draft.start - 1 : draft.end])
        )
        if not inside or draft.start in self.drafts:
            self.losses.steps += 1
            return
        warnings = [remark for remark in draft.warnings if remark.start <= remark.end <= last]
        self.losses.warnings += len(draft.warnings) - len(warnings)
        self.drafts[draft.start] = (
            draft if len(warnings) == len(draft.warnings) else draft.model_copy(update={"warnings": warnings})
        )

    def _join(self, before: int) -> None:
        """Link the last step of a window to the first step of the next one."""
        later = min((line for line in self.drafts if line > before), default=0)
        if before and later and not self.drafts[before].next:
            self._link(before, later)

    def _link(self, source: int, target: int, when: str = "") -> None:
        draft = self.drafts[source]
        ways = [*draft.next, BranchDraft(to=target, when=when)]
        self.drafts[source] = draft.model_copy(update={"next": ways})

    def _restore(self, ruled: FlowAnswer) -> None:
        """Restore numbered steps and safety warnings that the rules extract and the answers lack."""
        covered = {line for draft in self.drafts.values() for line in (draft.start,)}
        for step in ruled.steps:
            label, _ = self.source.step(step.start, step.start, [])
            if label and step.start not in covered:
                self._insert(step)
                self.losses.restored_steps += 1
        if not self.drafts:
            self.drafts = {step.start: step for step in ruled.steps}
            self.losses.restored_steps += len(ruled.steps)
            return
        warned = {line for d in self.drafts.values() for w in d.warnings for line in range(w.start, w.end + 1)}
        for step in ruled.steps:
            for remark in step.warnings:
                if not warned.issuperset(range(remark.start, remark.end + 1)):
                    self._protect(step.start, remark)

    def _insert(self, step: StepDraft) -> None:
        before = max((line for line in self.drafts if line < step.start), default=0)
        after = min((line for line in self.drafts if line > step.start), default=0)
        ways = [BranchDraft(to=after)] if after else []
        self.drafts[step.start] = step.model_copy(update={"next": ways, "warnings": []})
        if before:
            previous = self.drafts[before]
            turned = [
                branch.model_copy(update={"to": step.start}) if branch.to == after and after else branch
                for branch in previous.next
            ]
            self.drafts[before] = previous.model_copy(update={"next": turned or [BranchDraft(to=step.start)]})

    def _protect(self, line: int, remark: WarningDraft) -> None:
        starts = sorted(self.drafts)
        index = (
            bisect_right(starts, line) - 1 if line in self.drafts else min(bisect_right(starts, line), len(starts) - 1)
        )
        draft = self.drafts[starts[index]]
        self.drafts[starts[index]] = draft.model_copy(update={"warnings": [*draft.warnings, remark]})
        self.losses.restored_warnings += 1

    def _flow(self) -> FlowGraph:
        starts = sorted(self.drafts)
        names = {line: f"s{position}" for position, line in enumerate(starts, 1)}
        sections = self.source.sections(starts)
        steps = [
            self._cut(self.drafts[line], names[line], section, starts[index + 1 :])
            for index, (line, section) in enumerate(zip(starts, sections, strict=True))
        ]
        return FlowGraph.model_construct(steps=tuple(steps), edges=tuple(self._edges(starts, names)))

    def _cut(self, draft: StepDraft, name: str, section: str, later: list[int]) -> Step:
        taken = [Span.model_construct(start=w.start, end=w.end) for w in draft.warnings if w.start > draft.start]
        for line in later:
            if line > draft.end:
                break
            taken.append(Span.model_construct(start=line, end=self.drafts[line].end))
        label, text = self.source.step(draft.start, draft.end, taken)
        return Step.model_construct(
            id=name,
            kind=draft.kind,
            text=text,
            label=label,
            section=section,
            lines=Span.model_construct(start=draft.start, end=draft.end),
            warnings=tuple(self._warning(remark) for remark in draft.warnings),
            references=tuple(reference for reference in draft.references if self.source.find(reference, draft.start)),
        )

    def _warning(self, draft: WarningDraft) -> Warning:
        lines = Span.model_construct(start=draft.start, end=draft.end)
        return Warning.model_construct(kind=draft.kind, text=self.source.remark(draft.start, draft.end), lines=lines)

    def _condition(self, line: int, when: str) -> str:
        """The condition if it occurs in the SOP, else the condition stated by the step, else `otherwise`."""
        if when in ("", "otherwise") or self.source.find(when, line):
            return when
        self.losses.conditions += 1
        return condition_of(self.source.step(line, line, [])[1]) or "otherwise"

    def _edges(self, starts: list[int], names: dict[int, str]) -> list[FlowEdge]:
        edges: dict[tuple[str, str, str], FlowEdge] = {}
        for line in starts:
            for branch in self.drafts[line].next:
                if branch.to not in names:
                    self.losses.branches += 1
                    continue
                key = (names[line], names[branch.to], self._condition(line, branch.when))
                edges[key] = FlowEdge.model_construct(source=key[0], target=key[1], condition=key[2])
        return list(edges.values())
