"""The progress display of a turn: finished and running experts with their seconds."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import IO, Any, Protocol, Self

from pydantic import BaseModel, ConfigDict

from soprag.tools.text.sanitize import one_line

_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_TEXT = 60  # characters of what an expert says about its work


class ExpertProgress(BaseModel):
    """One event: an expert began or ended a step."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    expert: str = ""
    step: str = ""
    phase: str = "begin"
    text: str = ""
    seconds: float = 0.0


@dataclass
class Trail:
    """The experts of one turn in order, each with its seconds once it has ended."""

    clock: Callable[[], float] = time.monotonic
    rows: list[tuple[ExpertProgress, float]] = field(default_factory=list)  # with the time it began
    ended: dict[int, float] = field(default_factory=dict)

    def note(self, event: ExpertProgress) -> int:
        """Take an event; gives the number of its row, from 0."""
        if event.phase == "begin":
            self.rows.append((event, self.clock()))
            return len(self.rows) - 1
        key = event.expert, event.step
        for row in reversed(range(len(self.rows))):
            if row not in self.ended and (self.rows[row][0].expert, self.rows[row][0].step) == key:
                self.ended[row] = event.seconds or self.clock() - self.rows[row][1]
                return row
        self.rows.append((event, self.clock()))
        self.ended[len(self.rows) - 1] = event.seconds
        return len(self.rows) - 1

    def line(self, *, live: bool) -> str:
        """`① retrieval 0.4 s ② math: 3 equations · 2 s`; finished experts only unless `live`."""
        parts = []
        for row, (event, began) in enumerate(self.rows):
            if row in self.ended:
                parts.append(f"{sign(row)} {one_line(event.expert)} {self.ended[row]:.1f} s")
            elif live:
                what = f": {one_line(event.text, _TEXT)}" if event.text else ""
                parts.append(f"{sign(row)} {one_line(event.expert)}{what} · {self.clock() - began:.0f} s")
        return "  ".join(parts)


def sign(row: int) -> str:
    """The circled number of a row."""
    return _CIRCLED[row] if row < len(_CIRCLED) else f"({row + 1})"


class Working(Protocol):
    """Takes the progress of one turn."""

    def note(self, event: ExpertProgress) -> None:
        """Show it."""
        ...


class LineWorking:
    """A line for each beginning, and one at an end that took long enough to wonder."""

    SLOW = 1.0  # seconds

    def __init__(self, out: IO[str] | None) -> None:
        self.out, self.trail = out, Trail()

    def note(self, event: ExpertProgress) -> None:
        """Print it."""
        row = self.trail.note(event)
        if self.out is None:
            return
        if event.phase == "begin":
            what = f": {one_line(event.text, _TEXT)}" if event.text else ""
            self.out.write(f"{row + 1}) {one_line(event.expert)}{what}\n")
        elif self.trail.ended.get(row, 0) >= self.SLOW:
            self.out.write(f"{row + 1}) {one_line(event.expert)}: {self.trail.ended[row]:.1f} s\n")
        self.out.flush()


class LiveWorking:
    """One line that is drawn anew while work is under way; an account of it stays where it took long."""

    PER_SECOND = 8

    def __init__(self, console: Any) -> None:  # noqa: ANN401 - a rich Console, which is imported late
        from rich.live import Live

        self.console, self.trail, self.began = console, Trail(), time.monotonic()
        self.live = Live(console=console, get_renderable=self._draw, transient=True, refresh_per_second=self.PER_SECOND)

    def __enter__(self) -> Self:
        self.live.start()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from rich.text import Text

        self.live.stop()
        done = self.trail.line(live=False)
        if max(self.trail.ended.values(), default=0) >= LineWorking.SLOW:
            self.console.print(Text(done, "dim"), soft_wrap=True)

    def note(self, event: ExpertProgress) -> None:
        """Take it; it is drawn at the next refresh."""
        self.trail.note(event)

    def _draw(self) -> Any:  # noqa: ANN401 - a rich Text
        from rich.text import Text

        line = self.trail.line(live=True) or f"thinking · {time.monotonic() - self.began:.0f} s"
        return Text(line, "cyan", no_wrap=True, overflow="ellipsis")
