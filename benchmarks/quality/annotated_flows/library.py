"""How the procedures of the example library are read, against annotations that are kept here without their words.

    python -m soprag.benchmarks.quality.annotated_flows.library examples/sources

Names say which of them the rules were tuned on, and which are kept aside to report on.
"""

import sys
from pathlib import Path

from soprag.benchmarks.quality.annotated_flows.comparison import compare
from soprag.benchmarks.quality.annotated_flows.document import parse
from soprag.benchmarks.quality.annotated_flows.report import AnnotatedReport, figures, render
from soprag.benchmarks.quality.annotated_flows.shapes import shaped
from soprag.benchmarks.quality.annotated_flows.tally import Tally
from soprag.tools.procedure.export import gold
from soprag.tools.procedure.reader import read_procedure

_LIBRARY = "library.jsonl"


def measure_library(sources: Path) -> AnnotatedReport:
    """The agreement on the texts that the rules were tuned on, and on those kept aside; UsageError for other texts."""
    tallies: dict[str, Tally] = {}
    for text in shaped(sources, _LIBRARY):
        part = text.name.partition("-")[0]
        tallies.setdefault(part, Tally()).add(compare(text.flow, parse(gold(read_procedure(text.markdown)))))
    return AnnotatedReport(origins=tuple(figures(part, tallies[part]) for part in sorted(tallies)))


if __name__ == "__main__":
    sys.stdout.write("\n".join(render(measure_library(Path(sys.argv[1])))) + "\n")
