"""Throughput and peak memory of the parser, and the overhead of process isolation."""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from pydantic import Field

from soprag.configs.settings import ParsingSettings
from soprag.tools.parsing import Parser
from soprag.tools.parsing.jobs import ParseJob, ParseLimits, ProbeJob
from soprag.tools.sop import Frozen

ROUNDS = 3
_NO_LIMITS = ParseLimits(memory=0, seconds=86_400, pages=10**6, pixels=10**9, cells=10**9, characters=10**9)


class ParsingSpeed(Frozen):
    """Warm figures over a set of PDFs."""

    documents: int
    pages: int
    workers: int
    pages_per_second: float
    peak: int = Field(description="MiB, of the largest parser process")
    overhead: float = Field(description="one isolated process against the same work in this process, ratio of times")
    overhead_cpu: float = Field(description="the same in processor time, which other work on the machine changes less")


def measure_speed(files: Sequence[Path], settings: ParsingSettings) -> ParsingSpeed:
    """All workers for the rate; one worker against this process for the overhead, rounds in turn, medians.

    Both sides have parsed every file once before the time is taken, so neither pays for its start.
    """
    quiet = settings.model_copy(update={"cache": False, "recycle": 10**6})
    chosen = list(files)
    with Parser(quiet) as parser:
        _all_at_once(parser, chosen)  # warm
        begun = time.perf_counter()
        pages = _all_at_once(parser, chosen)
        seconds, peak = time.perf_counter() - begun, parser.peak_memory()
    ratios = _overhead(chosen, quiet.model_copy(update={"workers": 1}))
    return ParsingSpeed(
        documents=len(chosen),
        pages=pages,
        workers=parser.workers,
        pages_per_second=pages / seconds,
        peak=peak,
        overhead=median(ratio.wall for ratio in ratios),
        overhead_cpu=median(ratio.cpu for ratio in ratios),
    )


def render_speed(speed: ParsingSpeed) -> str:
    """One line."""
    rate = f"{speed.pages_per_second:.1f} pages/s with {speed.workers} processes"
    corpus = f"{speed.documents} PDFs, {speed.pages} pages, warm"
    return (
        f"speed: {rate} ({corpus}); peak {speed.peak} MiB per process; "
        f"isolation: {speed.overhead:.2f} times the work in this process, {speed.overhead_cpu:.2f} in processor time"
    )


def _all_at_once(parser: Parser, files: list[Path]) -> int:
    async def run() -> int:
        return sum(document.pages for document in await asyncio.gather(*(parser.parse(file) for file in files)))

    return asyncio.run(run())


def _overhead(files: list[Path], settings: ParsingSettings) -> "list[Ratio]":
    from soprag.tools.parsing.engines.mineru_local import parse
    from soprag.tools.parsing.probe import probe

    os.environ.setdefault("MINERU_MODEL_SOURCE", "local")
    os.environ.setdefault("MINERU_LOG_LEVEL", "ERROR")
    os.environ.setdefault("DOCVORTEX_PDF_RENDER_THREADS", "1")

    def in_process(file: Path) -> None:
        kind = file.suffix.removeprefix(".")
        probe(ProbeJob.model_validate({"kind": kind, "path": str(file), "limits": _NO_LIMITS}))
        job = {"kind": kind, "path": str(file), "engine": "mineru", "limits": _NO_LIMITS}
        parse(ParseJob.model_validate(job), lambda _: None)

    with Parser(settings) as parser:

        def isolated(file: Path) -> None:
            parser.parse_now(file)

        _alternate(isolated, in_process, files)  # warm
        return [_alternate(isolated, in_process, files) for _ in range(ROUNDS)]


@dataclass(frozen=True)
class Ratio:
    """Isolated work against the same work here."""

    wall: float
    cpu: float


def _alternate(isolated: Callable[[Path], None], in_process: Callable[[Path], None], files: list[Path]) -> Ratio:
    """The ratio of both times; in turn for every file, so that other work on the machine slows both alike."""
    times, processor = [0.0, 0.0], [0.0, 0.0]
    for file in files:
        for side, work in enumerate((isolated, in_process)):
            begun, used = time.perf_counter(), _processor_time()
            work(file)
            times[side] += time.perf_counter() - begun
            processor[side] += _processor_time() - used
    return Ratio(wall=times[0] / times[1], cpu=processor[0] / processor[1] if processor[1] else 0.0)


def _processor_time() -> float:
    """Seconds that this process and all below it have used so far; 0 where the system does not tell."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            fields = stat.read_text().rpartition(")")[2].split()
            parents[int(stat.parent.name)] = int(fields[1])
            # user and system time, its own and of the children it has waited for
            used[int(stat.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return sum(seconds for process, seconds in used.items() if os.getpid() in _above(process, parents))


def _above(process: int, parents: dict[int, int]) -> list[int]:
    line = [process]
    while parents.get(line[-1], 0) not in (0, *line):
        line.append(parents[line[-1]])
    return line
