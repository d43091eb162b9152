"""What the selection by signs finds and saves where an index has many vectors; runs some seconds.

    soprag index add ../shared/data/runbooks --index runbooks-index
    uv run python -m soprag.benchmarks.nearest_scale runbooks-index --sizes 20000 100000 300000

The vectors are drawn from the normal distribution with the mean and the covariance of the passages of the index, and
the questions are passages of it with noise, to a cosine of 0.7. Printed for each number of vectors: milliseconds of the
processor for all cosines, as one matrix product of float32, and with the selection; and the share of the nearest 12 and
96 vectors that are among those selected.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from soprag.apps import process

process.prepare()  # before numpy computes: one thread for BLAS

import numpy as np  # noqa: E402

from soprag.tools.embedding import Vectors  # noqa: E402
from soprag.tools.retriever.index import codes  # noqa: E402
from soprag.tools.retriever.index.anchors import Matrix, count_anchors, read_anchors  # noqa: E402
from soprag.tools.retriever.index.codes import Codes  # noqa: E402
from soprag.tools.retriever.index.sqlite_store import FILE, SqliteStore  # noqa: E402

_AT_ONCE, _QUESTIONS, _WANTED = 20_000, 20, (12, 96)
_ROW = "{:>9} {:>14} {:>14} {:>14} {:>14}"


def main() -> None:
    """Print a row for each number of vectors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", help="folder of an index")
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 100_000, 300_000])
    options = parser.parse_args()
    real, rng = passages(Path(options.index)), np.random.default_rng(1)
    noisy = real[rng.choice(len(real), _QUESTIONS)] + rng.standard_normal((_QUESTIONS, real.shape[1])) / 384**0.5
    questions = _unit(noisy.astype(np.float32))
    heads = ("vectors", "all, ms", "selected, ms", *(f"of {wanted}, %" for wanted in _WANTED))
    sys.stdout.write(_ROW.format(*heads) + "\n")
    for size in options.sizes:
        figures = measured(drawn(real, size, rng), questions)
        sys.stdout.write(_ROW.format(size, *(f"{figure:.1f}" for figure in figures)) + "\n")
        sys.stdout.flush()


def passages(folder: Path) -> Vectors:
    """The vectors of all passages of an index."""
    store = SqliteStore(folder / FILE)
    with store.reading() as db:
        vectors = np.concatenate([rows for _, rows in read_anchors(db, sorted(count_anchors(db, "gist")), "passage")])
    store.close()
    return vectors


def drawn(real: Vectors, size: int, rng: np.random.Generator) -> Codes:
    """Vectors with the mean and the covariance of the real ones, as an index keeps them."""
    mean = real.mean(axis=0)
    _, spread, axes = np.linalg.svd(real - mean, full_matrices=False)
    shape = (spread[:, None] * axes / len(real) ** 0.5).astype(np.float32)
    parts = []
    for start in range(0, size, _AT_ONCE):
        some = rng.standard_normal((min(_AT_ONCE, size - start), len(shape)), dtype=np.float32)
        parts.append(codes.encode(_unit(mean + some @ shape), 8))
    return Codes(np.concatenate([part.packed for part in parts]), np.concatenate([part.scales for part in parts]), 8)


def measured(coded: Codes, questions: Vectors) -> list[float]:
    """The figures of one row."""
    matrix, whole = Matrix.of("gist", np.arange(len(coded)), coded), coded.vectors()
    every = [whole @ question for question in questions]
    shares = []
    for wanted in _WANTED:
        found = [
            len(_best(cosines, wanted) & matrix.search(question, wanted).keys())
            for cosines, question in zip(every, questions, strict=True)
        ]
        shares.append(100 * sum(found) / (wanted * len(questions)))
    times = [
        _median(lambda question: whole @ question, questions),
        _median(lambda one: matrix.search(one, 96), questions),
    ]
    return times + shares


def _best(cosines: Vectors, count: int) -> set[int]:
    return set(np.argpartition(-cosines, count)[:count].tolist())


def _median(work: Callable[[Vectors], object], questions: Vectors) -> float:
    times = []
    for question in questions:
        began = time.process_time()
        work(question)
        times.append(1000 * (time.process_time() - began))
    return float(np.median(times))


def _unit(rows: Vectors) -> Vectors:
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


if __name__ == "__main__":
    main()
