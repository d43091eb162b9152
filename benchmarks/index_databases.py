"""Asks two copies of an index in different databases the same questions: are the rankings identical, and how long.

    soprag index add ../shared/data/runbooks --index runbooks-index
    soprag index move --index runbooks-index --to postgresql://...
    uv run python -m soprag.benchmarks.index_databases ../shared/data/runbooks runbooks-index postgresql://...

The two are asked in turn, so that both meet the same other load. Times are given twice: with all SOPs held in memory,
after the rankings were compared, and with none, so that every question reads what it scores from the database.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from soprag.apps import process

process.prepare()  # before numpy computes: one thread for BLAS

from soprag.apps.compose import services  # noqa: E402
from soprag.configs.settings import Settings, load  # noqa: E402
from soprag.tools.evaluation.retrieval.benchmark import read_benchmark  # noqa: E402
from soprag.tools.retriever.index.index import Index  # noqa: E402
from soprag.tools.retriever.query.retriever import Retriever  # noqa: E402
from soprag.tools.rules.adapter import RulesLlm  # noqa: E402

HITS = 20


def main() -> None:
    """Compare all rankings, and the times of every fifth question; exit code 1 when a ranking differs."""
    folder, *places = sys.argv[1:]
    questions = [query.text for query in read_benchmark(Path(folder)).queries]
    warm = [_opened(place, 1000) for place in places]
    identical = sum(len({_ranking(retriever, question) for retriever in warm}) == 1 for question in questions)
    sys.stdout.write(f"{identical} of {len(questions)} rankings identical\n")
    sys.stdout.write(f"all SOPs decoded in memory: {_times(warm, questions[::5])}\n")
    cold = [_opened(place, 0) for place in places]
    _times(cold, questions[:1])  # reads what is always kept in memory
    sys.stdout.write(f"every SOP read from the database: {_times(cold, questions[::5])}\n")
    for retriever in (*warm, *cold):
        retriever.index.close()
    sys.exit(identical != len(questions))


def _times(retrievers: Sequence[Retriever], questions: Sequence[str]) -> str:
    """Medians of the two, and of their ratios."""
    times = np.array([[_seconds(retriever, question) for retriever in retrievers] for question in questions])
    first, second = np.median(times, axis=0) * 1000
    return f"a search takes {first:.1f} and {second:.1f} ms, ratio {np.median(times[:, 1] / times[:, 0]):.2f}"


def _opened(place: str, decoded: int) -> Retriever:
    settings: Settings = load("offline", environment={})
    chosen = settings.index.model_copy(update={"decoded": decoded})
    index = Index.open(place, services.open_embedder(settings), chosen, create=False)
    return Retriever.open(index, RulesLlm(), settings.retriever)


def _ranking(retriever: Retriever, question: str) -> tuple[tuple[str, float], ...]:
    return tuple((hit.sop, hit.score) for hit in retriever.find(question, HITS).hits)


def _seconds(retriever: Retriever, question: str) -> float:
    began = time.perf_counter()
    retriever.find(question, HITS)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
