"""What one reading collects: the role of every line, the steps in order, the warnings and what stays unresolved."""

from dataclasses import dataclass, field
from typing import Literal

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.block_opinions import BlockOpinions
from soprag.tools.procedure.drafting.labelled_jumps import Labels
from soprag.tools.procedure.drafting.tree import DraftStep
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.targets import Exit
from soprag.tools.sop import StepKind

Role = Literal[
    "step",
    "step-part",
    "warning",
    "decision",
    "condition",
    "heading",
    "reference",
    "prose",
    "metadata",
    "table-data",
    "none",
]


@dataclass
class DraftWarning:
    """A warning under construction; `previous` is the step read before it, `scope` its section."""

    lines: list[int]
    text: str
    previous: DraftStep | None
    scope: int
    inside: str = ""  # the step in whose lines it stands


@dataclass
class ReadUnit:
    """Words that were read as a part of the procedure, and the names of the steps made of them.

    `unit`, `quantity` and `variant` stand in for ranges that name none; `branch` says that the words are a condition.
    """

    words: SourcePassage
    steps: set[str]
    unit: str = ""
    quantity: str = ""
    branch: bool = False
    variant: str = ""


@dataclass
class Draft:
    """The state of a reading; `scope` and `path` say where it stands."""

    roles: dict[int, Role] = field(default_factory=dict)
    steps: list[DraftStep] = field(default_factory=list)
    warnings: list[DraftWarning] = field(default_factory=list)
    tables: list[Block] = field(default_factory=list)  # tables of limits that a step may refer to
    units: list[ReadUnit] = field(default_factory=list)
    detached: set[int] = field(default_factory=set)  # sections that are procedures of their own
    narrative: bool = False  # activities are told, not ordered
    titles: frozenset[str] = frozenset()  # of the sections, in lower case
    labels: Labels = field(default_factory=Labels)
    cases: frozenset[str] = frozenset()  # the names of outcomes, in lower case
    rejection: Exit | None = None  # what is done when a row of a checklist is rejected
    unresolved: list[tuple[tuple[int, ...], str]] = field(default_factory=list)
    opinions: BlockOpinions = field(default_factory=BlockOpinions)
    scope: int = 0
    path: tuple[str, ...] = ()
    named: int = 0  # how many names of steps have been given

    @property
    def next_name(self) -> str:
        """The name of the step that is read next."""
        return f"s{self.named + 1}"

    def step(self, words: SourcePassage, kind: StepKind = "action", only_if: str = "", number: str = "") -> DraftStep:
        """A new step for the words, under the next free name."""
        made = DraftStep(
            id=self.next_name,
            lines=list(words.lines),
            text=words.text.strip(" ,;"),
            kind=kind,
            only_if=only_if,
            number=number,
            scope=self.scope,
            path=self.path,
        )
        self.steps.append(made)
        self.named += 1
        return made

    def before(self, step: DraftStep, words: SourcePassage) -> DraftStep:
        """A new decision in front of a step, in its section and with its number."""
        made = self.step(words, "decision", number=step.number)
        made.scope, made.path, step.number = step.scope, step.path, ""
        self.steps.remove(made)
        self.steps.insert(self.steps.index(step), made)
        return made

    def remove(self, step: DraftStep, heir: DraftStep) -> None:
        """Takes a step out; ranges in its words and warnings behind it pass to its heir."""
        before = self.steps.index(step)
        self.steps.remove(step)
        for unit in self.units:
            if step.id in unit.steps:
                unit.steps = (unit.steps - {step.id}) | {heir.id}
        for warning in self.warnings:
            if warning.previous is step:
                warning.previous = self.steps[before - 1] if before else None

    def role(self, lines: tuple[int, ...] | list[int], role: Role, rest: Role | None = None) -> None:
        """Gives the first of the lines a role and the others `rest`; lines that have a role keep it."""
        for at, line in enumerate(lines):
            if not line:
                continue  # words that stand on no line of the source
            self.roles.setdefault(line, role if at == 0 or rest is None else rest)

    def note(
        self,
        words: SourcePassage,
        start: int,
        quantity: str = "",
        unit: str = "",
        branch: bool = False,
        variant: str = "",
    ) -> None:
        """Records words whose steps begin at `start`, for the ranges in them."""
        steps = {step.id for step in self.steps[start:]}
        self.units.append(ReadUnit(words, steps, unit, quantity, branch, variant))

    def warn(self, lines: tuple[int, ...] | list[int], text: str, inside: str = "") -> None:
        """A warning that stands before the step that is read next."""
        self.warnings.append(
            DraftWarning(list(lines), text, self.steps[-1] if self.steps else None, self.scope, inside)
        )
