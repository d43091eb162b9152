"""How questions take their words from the SOP that answers them, by level.

`python -m soprag.benchmarks.quality.question_words DIR [FILE]` reads a benchmark folder in BEIR layout, and with FILE
the questions that `soprag measure questions --real DIR --keep FILE` wrote in place of those of the folder.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.evaluation.retrieval.benchmark import Benchmark, read_benchmark
from soprag.tools.questions.corpus import Corpus, passages
from soprag.tools.sop import Sop
from soprag.tools.text.terms import terms

Shares = NDArray[np.float64]

SHARES = ("words", "pairs", "passage", "ahead")


def shares(text: str, sop: Sop, corpus: Corpus) -> Shares:
    """The four numbers named by `SHARES`, each in [-1, 1]; all but the second are weighted by rarity.

    The share of words that the SOP has; of adjacent content words that stand side by side in one of its lines; of words
    that its best passage has; the first minus that of the best sibling.
    """
    stems = set(terms(text))
    total = sum(map(corpus.rarity, stems)) or 1.0
    best = max(sum(map(corpus.rarity, stems & set(terms(passage)))) for passage in passages(sop))
    words = corpus.coverage(text, sop)
    sibling = max((corpus.coverage(text, each) for each in corpus.siblings(sop.id)), default=0.0)
    return np.array([words, corpus.quoted(text, sop), best / total, words - sibling])


def measure(corpus: Corpus, asked: Sequence[tuple[str, str, str]]) -> dict[str, Shares]:
    """Level -> the mean shares of the questions, each given as its level, text and SOP id."""
    rows: dict[str, list[Shares]] = defaultdict(list)
    for level, text, sop in asked:
        rows[level].append(shares(text, corpus.sop(sop), corpus))
    return {level: np.mean(each, axis=0) for level, each in rows.items()}


def _asked(benchmark: Benchmark, kept: Path | None) -> Iterator[tuple[str, str, str]]:
    if kept is None:
        yield from ((query.level, query.text, next(iter(query.relevant))) for query in benchmark.queries)
        return
    for line in kept.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["metadata"]["level"], row["text"], row["metadata"]["sop"]


def main(arguments: Sequence[str]) -> None:
    """Print one line for each level."""
    benchmark, kept = read_benchmark(Path(arguments[0])), Path(arguments[1]) if len(arguments) > 1 else None
    sys.stdout.write(f"{'level':<12}" + "".join(f"{name:>9}" for name in SHARES) + "\n")
    for level, row in measure(Corpus(benchmark.corpus, MiniLm()), list(_asked(benchmark, kept))).items():
        sys.stdout.write(f"{level:<12}" + "".join(f"{value:>9.2f}" for value in row) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
