"""Builds the requests of a guided run in the schema of LangChain's human-in-the-loop clients.

A request holds one action: `warning` (to be acknowledged), `step` (to be done), `changed` (the SOP is not the one the
run was begun with), or the name of a tool whose call is to be approved.
"""

from typing import Any

from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.edge_choice import EdgeChoice
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.page import name_of
from soprag.tools.procedure.reading_range import Range
from soprag.tools.procedure.rendered_steps import ShownStep, lines_of
from soprag.tools.sop import Warning

Request = dict[str, Any]


def request(name: str, args: dict[str, Any], description: str, allowed: list[str]) -> Request:
    """One action request with its review configuration."""
    return {
        "action_requests": [{"name": name, "args": args, "description": description}],
        "review_configs": [{"action_name": name, "allowed_decisions": allowed}],
    }


def next_request(cursor: Cursor, run: FlowRun, tools: list[str], others: dict[str, str]) -> Request:
    """The request for the current warning or step; `others` maps the names of referenced SOPs to their ids."""
    step = cursor.plan.by_id[run.at]
    location = _place(cursor, run, step)
    warnings = cursor.warnings(run)
    if warnings:
        args = {
            **location,
            "text": "",
            "warnings": [_warning(warning) for warning in warnings],
            "ways": [],
            "range": None,
        }
        text = "\n".join(
            [f"Read this before {name_of(step)} of {run.title!r}:", *(warning.text for warning in warnings)]
        )
        return request("warning", {**args, "tools": []}, _with(run.problem, text), ["approve", "respond"])
    ranges = [_range(demand) for demand in cursor.plan.demands(step.id)]
    args = {
        **location,
        "text": step.text,
        "warnings": [_warning(warning) for warning in step.warnings],
        "ways": _ways(cursor, run),
        "range": ranges[0] if ranges else None,
        "ranges": ranges,
        "suggested": _suggested(cursor, run, cursor.suggested(run)),
        "tools": tools,
        "references": [{"n": n, "name": name, "sop": sop} for n, (name, sop) in enumerate(others.items(), 1)],
    }
    return request("step", args, _with(run.problem, _spoken(step, args)), ["approve", "reject", "respond"])


def changed_request(cursor: Cursor, run: FlowRun) -> Request:
    """The request after a change of the SOP during the run: continue in the new edition, or stop."""
    args = {
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
    return request("changed", args, _with(run.problem, text), ["approve", "reject"])


def _place(cursor: Cursor, run: FlowRun, step: ShownStep) -> dict[str, Any]:
    return {
        "sop": run.sop,
        "sop_title": run.title,
        "node": step.id,
        "number": step.number,
        "of": len(cursor.plan.steps),
        "label": step.label,
        "section": step.section,
        "lines": [step.lines.start, step.lines.end],
        "kind": "decision" if len(cursor.plan.ways(step.id)) > 1 else "action",
        "problem": run.problem,
    }


def _ways(cursor: Cursor, run: FlowRun) -> list[dict[str, Any]]:
    """The branches with the number of their target step; 0: the end of the procedure."""
    steps, edges = cursor.plan.by_id, cursor.plan.ways(run.at)
    return [{"to": steps[edge.to].number if edge.to else 0, "condition": edge.condition} for edge in edges]


def _suggested(cursor: Cursor, run: FlowRun, choice: EdgeChoice | None) -> dict[str, Any] | None:
    if choice is None:
        return None
    number = list(cursor.plan.ways(run.at)).index(choice.edge) + 1
    step_number = cursor.plan.by_id[choice.reading.node].number
    return {
        "way": number,
        "reading": str(choice.reading.quantity),
        "step": step_number,
        "condition": choice.edge.condition,
    }


def _range(demand: Range) -> dict[str, Any]:
    return {
        "low": demand.low,
        "high": demand.high,
        "unit": demand.unit,
        "words": demand.phrase,
        "asked": demand.required,
    }


def _warning(warning: Warning) -> dict[str, Any]:
    return {"kind": warning.kind, "text": warning.text, "lines": [warning.lines.start, warning.lines.end]}


def _with(problem: str, text: str) -> str:
    return f"{problem}\n\n{text}" if problem else text


def _goal(branch: dict[str, Any]) -> str:
    return f"step {branch['to']}" if branch["to"] else "the procedure ends"


def _spoken(step: ShownStep, args: dict[str, Any]) -> str:
    """The step as plain text, for clients without structured display."""
    rows = [f"Step {step.number} of {args['of']}, {lines_of(step.lines)} of {args['sop_title']!r}:", step.text]
    branches = args["ways"]
    if len(branches) > 1:
        rows += [
            f"  {n}. {branch['condition'] or 'in any case'}: {_goal(branch)}" for n, branch in enumerate(branches, 1)
        ]
    if args["suggested"]:
        rows.append(f"  The reading {args['suggested']['reading']} says way {args['suggested']['way']}.")
    rows += [f"  Offered: {name}" for name in args["tools"]]
    rows += [f"  See also {reference['n']}: {reference['name']}" for reference in args["references"]]
    return "\n".join(rows)
