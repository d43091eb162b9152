"""The `/steps` listing: the experts' steps for the last answer, and the progress of the guided run."""

from collections.abc import Iterator
from typing import Any

from soprag.apps.terminal.dialogue import GraphStatus
from soprag.tools.text.sanitize import one_line

_TEXT = 100


def account(standing: GraphStatus) -> Iterator[str]:
    """A line per step of the solution history, the failed ones too."""
    for event in standing.history:
        version = f".{event['version']}" if event.get("version", 1) > 1 else ""
        failure = event.get("failure") or {}
        what = failure.get("message") or event.get("task") or event.get("text") or ""
        status = event.get("status", "ok")
        mark = "" if status == "ok" else f" {status}{': ' + str(failure['kind']) if failure.get('kind') else ''}"
        line = f"{event.get('step', '')}{version} {event.get('tool', '')}{mark} · {event.get('seconds', 0):.1f} s"
        yield one_line(f"{line} · {one_line(str(what), _TEXT)}")


def run_account(standing: GraphStatus) -> Iterator[str]:
    """The guided run: what was done, skipped and measured."""
    run = standing.flow
    if not run:
        return
    yield f"Guided run of {one_line(str(run.get('title') or run.get('sop', '')))}: {run.get('status', 'running')}"
    for mark in run.get("trail") or ():
        yield f"  step {mark.get('number', '?')} {_outcome(mark)}"


def _outcome(mark: dict[str, Any]) -> str:
    parts = [str(mark.get("outcome", "done"))]
    value = mark.get("value")
    if value:
        parts.append(
            f"{value.get('value', '')} {value.get('unit', '')}".strip() if isinstance(value, dict) else str(value)
        )
    parts += [str(mark[key]) for key in ("condition", "reason") if mark.get(key)]
    return one_line(": ".join(parts))
