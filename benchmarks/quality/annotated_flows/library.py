"""How the procedures of the example library are read, against annotations that are kept here without their words.

    python -m soprag.benchmarks.quality.annotated_flows.library examples/sources

Their names begin with the first word of their domain.
"""

import sys
from pathlib import Path

from soprag.benchmarks.quality.annotated_flows.comparison import ALL, compare
from soprag.benchmarks.quality.annotated_flows.document import parse
from soprag.benchmarks.quality.annotated_flows.report import AnnotatedReport, figures, render
from soprag.benchmarks.quality.annotated_flows.shapes import shaped
from soprag.benchmarks.quality.annotated_flows.tally import Tally
from soprag.tools.procedure.export import gold
from soprag.tools.procedure.reader import read_procedure

_LIBRARY = "library.jsonl"


def measure_library(sources: Path) -> AnnotatedReport:
    """The agreement on the texts of every domain and on all; UsageError when a text is not the annotated one."""
    tallies: dict[str, Tally] = {}
    for text in shaped(sources, _LIBRARY):
        agreed = compare(text.flow, parse(gold(read_procedure(text.markdown))))
        for name in (text.name.partition("-")[0], ALL):
            tallies.setdefault(name, Tally()).add(agreed)
    names = [*sorted(name for name in tallies if name != ALL), ALL]
    return AnnotatedReport(origins=tuple(figures(name, tallies[name]) for name in names))


if __name__ == "__main__":
    sys.stdout.write("\n".join(render(measure_library(Path(sys.argv[1])))) + "\n")
