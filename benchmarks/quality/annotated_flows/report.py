"""The table of agreement with annotated flows, by origin."""

from collections.abc import Iterator
from pathlib import Path

from soprag.benchmarks.quality.annotated_flows.comparison import ALL, Read, compare_folder
from soprag.benchmarks.quality.annotated_flows.tally import Agreement, Tally
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.sop import Frozen

_NUMBER = ", number"  # the end of the name of a figure that is a count


class OriginFigures(Frozen):
    """F1 of sets and shares of all documents of one origin; None where nothing is to be found."""

    origin: str
    documents: int
    steps: int
    figures: dict[str, float | None]


class AnnotatedReport(Frozen):
    """The figures of every origin; the last one is all of them."""

    origins: tuple[OriginFigures, ...]


def measure_annotated(folder: Path, read: Read = read_procedure) -> AnnotatedReport:
    """Reads the annotated documents of a folder and compares; UsageError when it holds none."""
    return report_of(compare_folder(folder, read))


def report_of(tallies: dict[str, Tally]) -> AnnotatedReport:
    """The figures of every origin, and of all as the last one."""
    names = [*sorted(name for name in tallies if name != ALL), ALL]
    return AnnotatedReport(origins=tuple(figures(name, tallies[name]) for name in names))


def render(report: AnnotatedReport) -> Iterator[str]:
    """The table, one line for each figure."""
    columns = report.origins
    yield f"{'':26}" + "".join(f"{one.origin:>9}" for one in columns)
    yield f"{'documents':26}" + "".join(f"{one.documents:>9}" for one in columns)
    yield f"{'steps read':26}" + "".join(f"{one.steps:>9}" for one in columns)
    for name in columns[-1].figures:
        cells = [one.figures.get(name) for one in columns]
        places = 0 if name.endswith(_NUMBER) else 3
        yield f"{name:26}" + "".join(f"{'-':>9}" if cell is None else f"{cell:9.{places}f}" for cell in cells)


def figures(origin: str, tally: Tally) -> OriginFigures:
    """The figures of a tally under a name."""
    found = {name: one.f1 for name, one in tally.sets.items()}
    found |= {name: one.share for name, one in tally.shares.items()}
    steps = max(1, tally.steps)
    found["wrong ways per 100 steps"] = 100 * tally.wrong_ways / steps
    found["silent wrong ways per 100"] = 100 * tally.silent_wrong_ways / steps
    found["share of steps unresolved"] = tally.unresolved_steps / steps
    if tally.unresolved_steps:
        found["of these with right ways"] = tally.overmarked_steps / tally.unresolved_steps
    decisions = tally.shares.get("decisions right", Agreement())
    found[f"decisions{_NUMBER}"], found[f"right decisions{_NUMBER}"] = float(decisions.gold), float(decisions.right)
    return OriginFigures(origin=origin, documents=tally.documents, steps=tally.steps, figures=found)
