"""How texts of this repository are read, against annotations that are kept here without their words.

    python -m soprag.benchmarks.quality.annotated_flows.own_texts .

They are whole documents of the example library, 112 procedures of trades in their terse words, and 36 procedures in
whole sentences ("plain"), the latter two written for this set.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from soprag.benchmarks.quality.annotated_flows.comparison import compare_texts
from soprag.benchmarks.quality.annotated_flows.report import AnnotatedReport, render, report_of
from soprag.benchmarks.quality.annotated_flows.shapes import ShapedText, shaped
from soprag.tools.procedure.reader import read_procedure

_SETS = {
    "library.jsonl": Path("examples", "sources"),
    "trades.jsonl": Path("tests", "data", "trades"),
    "plain.jsonl": Path("tests", "data", "plain"),
}


def own_texts(repository: Path) -> Iterator[ShapedText]:
    """The annotated texts below the folder of the repository; their names begin with the domain, "trades" or "plain".

    Raises UsageError when a text is not the annotated one.
    """
    for file, folder in _SETS.items():
        yield from shaped(repository / folder, file)


def measure_own(repository: Path) -> AnnotatedReport:
    """The agreement on the texts of every domain, on those of the trades, on the plain ones, and on all."""
    texts = ((text.name, text.markdown, text.flow) for text in own_texts(repository))
    return report_of(compare_texts(texts, read_procedure))


if __name__ == "__main__":
    sys.stdout.write("\n".join(render(measure_own(Path(sys.argv[1])))) + "\n")
