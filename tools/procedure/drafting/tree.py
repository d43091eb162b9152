"""The control flow of a procedure as a tree, before the steps that jumps name are known."""

from dataclasses import dataclass, field

from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.targets import Target
from soprag.tools.sop import StepKind


@dataclass
class DraftStep:
    """A step under construction; `scope` is the index of its section, `path` the labels of the items around it."""

    id: str
    lines: list[int]
    text: str
    kind: StepKind = "action"
    only_if: str = ""
    number: str = ""
    scope: int = 0
    path: tuple[str, ...] = ()
    half_told: bool = False  # the text says when to go on, and not what to do otherwise

    def extend(self, lines: "list[int] | tuple[int, ...]") -> None:
        """Adds source lines, each once and in order."""
        self.lines = sorted({*self.lines, *lines})


@dataclass
class Act:
    """A step after which the next one follows; `loops` are ways back that it also has."""

    step: DraftStep
    loops: list[tuple[Target, str]] = field(default_factory=list)
    calls: bool = False  # the ways of `loops` come back to what follows this step


@dataclass
class Outcome:
    """One answer of a decision and what is done then."""

    when: str
    body: "list[Node]" = field(default_factory=list)
    stated: tuple[int, ...] = ()  # the line of the item that states it


@dataclass
class Choice:
    """A decision; when `open`, none of its outcomes may hold and the next step follows."""

    step: DraftStep
    outcomes: list[Outcome]
    open: bool = True
    free: bool = False  # a choice among whole ways through the document, listed as alternatives
    test: DraftStep | None = None  # the act above it whose outcomes it has, where the decision is a step of its own
    hold: bool = False  # the procedure goes on under the first condition only
    counted: bool = False  # parts one outcome of another decision by how often it was found


@dataclass
class Fork:
    """Alternatives that no decision step chooses between: variants, cases, alarms."""

    by: str
    outcomes: list[Outcome]
    head: SourcePassage | None = None  # the words over them, where a jump that leads to them asks which one it is


@dataclass
class Go:
    """A jump."""

    target: Target
    scope: int
    lines: tuple[int, ...]
    path: tuple[str, ...] = ()


@dataclass
class Stop:
    """The procedure ends here, or is handed over."""

    words: str = ""


@dataclass
class Part:
    """The nodes of one section; a detached one is entered from elsewhere only and ends by itself."""

    scope: int
    body: "list[Node]"
    detached: bool = False
    situation: str = ""
    scopes: frozenset[int] = frozenset()  # the sections whose steps it holds
    shares_end: bool = False  # goes on to what the file says after all its procedures
    condition: str = ""  # the words of an "If ...:" over it
    line: int = 0  # the line of that condition
    apart: bool = False  # entered by the jump of an outcome only; its last step leads past its neighbours
    passed: bool = False  # what stands before it does not lead into it of itself
    lead: bool = False  # a heading or a lead-in says when it holds


Node = Act | Choice | Fork | Go | Stop | Part
