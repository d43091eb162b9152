"""The warnings of a flow view: which step each is read before, and their words, verbatim."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureStep, ProcedureWarning
from soprag.tools.procedure.source_text import SourceRemark, SourceText
from soprag.tools.procedure.wording.safety_labels import inside, is_label_alone, kind_of
from soprag.tools.sop import END, EVERY_STEP, Span, Warning


def with_whole_warnings(flow: ProcedureFlow, source: SourceText) -> ProcedureFlow:
    """The flow without steps that are nothing but a labelled danger, warning or caution, and with whole warnings.

    A warning of which the reader took only the label has the words after it, too.
    """
    for remark in source.remarks():
        within = [step for step in flow.steps if remark.start <= step.lines[0] and step.lines[-1] <= remark.end]
        for step in within if remark.kind != "note" else ():
            flow = _bypassed(flow, step)
    spans = {remark.start: remark.end for remark in source.remarks()}
    return flow.model_copy(update={"warnings": tuple(_whole(warning, spans) for warning in flow.warnings)})


def _whole(warning: ProcedureWarning, spans: dict[int, int]) -> ProcedureWarning:
    start, end = min(warning.lines), spans.get(min(warning.lines), 0)
    if end <= max(warning.lines) or not is_label_alone(warning.text):
        return warning
    return warning.model_copy(update={"lines": tuple(range(start, end + 1))})


def _bypassed(flow: ProcedureFlow, step: ProcedureStep) -> ProcedureFlow:
    """The flow without a step from which one way leads on to another step."""
    ways = {edge.target for edge in flow.edges if edge.source == step.id}
    if len(ways) != 1 or END in ways:
        return flow
    (target,) = ways
    edges = [
        edge.model_copy(update={"target": target}) if edge.target == step.id else edge
        for edge in flow.edges
        if edge.source != step.id
    ]
    names = {step.id: target}
    update: dict[str, object] = {
        "steps": tuple(other for other in flow.steps if other is not step),
        "edges": tuple(dict.fromkeys(edges)),
        "entry": tuple(dict.fromkeys(names.get(name, name) for name in flow.entry)),
        "entry_points": tuple(
            point.model_copy(update={"step": names.get(point.step, point.step)}) for point in flow.entry_points
        ),
        "alternatives": tuple(
            fork.model_copy(update={"entries": tuple(names.get(name, name) for name in fork.entries)})
            for fork in flow.alternatives
        ),
        "unresolved": tuple(part for part in flow.unresolved if part.step != step.id),
        "ranges": tuple(stated for stated in flow.ranges if stated.step != step.id),
    }
    return flow.model_copy(update=update)


@dataclass(frozen=True)
class StepWarnings:
    """The warnings of a flow by the step before which they are read; `steps` in the order of their lines."""

    flow: ProcedureFlow
    source: SourceText
    steps: Sequence[ProcedureStep]

    def of(self, step: ProcedureStep, text: str) -> list[Warning]:
        """The warnings and notes of which this is the first protected step; `protects` in ids of the flow."""
        warnings = [*self._by_step.get(step.id, ()), *self._inside(step, text)]
        return sorted(warnings, key=lambda warning: warning.lines.start)

    @cached_property
    def warned(self) -> set[int]:
        """The lines of warnings."""
        return {line for warning in self._stated for line in warning.lines}

    @cached_property
    def _stated(self) -> list[ProcedureWarning]:
        """The warnings of the flow, but for remarks in mid-sentence whose words the step has as they are printed."""
        return [one for one in self.flow.warnings if not (len(one.lines) == 1 and self._in_words(one))]

    def _in_words(self, warning: ProcedureWarning) -> bool:
        shouted = warning.text[:4].isupper()  # the reader takes these out of the words of the step
        return not shouted and bool(self._owners[warning.lines[0]]) and bool(inside(self._printed(warning.lines[0])))

    def _printed(self, line: int) -> str:
        return self.source.lines[line - 1] if 0 < line <= len(self.source.lines) else ""

    @cached_property
    def remarks(self) -> list[SourceRemark]:
        """The remarks and notes of the source that the reader did not take for warnings."""
        return [
            remark
            for remark in self.source.remarks()
            if not self.warned.intersection(range(remark.start, remark.end + 1))
        ]

    @cached_property
    def noted(self) -> set[int]:
        """The lines of these remarks."""
        return {line for remark in self.remarks for line in range(remark.start, remark.end + 1)}

    @cached_property
    def apart(self) -> set[int]:
        """Lines that are no words of a step: notes, and warnings whose label stands on a line of its own."""
        labelled = (warning for warning in self._stated if is_label_alone(warning.text))
        return self.noted | {line for warning in labelled for line in warning.lines}

    @cached_property
    def _owners(self) -> Counter[int]:
        return Counter(line for step in self.steps for line in step.lines)

    @cached_property
    def _by_step(self) -> dict[str, list[Warning]]:
        """Step -> the warnings of which it is the first protected step, and its notes."""
        warnings: dict[str, list[Warning]] = {}
        order = [step.id for step in self.steps]
        for stated in self._stated if order else ():
            holder = self._holder(min(stated.lines)) if EVERY_STEP not in stated.protects else ""
            protected = [name for name in order if name in stated.protects or name == holder] or order[:1]
            warnings.setdefault(protected[0], []).append(self._warning(stated, protected))
        for remark in self.remarks if order else ():
            text = self.source.remark(remark.start, remark.end)
            note = Warning(kind=remark.kind, text=text, lines=Span(start=remark.start, end=remark.end))
            warnings.setdefault(self._reader_of(remark), []).append(note)
        return warnings

    def _inside(self, step: ProcedureStep, text: str) -> Iterator[Warning]:
        """A remark in mid-sentence, which stays in the text of the step, too."""
        label = inside(text)
        if label and not (self.warned | self.noted).intersection(step.lines):
            lines = Span(start=step.lines[0], end=step.lines[-1])
            yield Warning(kind=label[0], text=text[label[1] :], lines=lines)

    def _warning(self, warning: ProcedureWarning, protected: list[str]) -> Warning:
        lines = Span(start=min(warning.lines), end=max(warning.lines))
        block = any(remark.start == lines.start and remark.end == lines.end for remark in self.source.remarks())
        alone = block or not self._shares_lines(warning) or is_label_alone(warning.text)
        text = self.source.remark(lines.start, lines.end) if alone else warning.text
        every = EVERY_STEP in warning.protects
        names = (EVERY_STEP,) if every else tuple(protected)
        return Warning(
            kind=kind_of(text) or kind_of(warning.text) or "warning",
            text=text,
            lines=lines,
            protects=names if every or len(names) > 1 else (),
        )

    def _shares_lines(self, warning: ProcedureWarning) -> bool:
        """Whether a step that is more than the decision of the warning has lines of it."""
        own = set(warning.lines)
        return any(own & set(step.lines) and not own >= set(step.lines) for step in self.steps)

    def _holder(self, line: int) -> str:
        """The step in whose list item a line stands; empty when it stands in none."""
        items = [start for start, _ in self.source.leads(line, itself=True)]
        held = [step for step in self.steps if any(start <= step.lines[0] < line for start in items[-1:])]
        around = [step for step in self.steps if step.lines[0] in items and step.lines[0] < line]
        return (held or around)[-1].id if held or around else ""

    def _reader_of(self, remark: SourceRemark) -> str:
        """The step before which a remark is read: the one it stands inside, else the next one of its section."""
        begun = [step for step in self.steps if remark.start <= step.lines[0] <= remark.end]
        holder = begun[0].id if begun else self._holder(remark.start)
        if holder:
            return holder
        after = next((step for step in self.steps if step.lines[0] > remark.end), None)
        before = next((step for step in reversed(self.steps) if step.lines[0] < remark.start), None)
        sections = self.source.sections([line for line in (remark.start, after.lines[0] if after else 0) if line])
        if after and (before is None or sections[-1].startswith(sections[0])):
            return after.id
        same = before and self.source.sections([before.lines[0]])[0] == sections[0]
        return before.id if before and (same or after is None) else (after or self.steps[0]).id
