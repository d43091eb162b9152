"""Compares the record of a thread with its state: they are written apart, so a change to one contradicts the other."""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import JsonValue

from soprag.tools.flow.run import FlowRun
from soprag.tools.sop import Frozen
from soprag.tools.store.branches import on_path
from soprag.tools.store.log_entry import LogEntry
from soprag.tools.text.sanitize import one_line, sanitize_json

_SHOWN = 80  # characters of a question in a finding
_COMPARED = ("number", "outcome", "value", "condition", "reason")


class ThreadState(Frozen):
    """What the checkpoint of a thread holds that its record must hold, too."""

    turns: int | None = None  # questions and messages so far; None where the graph does not count them
    questions: tuple[str, ...] = ()  # the messages of the operator that are still in the state
    run: FlowRun | None = None


class StateFindings(Frozen):
    """`faults` contradict each other; `notices` are what a killed or open session leaves."""

    faults: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def compare(entries: Sequence[LogEntry], state: ThreadState) -> StateFindings:
    """What the path of the record and the state do not agree on.

    The record is written before the state is saved. So it may be ahead by the turn that was under way; the state never
    is.
    """
    path = on_path(entries)
    findings = [*_turns(path, state), *_questions(path, state), *_runs(path, state)]
    return StateFindings(
        faults=tuple(text for text, pending in findings if not pending),
        notices=tuple(text for text, pending in findings if pending),
    )


Findings = Iterator[tuple[str, bool]]  # the text, and whether it only says that something is not saved yet


def _turns(path: Sequence[LogEntry], state: ThreadState) -> Findings:
    recorded = sum(entry.kind == "question" for entry in path)
    if state.turns is None or recorded == state.turns:
        return
    if recorded < state.turns:
        yield (
            f"the state knows {state.turns} turns, the record {recorded}: entries were removed from the record",
            False,
        )
    elif recorded == state.turns + 1:
        yield "The last turn of the record is not in the state: it is under way, or was cut off.", True
    else:
        yield (
            f"the record knows {recorded} turns, the state {state.turns}: the state is older than the record",
            False,
        )


def _questions(path: Sequence[LogEntry], state: ThreadState) -> Findings:
    recorded = {entry.facts.get("text") for entry in path if entry.kind == "question"}
    for question in state.questions:
        if question not in recorded:
            yield f"the state holds a message that the record does not: {one_line(question, _SHOWN)!r}", False


def _runs(path: Sequence[LogEntry], state: ThreadState) -> Findings:
    run, ids = state.run, set()
    while run:
        ids.add(run.id)
        yield from _trail(path, run)
        run = run.parent
    ended = {entry.position.partition("/")[0] for entry in path if entry.kind in ("flow finished", "flow stopped")}
    for entry in path:
        if entry.kind == "flow begun" and entry.facts.get("run") not in ids | ended:
            title = one_line(str(entry.facts.get("title")), _SHOWN)
            yield (
                f"The run of {title!r} begun at entry {entry.number} is not in the state: it was cut off or left.",
                True,
            )


def _trail(path: Sequence[LogEntry], run: FlowRun) -> Findings:
    recorded, complete = _steps([entry for entry in path if entry.position.startswith(f"{run.id}/")])
    trail = [sanitize_json(mark.model_dump(mode="json")) for mark in run.trail]
    if not complete:  # the run was carried to another edition, which renumbers the steps before
        trail = trail[len(trail) - len(recorded) :] if recorded else []
    for entry, mark in zip(recorded, trail, strict=False):
        facts = mark if isinstance(mark, dict) else {}
        if any(entry.facts.get(name) != facts.get(name) for name in _COMPARED):
            yield f"entry {entry.number} records {_described(entry.facts)}, the state holds {_described(facts)}", False
            return
    title = one_line(run.title, _SHOWN)
    if len(recorded) < len(trail):
        steps = len(trail) - len(recorded)
        yield f"the state of {title!r} holds {steps} steps that the record does not", False
    elif len(recorded) == len(trail) + 1:
        yield f"The last step of {title!r} in the record is not in the state: it is being saved, or was cut off.", True
    elif len(recorded) > len(trail):
        steps = len(recorded) - len(trail)
        yield f"the record of {title!r} is {steps} steps ahead of the state: the thread was taken back", False


def _steps(entries: Sequence[LogEntry]) -> tuple[list[LogEntry], bool]:
    """The recorded steps that were not gone back on, and whether they begin at the start of the run."""
    steps: list[LogEntry] = []
    complete = True
    for entry in entries:
        if entry.kind in ("done", "skipped"):
            steps.append(entry)
        elif entry.kind == "back":
            del steps[-1:]
        elif entry.kind == "edition" and entry.facts.get("agreed"):
            steps, complete = [], False
    return steps, complete


def _described(facts: dict[str, JsonValue]) -> str:
    """`step 2 done with 4.2 bar`."""
    value: Any = facts.get("value")
    reading = f" with {value.get('value')} {value.get('unit') or ''}".rstrip() if isinstance(value, dict) else ""
    details = " ".join(str(facts[name]) for name in ("condition", "reason") if facts.get(name))
    return f"step {facts.get('number')} {facts.get('outcome')}{reading}" + (f" ({details})" if details else "")
