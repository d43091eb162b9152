"""The handover note: what the next shift must know, made from the record alone; every line names steps and entries."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from soprag.apps.terminal.pages import page_of, where
from soprag.apps.terminal.requests import Request, StepRequest, WarningRequest
from soprag.apps.terminal.sessions import SessionCard, now
from soprag.tools.flow.required_readings import noted_readings
from soprag.tools.procedure.page import raw
from soprag.tools.store.branches import FORKED, off_path, on_path
from soprag.tools.store.log_entry import Head, LogEntry
from soprag.tools.text.sanitize import one_line

_LONG = 160  # characters of one text
_DIGITS = 17  # of the head in a command that somebody may type: a colon and 16 hex digits


@dataclass
class Run:
    """One guided run as the record tells it."""

    begun: LogEntry
    steps: list[LogEntry] = field(default_factory=list)  # done and skipped, without those gone back on
    remarks: list[str] = field(default_factory=list)
    ended: LogEntry | None = None


def handover(card: SessionCard, entries: Iterable[LogEntry], request: Request | None = None) -> str:
    """The note as plain text."""
    record = list(entries)
    path = on_path(record)
    lines = [f"HANDOVER · {now()} · {card.operator or 'operator'} · session {card.id}"]
    lines += _asked(path)
    for run in runs(path):
        lines += _told(run)
    lines += _forks(record)
    lines += _notes(path)
    lines += _standing(request, path)
    if record:
        anchor = Head(number=record[-1].number, hash=record[-1].hash).anchor()
        lines.append(f"Record: {len(record)} entries, head {anchor} {_cite(record[-1])}")
        lines.append(f"To check it: soprag audit verify {card.id} --head {anchor[: anchor.index(':') + _DIGITS]}")
    lines.append("Taken over by: ____________________")
    return "\n".join(lines)


def runs(record: Iterable[LogEntry]) -> list[Run]:
    """The guided runs in the order they began."""
    begun_runs: list[Run] = []
    for entry in record:
        if entry.kind == "flow begun":
            begun_runs.append(Run(entry))
        run = next((candidate for candidate in reversed(begun_runs) if _same(candidate, entry)), None)
        if run is not None:
            _take(run, entry)
    return begun_runs


def _same(run: Run, entry: LogEntry) -> bool:
    sop = entry.facts.get("sop")
    return run.ended is None and (sop is None or sop == run.begun.facts.get("sop"))


def _take(run: Run, entry: LogEntry) -> None:
    facts = entry.facts
    if entry.kind in ("done", "skipped"):
        run.steps.append(entry)
    elif entry.kind == "back":
        del run.steps[-1:]
    elif entry.kind in ("flow finished", "flow stopped"):
        run.ended = entry
    elif entry.kind == "not taken":
        run.remarks.append(f"{_not_taken(facts)} {_cite(entry)}")
    elif entry.kind == "edition":
        agreed = "gone on with" if facts.get("agreed") else "stopped at"
        run.remarks.append(f"The procedure was changed meanwhile; {agreed} the new edition {_cite(entry)}")
    elif entry.kind in ("approved", "refused", "not counted", "acted", "failed"):
        run.remarks.append(_action(entry))


def _not_taken(facts: Mapping[str, JsonValue]) -> str:
    """A reply that the run did not go on with; of several readings one may have been taken."""
    if readings := noted_readings(str(facts.get("text"))):
        return f"Reading at step {facts.get('number')}: {one_line(readings)}"
    return f"Not taken at step {facts.get('number')}: {_words(facts.get('text'))}"


def _asked(record: Iterable[LogEntry]) -> Iterator[str]:
    for entry in record:
        if entry.kind == "question" and not entry.facts.get("aside"):
            yield f"Asked: {_words(entry.facts.get('text'))} {_cite(entry)}"


def _told(run: Run) -> Iterator[str]:
    facts = run.begun.facts
    title, sop = one_line(str(facts.get("title"))), one_line(str(facts.get("sop")))
    edition = str(facts.get("sha256"))[:12]
    yield f"Procedure: {title} ({sop}), {facts.get('steps')} steps, edition {edition} {_cite(run.begun)}"
    plain = [entry for entry in run.steps if entry.kind == "done" and not _result(entry)]
    if plain:
        yield f"Done: {_numbers(plain)} {_cite(*plain)}"
    for entry in run.steps:
        step = f"step {entry.facts.get('number')}"
        if entry.kind == "skipped":
            yield f"Skipped: {step}, because {_words(entry.facts.get('reason'))} {_cite(entry)}"
        elif _result(entry):
            yield f"Done: {step}: {_result(entry)} {_cite(entry)}"
    yield from run.remarks
    if run.ended:
        yield f"The run {run.ended.kind.removeprefix('flow ')} after {_numbers(run.steps)} {_cite(run.ended)}"


def _action(entry: LogEntry) -> str:
    facts, tool = entry.facts, one_line(str(entry.facts.get("tool"))).replace("_", " ")
    decision = f"{entry.kind.capitalize()}: {tool} by {one_line(entry.by) or 'operator'}"
    if entry.kind == "approved":
        changed = " after changes" if facts.get("before") != facts.get("after") else ""
        return f"{decision}{changed} {_cite(entry)}"
    if entry.kind in ("refused", "not counted"):
        return f"{decision}: {_words(facts.get('reason'))} {_cite(entry)}"
    outcome = facts.get("outcome")
    result = outcome.get("text") or outcome.get("message") if isinstance(outcome, dict) else outcome
    return f"{'Happened' if entry.kind == 'acted' else 'Failed'}: {tool}: {_words(result)} {_cite(entry)}"


def _forks(record: list[LogEntry]) -> Iterator[str]:
    """Where the thread was taken back to an earlier point, and what had happened past it."""
    for entry in record:
        if entry.kind == FORKED:
            first, last = entry.facts.get("replaces"), entry.facts.get("until")
            by = one_line(entry.by) or "operator"
            yield f"Taken back: entries #{first} to #{last} gave way to another answer, by {by} {_cite(entry)}"
    for entry in off_path(record):
        if entry.kind in ("acted", "failed"):
            yield f"Before it was taken back: {_action(entry)}"


def _notes(record: Iterable[LogEntry]) -> Iterator[str]:
    for entry in record:
        if entry.kind == "note":
            position = f" at step {entry.facts['number']}" if entry.facts.get("number") else ""
            yield f"Note{position}: {_words(entry.facts.get('text'))} {_cite(entry)}"


def _standing(request: Request | None, record: list[LogEntry]) -> Iterator[str]:
    """What is open now, with the warnings of the next step in full."""
    if request is None:
        return
    displayed = [entry for entry in record if entry.kind in ("step shown", "warning shown")]
    cite = f" {_cite(displayed[-1])}" if displayed else ""
    if isinstance(request, StepRequest | WarningRequest):
        yield f"Stands at: {where(request.step)} of {one_line(request.step.sop_title)}{cite}. Next:"
    else:
        yield f"Waits for approval: {one_line(request.name)}{cite}:"
    yield from (f"  {line}" for line in raw(page_of(request)).split("\n"))


def _result(entry: LogEntry) -> str:
    """The value and the way taken, if the step had one."""
    value: Any = entry.facts.get("value")
    measured = ""
    if isinstance(value, dict):
        measured = f"{value.get('value'):g} {value.get('unit') or ''}".strip()
    condition = str(entry.facts.get("condition") or "")
    return ", ".join(part for part in (measured, _words(condition) if condition else "") if part)


def _numbers(entries: Iterable[LogEntry]) -> str:
    """`steps 1-3, 5`."""
    numbers = sorted({number for entry in entries if isinstance(number := entry.facts.get("number"), int)})
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    ranges = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
    return f"step{'s' if len(numbers) > 1 else ''} {ranges}" if ranges else "no step"


def _cite(*entries: LogEntry) -> str:
    return f"[{', '.join(f'#{entry.number}' for entry in entries)}]"


def _words(text: object) -> str:
    return one_line(str(text or "no words"), _LONG)
