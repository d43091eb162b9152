"""Builds the requests of a guided run: a card for generic clients, with its structured form for clients of ours."""

from typing import TYPE_CHECKING

from soprag.tools.approval import DecisionType, build_request
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.edge_choice import EdgeChoice
from soprag.tools.flow.requests import (
    NumberedReference,
    StepArguments,
    SuggestedWay,
    ValueRange,
    WarningShown,
    WayShown,
)
from soprag.tools.flow.run import FlowRun
from soprag.tools.flow.step_card import fields, markdown
from soprag.tools.procedure.plan import START
from soprag.tools.procedure.ranges.reading_range import Range
from soprag.tools.procedure.rendered_steps import ShownStep
from soprag.tools.sop import UNRESOLVED, Warning
from soprag.tools.text.sanitize import one_line

if TYPE_CHECKING:
    from langchain.agents.middleware.human_in_the_loop import HITLRequest

_LONGEST = 60  # characters of the words that stand for a number
_DECISIONS: tuple[DecisionType, ...] = ("approve", "edit", "reject", "respond")


def next_request(cursor: Cursor, run: FlowRun, tools: list[str], others: dict[str, str]) -> "HITLRequest":
    """The request for the current warning or step; `others` maps the names of referenced SOPs to their ids."""
    step = cursor.plan.by_id[run.at]
    located = _located(cursor, run, step)
    warnings = cursor.warnings(run)
    if warnings:
        return _request("warning", located.model_copy(update={"warnings": tuple(map(_warning, warnings))}))
    ranges = tuple(map(_range, cursor.required(run).applicable))
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
    return _request("step", located.model_copy(update=content))


def changed_request(cursor: Cursor, run: FlowRun) -> "HITLRequest":
    """The request after a change of the SOP during the run: continue in the new edition, or stop."""
    text = (
        f"{run.title!r} was changed since this run began. Approve to go on in the new edition, at the same step if it "
        "still stands there and else from the beginning; reject to stop."
    )
    text = f"{run.problem}\n\n{text}" if run.problem else text
    facts = {"sop": run.sop, "was": run.digest, "is": cursor.plan.digest}
    return build_request("changed", {"change": text}, text, ["approve", "reject"], facts)


def _request(name: str, step: StepArguments) -> "HITLRequest":
    return build_request(name, fields(name, step), markdown(name, step), _DECISIONS, step.model_dump(mode="json"))


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
            label=steps[edge.to].label if edge.to in steps else "",
            words=_unnumbered(cursor, edge.to),
            condition=edge.condition,
            unresolved=edge.to == UNRESOLVED,
            begins=run.at == START or cursor.plan.fork(run.at) is not None,
            back=_back(cursor, run.at, edge.to),
        )
        for edge in edges
    )


def _unnumbered(cursor: Cursor, node: str) -> str:
    """The first words of a step without a number among steps that the document numbers."""
    step = cursor.plan.by_id.get(node)
    among = any(other.label for other in cursor.plan.steps)
    return one_line(step.text.strip().removesuffix("."), _LONGEST) if step and among and not step.label else ""


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
        low=demand.low,
        high=demand.high,
        unit=demand.unit,
        phrase=demand.phrase,
        variant=demand.variant,
        required=demand.required,
    )


def _warning(warning: Warning) -> WarningShown:
    return WarningShown(kind=warning.kind, text=warning.text, lines=(warning.lines.start, warning.lines.end))
