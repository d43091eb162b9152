"""The requests of a guided run: their arguments, and how they are made from a cursor and a run.

A request holds one action: `warning` (to be acknowledged), `step` (to be done), `changed` (the SOP is not the one the
run was begun with), or the name of a tool whose call is to be approved. Clients read the arguments with the same
models; unknown fields are ignored, so that an older client can follow a newer graph.
"""

from typing import TYPE_CHECKING

from pydantic import Field

from soprag.tools.approval import build_request
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.edge_choice import EdgeChoice
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.page import name_of
from soprag.tools.procedure.reading_range import Range
from soprag.tools.procedure.rendered_steps import ShownStep, lines_of
from soprag.tools.sop import UNRESOLVED, Frozen, StepKind, Warning, WarningKind

if TYPE_CHECKING:
    from langchain.agents.middleware.human_in_the_loop import HITLRequest


class WarningShown(Frozen, extra="ignore"):
    """A safety remark, verbatim, with its first and last line."""

    kind: WarningKind
    text: str
    lines: tuple[int, int] | None = None


class WayShown(Frozen, extra="ignore"):
    """One branch of a step; `to` is the number of its target, 0 for the end of the procedure."""

    to: int
    condition: str = ""
    unresolved: bool = Field(default=False, description="the text does not tell where it leads: the operator chooses")
    back: int = Field(default=0, description="the step that follows when the part it leads to has been done; 0: none")


class ValueRange(Frozen, extra="ignore"):
    """The range the SOP states for a value, in its own words; `required`: the step asks for the value."""

    low: float | None = None
    high: float | None = None
    unit: str = ""
    phrase: str = ""
    required: bool = True


class SuggestedWay(Frozen, extra="ignore"):
    """The branch that an earlier reading decides: its number, the reading, and the step where it was taken."""

    way: int
    reading: str = ""
    step: int = 0
    condition: str = ""


class NumberedReference(Frozen, extra="ignore"):
    """Another SOP that the step names; `sop` is empty when it is not in the index."""

    n: int
    name: str
    sop: str = ""


class StepArguments(Frozen, extra="ignore"):
    """The arguments of a `step`; a `warning` has the same without the text of the step."""

    sop: str
    sop_title: str = ""
    node: str = ""
    number: int = 0
    of: int = Field(default=0, description="how many steps the SOP has")
    label: str = ""
    section: str = ""
    text: str = ""
    passage: str = Field(default="", description="the whole item, where the step is a part of it")
    only_if: str = Field(default="", description="the condition under which the step applies")
    applies: bool = Field(default=False, description="the operator said that it holds")
    lines: tuple[int, int] | None = None
    warnings: tuple[WarningShown, ...] = ()
    kind: StepKind = "action"
    ways: tuple[WayShown, ...] = ()
    range: ValueRange | None = None
    ranges: tuple[ValueRange, ...] = ()
    suggested: SuggestedWay | None = None
    references: tuple[NumberedReference, ...] = ()
    tools: tuple[str, ...] = ()
    problem: str = Field(default="", description="why the last reply was not taken")


def next_request(cursor: Cursor, run: FlowRun, tools: list[str], others: dict[str, str]) -> "HITLRequest":
    """The request for the current warning or step; `others` maps the names of referenced SOPs to their ids."""
    step = cursor.plan.by_id[run.at]
    located = _located(cursor, run, step)
    warnings = cursor.warnings(run)
    if warnings:
        arguments = located.model_copy(update={"warnings": tuple(map(_warning, warnings))})
        rows = [f"Read this before {name_of(step)} of {run.title!r}:", *(warning.text for warning in warnings)]
        text = _with(run.problem, "\n".join(rows))
        return build_request("warning", arguments.model_dump(mode="json"), text, ["approve", "respond"])
    ranges = tuple(_range(demand) for demand in cursor.plan.demands(step.id))
    references = enumerate(others.items(), 1)
    content = {
        "text": step.text,
        "passage": step.passage,
        "only_if": step.only_if,
        "applies": run.applies,
        "warnings": tuple(map(_warning, step.warnings)),
        "ways": _ways(cursor, run),
        "range": ranges[0] if ranges else None,
        "ranges": ranges,
        "suggested": _suggested(cursor, run, cursor.suggested(run)),
        "tools": tuple(tools),
        "references": tuple(NumberedReference(n=n, name=name, sop=sop) for n, (name, sop) in references),
    }
    arguments = located.model_copy(update=content)
    text = _with(run.problem, _spoken(step, arguments))
    return build_request("step", arguments.model_dump(mode="json"), text, ["approve", "reject", "respond"])


def changed_request(cursor: Cursor, run: FlowRun) -> "HITLRequest":
    """The request after a change of the SOP during the run: continue in the new edition, or stop."""
    arguments = {
        "sop": run.sop,
        "sop_title": run.title,
        "was": run.digest,
        "is": cursor.plan.digest,
        "done": len(run.done),
        "problem": run.problem,
    }
    text = (
        f"{run.title!r} was changed since this run began. Approve to go on in the new edition, at the same step if it "
        "still stands there and else from the beginning; reject to stop."
    )
    return build_request("changed", arguments, _with(run.problem, text), ["approve", "reject"])


def _located(cursor: Cursor, run: FlowRun, step: ShownStep) -> StepArguments:
    return StepArguments(
        sop=run.sop,
        sop_title=run.title,
        node=step.id,
        number=step.number,
        of=len(cursor.plan.steps),
        label=step.label,
        section=step.section,
        lines=(step.lines.start, step.lines.end),
        kind="decision" if len(cursor.plan.ways(step.id)) > 1 else step.kind,
        problem=run.problem,
    )


def _ways(cursor: Cursor, run: FlowRun) -> tuple[WayShown, ...]:
    steps, edges = cursor.plan.by_id, cursor.plan.ways(run.at)
    return tuple(
        WayShown(
            to=steps[edge.to].number if edge.to in steps else 0,
            condition=edge.condition,
            unresolved=edge.to == UNRESOLVED,
            back=_back(cursor, run.at, edge.to),
        )
        for edge in edges
    )


def _back(cursor: Cursor, node: str, to: str) -> int:
    """The number of the step that follows when the part at `to` has been done; 0 where nothing comes back."""
    call = cursor.plan.call(node, to) if to else None
    return cursor.plan.by_id[call.returns].number if call and call.returns in cursor.plan.by_id else 0


def _suggested(cursor: Cursor, run: FlowRun, choice: EdgeChoice | None) -> SuggestedWay | None:
    if choice is None:
        return None
    return SuggestedWay(
        way=list(cursor.plan.ways(run.at)).index(choice.edge) + 1,
        reading=str(choice.reading.quantity),
        step=cursor.plan.by_id[choice.reading.node].number,
        condition=choice.edge.condition,
    )


def _range(demand: Range) -> ValueRange:
    return ValueRange(
        low=demand.low, high=demand.high, unit=demand.unit, phrase=demand.phrase, required=demand.required
    )


def _warning(warning: Warning) -> WarningShown:
    return WarningShown(kind=warning.kind, text=warning.text, lines=(warning.lines.start, warning.lines.end))


def _with(problem: str, text: str) -> str:
    return f"{problem}\n\n{text}" if problem else text


def _goal(branch: WayShown) -> str:
    if branch.unresolved:
        return "the text does not tell where to go on"
    return f"step {branch.to}" if branch.to else "the procedure ends"


def _spoken(step: ShownStep, arguments: StepArguments) -> str:
    """The step as plain text, for clients without structured display."""
    rows = [f"Step {step.number} of {arguments.of}, {lines_of(step.lines)} of {arguments.sop_title!r}:"]
    rows += [step.passage, f"This step: {step.text}"] if step.passage else [step.text]
    if step.only_if and not arguments.applies:
        rows.append(f"  Does it apply? Only if: {step.only_if}")
    branches = arguments.ways
    if len(branches) > 1:
        rows += [f"  {n}. {branch.condition or 'in any case'}: {_goal(branch)}" for n, branch in enumerate(branches, 1)]
    if arguments.suggested:
        rows.append(f"  The reading {arguments.suggested.reading} says way {arguments.suggested.way}.")
    rows += [f"  Offered: {name}" for name in arguments.tools]
    rows += [f"  See also {reference.n}: {reference.name}" for reference in arguments.references]
    return "\n".join(rows)
