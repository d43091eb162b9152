"""The knowledge graph at size: processor time of adding to a full graph and an empty one, of changes and of a question.

uv run python -m soprag.benchmarks.knowledge_scale --documents 10000
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import fmean, median

from soprag.benchmarks.knowledge_kill import opened
from soprag.benchmarks.synthetic import Plant
from soprag.tools.knowledge.asking import ask
from soprag.tools.knowledge.chunks import WindowLimits
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import SourceDocument
from soprag.tools.rules.adapter import RulesLlm

_BATCH = 200
_CHANGED = 50
_PLANT = Plant()


def main() -> None:
    """Measure, and print a line per figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for line in measure(Path(scratch), options.documents):
            sys.stdout.write(f"{line}\n")


def measure(folder: Path, count: int) -> list[str]:
    """Milliseconds of this process."""
    library = opened(folder, dimension=384)  # of MiniLM
    empty = _add(library, range(_BATCH))
    for start in range(_BATCH, count, _BATCH):
        _add(library, range(start, min(start + _BATCH, count)))
    full = _add(library, range(count, count + _BATCH))
    began = time.process_time()
    snapshot = library.snapshot()
    loading = time.process_time() - began
    times = [_ask(library, _PLANT.question(number)) for number in range(50)]
    changed = _add(library, range(_CHANGED), " It is checked every week.")
    began = time.process_time()
    library.remove([_document(number).id for number in range(_CHANGED)])
    removed = (time.process_time() - began) * 1000 / _CHANGED
    return [
        f"{count + _BATCH} documents, {len(snapshot.chunks)} chunks, {len(snapshot.groups)} names",
        f"adding to empty {empty:.1f} ms a document, to {count} {full:.1f} ms: ratio {full / empty:.2f}",
        f"replacing a changed document {changed:.1f} ms, removing one {removed:.1f} ms",
        f"reading the graph {loading * 1000:.0f} ms, once",
        f"a question {fmean(times):.1f} ms on average, median {median(times):.1f}, most {max(times):.1f}",
    ]


def _add(library: KnowledgeLibrary, numbers: range, more: str = "") -> float:
    reader = DocumentReader(RulesLlm(), WindowLimits(256, 32))
    documents = [_document(number, more) for number in numbers]

    async def write() -> None:
        for document in documents:
            await library.add_document(document, reader)
        library.merge_names()

    began = time.process_time()
    asyncio.run(write())
    return (time.process_time() - began) * 1000 / len(documents)


def _document(number: int, more: str = "") -> SourceDocument:
    sop = _PLANT.write(number)[0]
    return SourceDocument(id=sop.id, title=sop.title, kind="text", body=sop.body + more, source="synthetic")


def _ask(library: KnowledgeLibrary, question: str) -> float:
    began = time.process_time()
    ask(library, question)
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    main()
