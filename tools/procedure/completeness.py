"""The completeness gate: every line of a procedure is a step, a warning, shown context, or visibly left out."""

from pydantic import Field

from soprag.tools.procedure.procedure import ProcedureEdge, ProcedureFlow, ProcedureStep
from soprag.tools.sop import Call, Frozen, Unresolved

SHOWN = frozenset(("heading", "condition"))
WIDTH = 88


class LeftOutLine(Frozen):
    """A line that the guided run does not show."""

    n: int
    role: str
    text: str


class Completeness(Frozen):
    """What became of every non-blank line of a document.

    `unaccounted` is empty for a document that passes: no line is without a role, and none that was taken for an act
    is missing from the steps.
    """

    lines: int
    in_steps: int = Field(description="lines of steps and decisions")
    warnings: int = Field(description="lines of warnings")
    context: int = Field(description="headings and conditions, shown with the steps under them")
    left_out: tuple[LeftOutLine, ...] = Field(description="not part of the run")
    unaccounted: tuple[int, ...]
    unresolved: tuple[Unresolved, ...]
    steps: tuple[ProcedureStep, ...]
    edges: tuple[ProcedureEdge, ...]
    calls: tuple[Call, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every line is accounted for."""
        return not self.unaccounted

    def text(self) -> str:
        """For a person: unresolved parts first, then the drawing, then what is not part of the run."""
        return "\n".join([*self._head(), "", *self._drawing(), "", *self._rest()])

    def _head(self) -> list[str]:
        marked = [f"UNRESOLVED {_lines(one.lines)}: {one.reason}" for one in self.unresolved]
        gaps = [f"UNACCOUNTED line {n}" for n in self.unaccounted]
        counts = (
            f"{self.lines} lines: {self.in_steps} in {len(self.steps)} steps, {self.warnings} warning, "
            f"{self.context} context, {len(self.left_out)} not part of the run"
        )
        return [*marked, *gaps, counts]

    def _drawing(self) -> list[str]:
        names = {step.id: f"{at}" for at, step in enumerate(self.steps, 1)} | {"END": "end"}
        ways: dict[str, list[ProcedureEdge]] = {}
        for edge in self.edges:
            ways.setdefault(edge.source, []).append(edge)
        back = {(one.source, one.target): f" (then back to {names[one.returns]})" for one in self.calls}
        found = []
        for at, step in enumerate(self.steps, 1):
            only = f" (only if {step.only_if})" if step.only_if else ""
            found.append(f"{at:>3} [{step.kind}] {_lines(step.lines)}{only}: {_short(step.text)}")
            leaving = ways.get(step.id, [])
            plain = len(leaving) == 1 and not leaving[0].when and names[leaving[0].target] == str(at + 1)
            found += (
                []
                if plain
                else [
                    f"      -> {names[e.target]}{back.get((e.source, e.target), '')}"
                    f"{': ' + _short(e.when) if e.when else ''}"
                    for e in leaving
                ]
            )
        return found

    def _rest(self) -> list[str]:
        if not self.left_out:
            return ["Every line is part of the run."]
        return ["Not part of the run:", *(f"{one.n:>4} {one.role}: {_short(one.text)}" for one in self.left_out)]


def completeness(markdown: str, flow: ProcedureFlow) -> Completeness:
    """Accounts for every non-blank line of the Markdown that `flow` was read from."""
    rows = markdown.split("\n")
    roles = {line.n: line.role for line in flow.lines}
    stepped = {n for step in flow.steps for n in step.lines}
    warned = {n for warning in flow.warnings for n in warning.lines} - stepped
    filled = [n for n, row in enumerate(rows, 1) if row.strip()]
    rest = [n for n in filled if n not in stepped and n not in warned]
    context = [n for n in rest if roles.get(n) in SHOWN]
    lost = [n for n in rest if roles.get(n) in (None, "step", "decision", "step-part", "warning")]
    out = [n for n in rest if n not in context and n not in lost]
    return Completeness(
        lines=len(filled),
        in_steps=len(stepped),
        warnings=len(warned),
        context=len(context),
        left_out=tuple(LeftOutLine(n=n, role=roles[n], text=rows[n - 1].strip()) for n in out),
        unaccounted=tuple(lost),
        unresolved=flow.unresolved,
        steps=flow.steps,
        edges=flow.edges,
        calls=flow.calls,
    )


def _lines(lines: tuple[int, ...]) -> str:
    first, last = min(lines), max(lines)
    return f"line {first}" if first == last else f"lines {first}-{last}"


def _short(words: str) -> str:
    return words if len(words) <= WIDTH else words[: WIDTH - 1].rstrip() + "…"
