"""How the procedures of the example library are read, against annotations that are kept here without their words.

    python -m soprag.benchmarks.quality.annotated_flows.library examples/sources

Their names begin with the first word of their domain.
"""

import sys
from pathlib import Path

from soprag.benchmarks.quality.annotated_flows.comparison import compare_texts
from soprag.benchmarks.quality.annotated_flows.report import AnnotatedReport, render, report_of
from soprag.benchmarks.quality.annotated_flows.shapes import shaped
from soprag.tools.procedure.reader import read_procedure

_LIBRARY = "library.jsonl"


def measure_library(sources: Path) -> AnnotatedReport:
    """The agreement on the texts of every domain and on all; UsageError when a text is not the annotated one."""
    texts = ((text.name, text.markdown, text.flow) for text in shaped(sources, _LIBRARY))
    return report_of(compare_texts(texts, read_procedure))


if __name__ == "__main__":
    sys.stdout.write("\n".join(render(measure_library(Path(sys.argv[1])))) + "\n")
