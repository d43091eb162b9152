"""How the index grows: cost of adding, time of each read, memory and disk with 1,000, 10,000 and 100,000 SOPs.

    uv run python -m soprag.benchmarks.index_scale                       1k and 10k, about three minutes
    uv run python -m soprag.benchmarks.index_scale --sizes 1000 10000 100000 --folder /tmp/scale --json scale.json
    uv run python -m soprag.benchmarks.index_scale --sizes 10000 --full-text 100000 1000000

The SOPs are synthetic and their vectors are hash projections (MiniLM would take hours for 100,000 SOPs), so that only
the index is measured: the time of an embedding model and of the extraction comes on top and does not grow with size.
Times are those of the processor, and do not hold what other programs of the machine do, nor waiting for the disk.
The first `--written` SOPs are added one like the other; all further ones are variations of them (`index_copies.py`).
`--full-text` does so with the postings alone: every term keeps its share of the SOPs.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from soprag.benchmarks.index_copies import multiply, multiply_postings
from soprag.benchmarks.statements import noted_statements
from soprag.benchmarks.synthetic import HashEmbedder, Plant
from soprag.configs.settings import load
from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index import bm25
from soprag.tools.retriever.index.anchors import Anchor, read_anchors
from soprag.tools.retriever.index.bm25 import Gains, Scored, WeighedTerm
from soprag.tools.retriever.index.index import Extraction, Index
from soprag.tools.retriever.index.postings import Integers
from soprag.tools.retriever.index.sqlite_store import FILE, SqliteStore
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Sop, Views
from soprag.tools.text.terms import terms

PLANT = Plant()
EMBEDDER = HashEmbedder()
QUERIES = 60
CANDIDATES = 30
NEAR = 12  # candidates of a search by each kind of vector
_BY: tuple[Anchor, ...] = ("gist", "passage")
BULK = 1000  # SOPs in one transaction while the index grows


def main() -> None:
    """Grow an index from size to size and measure it at each."""
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(options.folder or scratch)
        rows = [measured(folder, size, options.written) for size in sorted(options.sizes)]
        more = [{"SOPs": float(size), **full_text(folder, size)} for size in options.full_text]
    if options.json:
        Path(options.json).write_text(json.dumps([*rows, *more], indent=1), encoding="utf-8")
    sys.stdout.write(_table(rows) + _table(more))


def _table(rows: list[dict[str, float]]) -> str:
    """A line for each figure, with its ratio between the largest and the smallest index."""
    lines = [
        f"{name:36}"
        + "".join(f"{row[name]:>14,.2f}" for row in rows)
        + f"{rows[-1][name] / (rows[0][name] or 1):>10.2f}"
        for name in (rows[0] if rows else ())
    ]
    return "".join(line + "\n" for line in lines)


def measured(folder: Path, size: int, written: int) -> dict[str, float]:
    """Grow the index in `folder` to `size` SOPs and measure it in a process of its own."""
    grown = _in_a_process("grow", folder, size, written)
    return {"SOPs": size, **grown, **_in_a_process("read", folder, size, written)}


def grow(folder: Path, size: int, written: int) -> dict[str, float]:
    """Fill up to `size`, then add and remove 30 SOPs one by one."""
    index = _opened(folder, BULK)
    began, before = time.process_time(), index.size
    asyncio.run(_add(index, range(before, min(size, written))))
    bulk = (time.process_time() - began) / max(index.size - before, 1)
    index.close()
    multiply(folder, size)
    index = _opened(folder)
    index.remove([])  # brings Chroma up to date, if there is one
    extra = range(10**6, 10**6 + 30)
    singles = [_worked(partial(_add_one, index, number)) for number in extra]
    removals = [_worked(partial(index.remove, [f"sop-{number:06}"])) for number in extra]
    sent = _statements(index, lambda: _add(index, extra[:1])) - _statements(index, lambda: _add(index, ()))
    index.remove([f"sop-{extra[0]:06}"])
    disk = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return {
        "add in bulk, CPU ms per SOP": 1000 * bulk,
        "add one, CPU ms": 1000 * statistics.median(singles),
        "remove one, CPU ms": 1000 * statistics.median(removals),
        "add one, statements": sent,
        "disk, MB": disk / 1e6,
        "disk, kB per SOP": disk / 1e3 / size,
    }


def read(folder: Path, size: int, written: int) -> dict[str, float]:
    """Open the index and read what one question reads, for questions on SOPs that were written."""
    began = time.perf_counter()
    index = _opened(folder)
    about = [number * min(size, written) // QUERIES for number in range(QUERIES)]
    questions = [PLANT.question(number) for number in about]
    vectors = EMBEDDER.embed(questions)
    index.nearest(vectors[0], CANDIDATES)
    index.nearest(vectors[0], CANDIDATES, "passage")
    index.full_text(terms(questions[0]), CANDIDATES)
    opened = time.perf_counter() - began
    found = [
        {id for id, _ in (*index.nearest(vector, 20), *index.full_text(terms(question), 20))}
        for question, vector in zip(questions, vectors, strict=True)
    ]
    share = 100 * sum(f"sop-{number:06}" in ids for number, ids in zip(about, found, strict=True)) / QUERIES
    ids = [[id for id, _ in index.full_text(terms(question), CANDIDATES)] for question in questions]
    retriever = Retriever.open(index, RulesLlm(), load(environment={}).retriever)
    stages: dict[str, Callable[[int], object]] = {
        "nearest gist, CPU ms": lambda sample: index.nearest(vectors[sample], CANDIDATES),
        "nearest passage, CPU ms": lambda sample: index.nearest(vectors[sample], CANDIDATES, "passage"),
        "full text, CPU ms": lambda sample: index.full_text(terms(questions[sample]), CANDIDATES),
        "elements of 30, first time, CPU ms": lambda sample: index.elements(ids[sample]),
        "elements of 30, again, CPU ms": lambda sample: index.elements(ids[sample]),
        "whole search, CPU ms": lambda sample: retriever.find(questions[sample]),
    }
    times = {name: _median(stage) for name, stage in stages.items()}
    times["whole search, statements"] = _statements(index, lambda: retriever.search(questions[1]))
    scored = [index.scored(terms(question)) for question in questions]
    figures = {"open and first answer, s": opened, **times, **_selection(scored)}
    figures |= {"found among 40 anchors, %": share, **_memory()}
    return figures | {f"found of the nearest {NEAR} by {by}, %": _found(index, vectors, by) for by in _BY}


def _found(index: Index, questions: Vectors, by: Anchor) -> float:
    """The share of the SOPs with the largest cosines that `Index.nearest` finds."""
    with index.database.reading() as db:
        ids = dict(db.execute("SELECT number, id FROM sop").fetchall())
        anchors = read_anchors(db, sorted(ids), by)
        every = [(ids[number], (rows @ questions.T).max(axis=0)) for number, rows in anchors]
    cosines = np.stack([cosine for _, cosine in every])
    nearest = np.argsort(-cosines, axis=0)[:NEAR]
    shares = [
        len({every[row][0] for row in nearest[:, question]} & {id for id, _ in index.nearest(vector, NEAR, by)})
        for question, vector in enumerate(questions)
    ]
    return 100 * sum(shares) / (len(questions) * min(NEAR, len(every)))


def _selection(scored: Sequence[Scored]) -> dict[str, float]:
    """What the best SOPs by BM25 take, found as they are and by scoring all; both must be the same."""
    for one in scored:
        assert one.best(CANDIDATES) == _of_all(one), "the best are not those of all scores"
    with _counted() as postings:
        best = _median(lambda sample: scored[sample].best(CANDIDATES))
    every = sum(len(term.numbers) for one in scored for term in one.terms)
    return {
        "best by BM25, CPU ms": best,
        "the same by scoring all, CPU ms": _median(lambda sample: _of_all(scored[sample])),
        "postings of a question": every / len(scored),
        "of these scored, %": 100 * sum(postings) / every,
    }


def _of_all(scored: Scored) -> dict[int, float]:
    """The best SOPs by BM25, from the scores of all."""
    sums = np.zeros(max((int(term.numbers[-1]) for term in scored.terms), default=0) + 1)
    for term in scored.terms:
        sums[term.numbers] += term.gains(slice(None))
    numbers = np.flatnonzero(sums)
    if len(numbers) > CANDIDATES:
        numbers = numbers[sums[numbers] >= np.partition(sums[numbers], -CANDIDATES)[-CANDIDATES]]
    return dict(zip(numbers.tolist(), sums[numbers].tolist(), strict=True))


@contextmanager
def _counted() -> Iterator[list[int]]:
    """How many postings each call of `WeighedTerm.gains` scores inside."""
    gains, scored = WeighedTerm.gains, list[int]()

    def noted(term: WeighedTerm, places: slice | Integers) -> Gains:
        found = gains(term, places)
        scored.append(len(found))
        return found

    WeighedTerm.gains = noted  # type: ignore[method-assign, assignment]
    try:
        yield scored
    finally:
        WeighedTerm.gains = gains  # type: ignore[method-assign]


def _statements(index: Index, work: Callable[[], Coroutine[Any, Any, object]]) -> int:
    """How many SQL statements `work` sends."""
    with noted_statements(index.database) as sent:
        asyncio.run(work())
    return len(sent)


def full_text(folder: Path, size: int) -> dict[str, float]:
    """BM25 for a question, with the postings of the index in `folder` copied up to `size` SOPs."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        multiply_postings(folder, Path(scratch), size)
        database, ranking = SqliteStore(Path(scratch) / FILE), bm25.FullText()
        questions = [terms(PLANT.question(number)) for number in range(QUERIES)]
        ranking.score(database.here, questions[0])
        read = _median(lambda sample: ranking.score(database.here, questions[sample]))
        scored = [ranking.score(database.here, question) for question in questions]
        database.close()
    return {"read the postings, CPU ms": read, **_selection(scored)}


def _memory() -> dict[str, float]:
    """Megabytes: of the process itself, and with the pages of the file that the system may take back."""
    facts = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines())
    private, resident = (int(facts[name].split()[0]) / 1000 for name in ("RssAnon", "VmRSS"))
    return {"memory, MB": private, "with mapped file, MB": resident}


def _add_one(index: Index, number: int) -> None:
    asyncio.run(_add(index, [number]))


async def _add(index: Index, numbers: Any) -> None:  # noqa: ANN401 - a range or a list
    async for outcome in index.add(_sops(numbers), Extraction("synthetic", _views)):
        assert outcome.event in {"added", "unchanged"}, outcome


def _sops(numbers: Any) -> Iterator[Sop]:  # noqa: ANN401 - as above
    return (_written(number)[0] for number in numbers)


async def _views(sop: Sop) -> Views:
    return _written(int(sop.id.removeprefix("sop-")))[1]


@lru_cache(2 * BULK)  # asked for as an SOP and again for its views
def _written(number: int) -> tuple[Sop, Views]:
    return PLANT.write(number)


def _opened(folder: Path, window: int = 32) -> Index:
    return Index.open(folder, EMBEDDER, load(options={"index": {"window": window}}, environment={}).index)


def _worked(work: Callable[[], object]) -> float:
    """Seconds of processor time: what others do on the machine does not count."""
    began = time.process_time()
    work()
    return time.process_time() - began


def _median(stage: Callable[[int], object]) -> float:
    return 1000 * statistics.median([_worked(partial(stage, number)) for number in range(QUERIES)])


def _in_a_process(what: str, folder: Path, size: int, written: int) -> dict[str, float]:
    command = [
        sys.executable,
        "-m",
        "soprag.benchmarks.index_scale",
        "--part",
        what,
        "--folder",
        str(folder),
        "--sizes",
        str(size),
        "--written",
        str(written),
    ]
    one_thread = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=one_thread)
    return dict(json.loads(done.stdout))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--written", type=int, default=4000, help="SOPs that are written; the others are variations")
    parser.add_argument("--full-text", type=int, nargs="+", default=[], help="sizes up to which postings are copied")
    parser.add_argument("--folder", help="where the index is made and left; default: a folder that is removed")
    parser.add_argument("--json", help="also write the figures to this file")
    parser.add_argument("--part", choices=["grow", "read"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        part = {"grow": grow, "read": read}[options.part]
        sys.stdout.write(json.dumps(part(Path(options.folder), options.sizes[0], options.written)))
        sys.exit()
    return options


if __name__ == "__main__":
    main()
