"""Every task of the retriever, with its input and its answer.

An answer names lines of the SOP and never repeats a step or a warning: the words themselves are cut from the source by
code (`tools/retriever/index`), so that nothing a model writes can stand in for what the procedure says.
"""

import re
from typing import Any

from pydantic import Field

from soprag.tools.sop import Alternatives, EntityKind, EntryPoint, Frozen, Relation, StepKind, WarningKind
from soprag.tools.tasks.task import Task

_NUMBER = re.compile(r"\d+\| ")
_CLOSED = re.compile(r"(?:\s*</[A-Za-z][\w-]*>)+\s*")
_TAG = re.compile(r"</?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>")
_WORD = re.compile(r"\w")


class NumberedSop(Frozen):
    """One procedure, or a window of a long one, with its line numbers."""

    title: str
    numbered: str = Field(
        description="each line of the body after its number and a bar, such as '12| Close the valve.'"
    )
    proposed_steps: list[int] = Field(default_factory=list, description="lines that code takes for numbered steps")
    proposed_warnings: list[int] = Field(default_factory=list, description="lines that code takes for warnings")
    doubt: str = Field(default="", description="what code goes by where it is not sure of a procedure; empty: it is")

    def prompt_fields(self) -> dict[str, Any]:
        """The fields; of the lines those without a word carry no number, and those of closing tags are left out."""
        return self.model_dump(mode="json") | {"numbered": _without_markup_numbers(self.numbered)}


class Attribute(Frozen):
    """One property of an entity, as the SOP states it."""

    name: str
    value: str


class EntityDraft(Frozen):
    """A named thing, spelled as in the SOP."""

    name: str = Field(min_length=1)
    kind: EntityKind
    attributes: list[Attribute] = Field(default_factory=list)


class EntityAnswer(Frozen):
    """The entities of one SOP (paper Eq. 2)."""

    entities: list[EntityDraft]


class StateDraft(Frozen):
    """A symptom, cause or condition, in words copied from the SOP."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1, description="copied word for word")
    line: int = Field(ge=1, description="line on which those words begin")


class LinkDraft(Frozen):
    """`source` causes / prevents / enables / mitigates `target`; both are ids of states."""

    source: str
    relation: Relation
    target: str


class CausalAnswer(Frozen):
    """The states of one SOP and how one brings about another (paper Eq. 3)."""

    states: list[StateDraft]
    links: list[LinkDraft] = Field(default_factory=list)
    resolves: list[str] = Field(default_factory=list, description="ids of the states this procedure deals with")


class BranchDraft(Frozen):
    """Where a step leads, and under which condition (empty: always)."""

    to: str = Field(
        min_length=1,
        description="id of a step; END where the procedure stops or hands over; ? where the text does not tell",
    )
    when: str = Field(default="", description="copied word for word, or `otherwise`")
    through: str = Field(default="", description="id of the last step of a part that is done before coming back")


class StepDraft(Frozen):
    """One step, by its lines; `words` where it is only a part of them."""

    id: str = Field(min_length=1)
    kind: StepKind
    start: int = Field(ge=1)
    end: int = Field(ge=1)
    words: str = Field(default="", description="its words, copied, where other steps stand on the same lines")
    only_if: str = Field(default="", description="copied; the condition under which it is done")
    next: list[BranchDraft] = Field(default_factory=list, description="empty: the step listed after it")


class WarningDraft(Frozen):
    """A safety remark, by its lines, and the steps before which it must be read."""

    kind: WarningKind
    start: int = Field(ge=1)
    end: int = Field(ge=1)
    words: str = Field(default="", description="its words, copied, where a step stands on the same lines")
    protects: list[str] = Field(default_factory=list, description="ids of steps, or `all`; empty: the step after it")


class FlowAnswer(Frozen):
    """The steps of one SOP in the order they are written, and how it may be entered (paper Eq. 4)."""

    steps: list[StepDraft]
    warnings: list[WarningDraft] = Field(default_factory=list)
    alternatives: list[Alternatives] = Field(default_factory=list)
    entry_points: list[EntryPoint] = Field(default_factory=list)
    struck: list[int] = Field(default_factory=list, description="proposed lines that are no step and no warning")


class OverlookedAsk(NumberedSop):
    """A procedure whose proposed lines were neither used nor struck; `numbered` holds the lines around them."""

    chart: list[str] = Field(description="the steps of the chart, such as 'w1-s3: 12-14', by their lines")


class OverlookedAnswer(Frozen):
    """What the proposed lines are: steps, warnings, or struck."""

    steps: list[StepDraft] = Field(default_factory=list)
    warnings: list[WarningDraft] = Field(default_factory=list)
    struck: list[int] = Field(default_factory=list)


class ViewsAnswer(Frozen):
    """The abstract and the three views in one answer."""

    abstract: str = Field(description="what the procedure is for, in one line")
    entity: EntityAnswer
    causal: CausalAnswer
    flow: FlowAnswer
    is_sop: bool = Field(default=True, description="false only after a `doubt`: it is no procedure")
    reason: str = Field(default="", description="why it is none, in one sentence that names the evidence")


class RouteAsk(Frozen):
    """What an operator asked."""

    question: str


class QueryEntity(Frozen):
    """A thing the question names."""

    name: str = Field(min_length=1)
    kind: EntityKind


class Route(Frozen):
    """What the operator wants, what the question names, and how much each view should count (paper A.2)."""

    intent: str
    entities: list[QueryEntity] = Field(default_factory=list)
    entity: float = Field(ge=0, description="weight of alarms, parameters and equipment named in the question")
    causal: float = Field(ge=0, description="weight of symptoms, causes and the question why")
    flow: float = Field(ge=0, description="weight of the question how something is done")


EXTRACT = Task("extract", NumberedSop, ViewsAnswer, compact=True)
EXTRACT_ENTITY = Task("entity", NumberedSop, EntityAnswer, compact=True)
EXTRACT_CAUSAL = Task("causal", NumberedSop, CausalAnswer, compact=True)
EXTRACT_FLOW = Task("flow", NumberedSop, FlowAnswer, compact=True)
OVERLOOKED = Task("overlooked", OverlookedAsk, OverlookedAnswer, compact=True)
ROUTE = Task("route", RouteAsk, Route)

TASKS = (EXTRACT, EXTRACT_ENTITY, EXTRACT_CAUSAL, EXTRACT_FLOW, OVERLOOKED, ROUTE)


def number(lines: list[str], first: int = 1) -> str:
    """The lines as a `NumberedSop` shows them, counted from `first`, without empty ones between."""
    rows = {first + offset: line for offset, line in enumerate(lines)}
    edges = (first, first + len(lines) - 1)
    return "\n".join(f"{position}| {line}" for position, line in rows.items() if line or position in edges)


def unnumber(numbered: str) -> tuple[int, list[str]]:
    """The number of the first line, and the lines without their numbers, with the empty ones that are not shown."""
    rows = [row.partition("| ") for row in numbered.split("\n")]
    places = {int(place): line for place, _, line in rows if place.isdigit()}
    if not places:
        return 1, [line for _, _, line in rows]
    return min(places), [places.get(place, "") for place in range(min(places), max(places) + 1)]


def _without_markup_numbers(numbered: str) -> str:
    """Nobody cites a line such as `</td></tr>`, `<tbody>` or `|---|`, and a number is about a token."""
    rows: list[str] = []
    for row in numbered.split("\n"):
        line = _NUMBER.sub("", row, count=1)
        if _WORD.search(_TAG.sub("", line)):
            rows.append(row)
        elif not _CLOSED.fullmatch(line):
            rows.append(line)
    return "\n".join(rows)
