"""Progress on stderr: one bar per stage on a terminal, plain lines elsewhere."""

import sys
import time
from collections import Counter
from types import TracebackType
from typing import Any, Protocol, Self

EVERY = 3.0  # seconds between two lines of one stage
NAMES = {
    "cluster": "workers",
    "search": "search the web",
    "collect": "collect documents",
    "archive": "parse to Markdown",
    "audit": "audit",
    "examine": "ask questions",
    "measure": "try a panel of systems",
    "read": "read files",
    "index": "index SOPs",
    "move": "copy the index",
    "knowledge": "read facts",
    "summarise": "summarise communities",
    "investigate": "investigate",
    "judge": "judge the report",
}


class StageProgress(Protocol):
    """Shows how far each stage is."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def note(self, event: dict[str, Any]) -> None:
        """Take one event of the graph: `{stage, total}`, `{stage, item, outcome}`, or one of these two.

        `{stage, item, standing}` says how far a long item is; `{stage, note}` is printed at once.
        """
        ...


class Silence:
    """No progress at all."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exit: object) -> None:
        return None

    def note(self, event: dict[str, Any]) -> None:
        """Do nothing."""


class Lines(Silence):
    """A line every few seconds, at the end of each stage, and for every failure."""

    def __init__(self) -> None:
        self.printed = time.monotonic()
        self.totals: Counter[str] = Counter()
        self.outcomes: dict[str, Counter[str]] = {}

    def note(self, event: dict[str, Any]) -> None:
        """Print a line when there is news."""
        stage = event["stage"]
        if "total" in event:
            self.totals[stage] = event["total"]
            return
        if "note" in event:
            self._print(f"{NAMES.get(stage, stage)}: {event['note']}")
            return
        if "standing" in event:
            if time.monotonic() - self.printed > EVERY:
                self._print(f"{NAMES.get(stage, stage)}: {event['item']}: {event['standing']}")
            return
        done = self.outcomes.setdefault(stage, Counter())
        done[event["outcome"]] += 1
        if event["outcome"] == "failed":
            self._print(f"{NAMES.get(stage, stage)}: failed: {event['item']}")
        count, total = done.total(), self.totals[stage]
        if count == total or time.monotonic() - self.printed > EVERY:
            parts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(done.items()))
            self._print(f"{NAMES.get(stage, stage)}: {count}{f'/{total}' if total else ''} ({parts})")

    def _print(self, line: str) -> None:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
        self.printed = time.monotonic()


class Bars:
    """A live bar per stage."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        columns = ("[progress.description]{task.description:<20}", BarColumn(), MofNCompleteColumn())
        outcome = TextColumn("{task.fields[outcome]}", markup=False)
        self.bars = RichProgress(*columns, TimeElapsedColumn(), outcome, console=Console(stderr=True))
        self.tasks: dict[str, Any] = {}
        self.outcomes: dict[str, Counter[str]] = {}

    def __enter__(self) -> Self:
        self.bars.start()
        return self

    def __exit__(self, *exit: object) -> None:
        self.bars.stop()

    def note(self, event: dict[str, Any]) -> None:
        """Move the stage's bar."""
        stage = event["stage"]
        if "note" in event:
            self.bars.console.print(f"{NAMES.get(stage, stage)}: {event['note']}", markup=False, highlight=False)
            return
        if stage not in self.tasks:
            self.tasks[stage] = self.bars.add_task(NAMES.get(stage, stage), total=event.get("total"), outcome="")
        if "total" in event:
            self.bars.update(self.tasks[stage], total=event["total"])
            return
        if "standing" in event:
            self.bars.update(self.tasks[stage], outcome=f"{event['item']}: {event['standing']}")
            return
        done = self.outcomes.setdefault(stage, Counter())
        done[event["outcome"]] += 1
        parts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(done.items()))
        self.bars.update(self.tasks[stage], advance=1, outcome=parts)


def open_progress(quiet: bool) -> StageProgress:
    """Bars on a capable terminal, lines otherwise, nothing when quiet."""
    if quiet:
        return Silence()
    return Bars() if sys.stderr.isatty() else Lines()
