"""The vocabulary: what a document, an SOP, a question and a view of an SOP are.

Every value that crosses a border between folders is one of these frozen models.
Lines are counted from 1, and a span includes both of its ends.
"""

import hashlib
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Level = Literal["keyword", "direct", "symptom", "scenario", "conditional"]
LEVELS: tuple[Level, ...] = ("keyword", "direct", "symptom", "scenario", "conditional")

Origin = Literal["folder", "library", "web"]
WarningKind = Literal["danger", "warning", "caution", "note"]
StepKind = Literal["action", "decision", "wait", "end"]
RangeUse = Literal["accept", "branch", "time"]
EntityKind = Literal["alarm", "parameter", "asset", "role", "command", "other"]
Relation = Literal["causes", "prevents", "enables", "mitigates"]

END = "END"  # target of an edge at which the procedure stops or hands over
UNRESOLVED = "?"  # target of an edge whose words name a place that the reader cannot tell
OTHERWISE = "otherwise"  # the condition of the way that is taken when none of the others holds
EVERY_STEP = "all"  # what a warning protects that holds for the whole procedure


def digest(data: bytes | str) -> str:
    """The SHA-256 of `data` in hexadecimal; text is hashed as UTF-8, lone surrogates as if they were characters."""
    return hashlib.sha256(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data).hexdigest()


class Frozen(BaseModel):
    """A value: never changed after it is made, and without unknown fields; its checks are built at its first use."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Provenance(Frozen):
    """Where a document came from and under which licence, as far as that is known."""

    origin: Origin
    location: str = Field(description="path relative to the source folder, or the final URL")
    licence: str | None = None
    query: str | None = Field(default=None, description="the search query that found it")
    score: float | None = Field(default=None, description="on-topic score in [0, 1] when it was ranked")
    engine: str | None = Field(default=None, description="who found it, such as `serpapi:google`")
    rank: int | None = Field(default=None, description="its place among the results, counted from 1")
    referrer: str | None = Field(default=None, description="the page that linked to it")
    url: str | None = Field(default=None, description="the address it was asked for at, before redirects")
    title: str | None = None
    fetched: str | None = Field(default=None, description="when, as ISO 8601")
    sha256: str | None = Field(default=None, description="of the bytes as received")
    headers: dict[str, str] = Field(default_factory=dict, description="what its server said: last-modified, ...")


class Document(Frozen):
    """One collected file; its bytes are kept under `id`, the SHA-256 of those bytes."""

    id: str
    name: str
    suffix: str = Field(description="file suffix with its dot, in lower case; empty when there is none")
    size: int = Field(ge=0, description="bytes")
    provenance: Provenance


class Span(Frozen):
    """Lines `start` to `end` of a document's Markdown, both included."""

    start: int = Field(ge=1)
    end: int = Field(ge=1)


class Sop(Frozen):
    """One atomic procedure: its title and its verbatim text.

    `text` are the lines of `span`; `preamble_text` the lines of `preamble`, warnings that a file states once for all
    its procedures. Both are copied from the document's Markdown without a change. All SOPs of a document refer to one
    `preamble_text`, so that a long one is held in memory once.
    """

    id: str
    title: str
    text: str
    document: str = Field(description="id of the document it was cut from")
    span: Span
    preamble: tuple[Span, ...] = ()
    preamble_text: str = ""
    language: str = Field(default="en", description="ISO 639-1 code")

    @classmethod
    def of_text(cls, name: str, title: str, text: str) -> "Sop":
        """The SOP that is all of a text; its document has the same name."""
        return cls(id=name, title=title, text=text, document=name, span=Span(start=1, end=text.count("\n") + 1))

    @property
    def body(self) -> str:
        """All of the procedure: the shared preamble and its own text."""
        return f"{self.preamble_text}\n{self.text}" if self.preamble else self.text


class Question(Frozen):
    """A benchmark query as a frontline operator would ask it, with its level and its gold SOP."""

    id: str
    sop: str
    level: Level
    text: str
    evidence: str = Field(description="the verbatim words of the SOP that answer it")


class Warning(Frozen):
    """A safety remark, verbatim; shown before the first of the steps it protects.

    `protects` are the ids of these steps, `EVERY_STEP` when it holds for all; empty: the step that carries it.
    """

    kind: WarningKind
    text: str
    lines: Span
    protects: tuple[str, ...] = ()


class Card(Frozen):
    """The procedure card: title and one-line abstract (paper Eq. 1)."""

    title: str
    abstract: str


class Entity(Frozen):
    """A named thing an SOP is about, with attributes such as a range or a location (paper Eq. 2)."""

    name: str
    kind: EntityKind
    attributes: dict[str, str] = Field(default_factory=dict)


class EntityView(Frozen):
    """The entities linked to one procedure card (paper Eq. 2)."""

    entities: tuple[Entity, ...] = ()


class State(Frozen):
    """A symptom, cause or condition of the system, in the SOP's own words."""

    id: str
    text: str
    lines: Span | None = None


class CausalEdge(Frozen):
    """`source` causes / prevents / enables / mitigates `target`; both are state ids."""

    source: str
    relation: Relation
    target: str


class CausalView(Frozen):
    """States, the transitions between them, and those that lead to this procedure (paper Eq. 3)."""

    states: tuple[State, ...] = ()
    edges: tuple[CausalEdge, ...] = ()
    resolves: tuple[str, ...] = Field(default=(), description="ids of the states linked to the procedure card")


class StatedRange(Frozen):
    """The bounds of a quantity as a text states them; an absent bound is open.

    `use` says what for: `accept` a value that must hold, `branch` a condition, `time` a duration.
    """

    quantity: str = ""
    variant: str = Field(default="", description="the model, hall or unit for which the bounds hold")
    low: float | None = None
    high: float | None = None
    unit: str = ""
    low_inclusive: bool = True
    high_inclusive: bool = True
    negated: bool = Field(default=False, description="stated as a negation, such as `never below 16 °C`")
    use: RangeUse = "accept"
    words: str = Field(default="", description="the words of the text")


class Step(Frozen):
    """One node of a flow graph: what somebody does, decides or waits for, with the warnings that come before it."""

    id: str
    kind: StepKind
    text: str = Field(description="verbatim, without the list marker")
    passage: str = Field(default="", description="the whole item, verbatim, where the step is only a part of its lines")
    label: str = Field(default="", description="the number as printed, such as '2.1' or 'b)'")
    section: str = Field(default="", description="headings above it, joined with ' / '")
    lines: Span
    only_if: str = Field(default="", description="the condition under which the step applies; passed by otherwise")
    warnings: tuple[Warning, ...] = ()
    ranges: tuple[StatedRange, ...] = ()
    references: tuple[str, ...] = Field(default=(), description="titles or numbers of other SOPs it points to")


class FlowEdge(Frozen):
    """From step `source` to step `target`, to `END` or to `UNRESOLVED`, when `condition` holds (empty: always)."""

    source: str
    target: str
    condition: str = ""


class Alternatives(Frozen):
    """Steps of which one is entered, and what chooses it: `variant`, `alarm`, `case`, or words of the SOP."""

    by: str
    entries: tuple[str, ...]


class EntryPoint(Frozen):
    """A step where the procedure may be entered, and the situation for it."""

    situation: str
    step: str


class Unresolved(Frozen):
    """Lines whose meaning for the flow the reader cannot tell; `step` is the step whose way leads nowhere known."""

    lines: tuple[int, ...]
    reason: str
    step: str = ""
    when: str = Field(default="", description="the condition of that way; empty: it is the only one")
    doubt: bool = Field(default=False, description="a way was read, and another one is spoken of or likely")


class Call(Frozen):
    """A part of the procedure that a step has done elsewhere and comes back from; ways are pairs of steps."""

    source: str = Field(description="the step that calls")
    target: str = Field(description="the first step of the part")
    steps: tuple[str, ...] = Field(description="the steps of the part")
    exits: tuple[tuple[str, str], ...] = Field(description="the ways on which the part has been done to its end")
    returns: str = Field(description="the step that follows the call, or END")


class LeftOut(Frozen):
    """Lines that are not part of the run, and the role they have."""

    lines: Span
    role: str


class FlowGraph(Frozen):
    """The steps of one SOP and the order they may be taken in (paper Eq. 4).

    A step whose edges lead to different targets is a decision or a fork of alternatives. A step without an edge ends
    the procedure. `entry` are the steps where the procedure begins (empty: at its first step); several are alternatives
    or procedures of their own, as `alternatives` and `entry_points` say.
    """

    steps: tuple[Step, ...] = ()
    edges: tuple[FlowEdge, ...] = ()
    entry: tuple[str, ...] = ()
    entry_points: tuple[EntryPoint, ...] = ()
    alternatives: tuple[Alternatives, ...] = ()
    limits: tuple[StatedRange, ...] = Field(default=(), description="ranges that the SOP states for no single step")
    calls: tuple[Call, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


class CardSheet(Frozen):
    """What tells a procedure from similar ones, beside its title and its abstract; all in the words of the SOP."""

    sections: tuple[str, ...] = Field(default=(), description="headings, without the title")
    issues: tuple[str, ...] = Field(default=(), description="alarms and symptoms that lead to the procedure")
    equipment: tuple[str, ...] = Field(default=(), description="what it is carried out on, the most frequent first")
    departments: tuple[str, ...] = Field(default=(), description="who owns it or carries it out")


class Views(Frozen):
    """All that is extracted from one SOP: its card with its sheet, and its three views."""

    card: Card
    entity: EntityView
    causal: CausalView
    flow: FlowGraph
    sheet: CardSheet = CardSheet()
