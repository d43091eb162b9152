"""Asks two copies of an index in different databases the same questions: are the rankings identical, and how long.

    soprag index add ../shared/data/runbooks --index runbooks-index
    soprag index move --index runbooks-index --to postgresql://...
    uv run python -m soprag.benchmarks.index_databases ../shared/data/runbooks runbooks-index postgresql://...

The two are asked in turn, so that both meet the same other load. A search is timed with all SOPs held in memory and
with none, so that every question reads what it scores from the database. An SOP is added with the views and vectors of
one that is there, which are not computed again, and removed. Prints a table, in Markdown, of medians; a ratio is the
median of the ratios of single searches or additions. Statements are those of one search, of a command that adds one
SOP, and of each further SOP that it adds, with BEGIN and COMMIT.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from soprag.apps import process

process.prepare()  # before numpy computes: one thread for BLAS

from soprag.apps.compose import services  # noqa: E402
from soprag.benchmarks.statements import noted_statements  # noqa: E402
from soprag.configs.settings import Settings, load  # noqa: E402
from soprag.tools.evaluation.retrieval.benchmark import read_benchmark  # noqa: E402
from soprag.tools.retriever.index.index import Extraction, Index  # noqa: E402
from soprag.tools.retriever.index.ingest import IngestOutcome, LocalPreparer, Prepared  # noqa: E402
from soprag.tools.retriever.index.vectors import Vectoriser  # noqa: E402
from soprag.tools.retriever.query.retriever import Retriever  # noqa: E402
from soprag.tools.rules.adapter import RulesLlm  # noqa: E402
from soprag.tools.sop import Sop, Views  # noqa: E402
from soprag.tools.store.postgres_url import is_url  # noqa: E402

HITS = 20
ADDED, MORE = 20, 10


def main() -> None:
    """Compare all rankings, and the times of some questions and additions; exit code 1 when a ranking differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", help="folder of the corpus with its questions")
    parser.add_argument("first", help="folder or postgresql:// URL of an index of it")
    parser.add_argument("second", help="the same of its copy")
    parser.add_argument("--every", type=int, default=5, help="one of so many questions is timed")
    options = parser.parse_args()
    questions = [query.text for query in read_benchmark(Path(options.benchmark)).queries]
    places = (options.first, options.second)
    warm, timed = [_opened(place, 1000) for place in places], questions[:: options.every]
    identical = sum(len({_ranking(retriever, question) for retriever in warm}) == 1 for question in questions)
    sys.stdout.write(f"{identical} of {len(questions)} rankings with their scores identical\n\n")
    sys.stdout.write(
        _row("", *("PostgreSQL" if is_url(place) else "SQLite" for place in places), "ratio") + _row(*["---"] * 4)
    )
    sys.stdout.write(_searches("search, all SOPs decoded in memory", warm, timed))
    cold = [_opened(place, 0) for place in places]
    _searches("", cold, questions[:1])  # reads what is always kept in memory
    sys.stdout.write(_searches("search, every SOP read from the database", cold, timed))
    counts = [_sent(one.index, lambda: one.find(questions[1], HITS)) for one in cold]  # noqa: B023
    sys.stdout.write(_counts("search", counts))
    sys.stdout.write(_additions(warm))
    for retriever in (*warm, *cold):
        retriever.index.close()
    sys.exit(identical != len(questions))


def _searches(name: str, retrievers: Sequence[Retriever], questions: Sequence[str]) -> str:
    times = [[_seconds(lambda: one.find(question, HITS)) for one in retrievers] for question in questions]  # noqa: B023
    return _times(name, times)


def _additions(retrievers: Sequence[Retriever]) -> str:
    prepared = KnownPreparer(retrievers[0].index)
    indexes = [retriever.index for retriever in retrievers]
    times = [[_seconds(lambda: prepared.add(index)) for index in indexes] for _ in range(ADDED)]  # noqa: B023
    one = [_sent(index, lambda: prepared.add(index)) for index in indexes]  # noqa: B023
    many = [_sent(index, lambda: prepared.add(index, 1 + MORE)) for index in indexes]  # noqa: B023
    for index in indexes:
        prepared.remove(index)
    rows = _times("command that adds an SOP, without extraction and embedding", times)
    rows += _counts("command that adds an SOP", one)
    return rows + _counts("each further SOP", [(all - first) / MORE for all, first in zip(many, one, strict=True)])


def _times(name: str, seconds: Sequence[Sequence[float]]) -> str:
    """A row of the medians of the two, and of their ratios."""
    times = np.array(seconds)
    first, second = np.median(times, axis=0) * 1000
    return _row(f"{name}, ms", f"{first:.1f}", f"{second:.1f}", f"{np.median(times[:, 1] / times[:, 0]):.2f}")


def _counts(name: str, counts: Sequence[float]) -> str:
    return _row(f"{name}, SQL statements", *(f"{count:g}" for count in counts), f"{counts[1] / counts[0]:.2f}")


def _sent(index: Index, work: Callable[[], object]) -> int:
    with noted_statements(index.database) as sent:
        work()
    return len(sent)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


class KnownPreparer:
    """Adds copies of an SOP of an index, with the views and vectors that were computed once."""

    def __init__(self, index: Index) -> None:
        original = index.listing()[0].id
        self.copies = [
            index.sop(original).model_copy(update={"id": f"{original} copy {number}"}) for number in range(1 + MORE)
        ]
        self.views = index.views(original)
        vectoriser = Vectoriser(index.embedder, index.settings.element_vectors, index.settings.token_bits)
        self.done = asyncio.run(LocalPreparer(self._extract, vectoriser).prepare(self.copies[:1]))

    async def prepare(self, sops: list[Sop]) -> list[Prepared | IngestOutcome]:
        """See `SopPreparer`."""
        return self.done * len(sops)

    def add(self, index: Index, count: int = 1) -> None:
        """Add so many copies, in place of those that may be there."""

        async def adding() -> None:
            # Another edition each time, so that they are written anew.
            extraction = Extraction(str(time.time_ns()), self._extract)
            async for outcome in index.add(self.copies[:count], extraction, preparer=self):
                assert outcome.event in ("added", "updated"), outcome

        asyncio.run(adding())

    def remove(self, index: Index) -> None:
        """Remove all copies."""
        index.remove([copy.id for copy in self.copies])

    async def _extract(self, sop: Sop) -> Views:
        return self.views


def _opened(place: str, decoded: int) -> Retriever:
    settings: Settings = load("offline", environment={})
    chosen = settings.index.model_copy(update={"decoded": decoded})
    index = Index.open(place, services.open_embedder(settings), chosen, create=False)
    return Retriever.open(index, RulesLlm(), settings.retriever)


def _ranking(retriever: Retriever, question: str) -> tuple[tuple[str, float], ...]:
    return tuple((hit.sop, hit.score) for hit in retriever.find(question, HITS).hits)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
