"""How the index grows: cost of adding, time of each read, memory and disk with 1,000, 10,000 and 100,000 SOPs.

    uv run python -m soprag.benchmarks.index_scale                       1k and 10k, about three minutes
    uv run python -m soprag.benchmarks.index_scale --sizes 1000 10000 100000 --folder /tmp/scale --json scale.json
    uv run python -m soprag.benchmarks.index_scale --sizes 10000 --full-text 100000 1000000

The SOPs are synthetic and their vectors are hash projections (MiniLM would take hours for 100,000 SOPs), so that only
the index is measured: the time of an embedding model and of the extraction comes on top and does not grow with size.
`--full-text` copies the postings of the largest index up to further sizes: every term keeps its share of the SOPs.
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from soprag.benchmarks.synthetic import HashEmbedder, Plant
from soprag.configs.settings import load
from soprag.tools.retriever.index import bm25
from soprag.tools.retriever.index.index import Extraction, Index
from soprag.tools.retriever.index.sqlite_store import FILE, SqliteStore
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Sop, Views
from soprag.tools.text.terms import terms

PLANT = Plant()
EMBEDDER = HashEmbedder()
QUERIES = 60
CANDIDATES = 30
BULK = 1000  # SOPs in one transaction while the index grows


def main() -> None:
    """Grow an index from size to size and measure it at each."""
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(options.folder or scratch)
        rows = [measured(folder, size) for size in sorted(options.sizes)]
        for size in options.full_text:
            sys.stdout.write(f"full text of {size} SOPs by copies: {full_text(folder, size):.1f} ms\n")
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    for name in rows[0]:
        sys.stdout.write(f"{name:32}" + "".join(f"{row[name]:>14,.2f}" for row in rows) + "\n")


def measured(folder: Path, size: int) -> dict[str, float]:
    """Grow the index in `folder` to `size` SOPs and measure it in a process of its own."""
    grown = _in_a_process("grow", folder, size)
    return {"SOPs": size, **grown, **_in_a_process("read", folder, size)}


def grow(folder: Path, size: int) -> dict[str, float]:
    """Fill up to `size`, then add, change and remove 30 SOPs one by one."""
    index = _opened(folder, BULK)
    began, before = time.process_time(), index.size
    asyncio.run(_add(index, range(before, size)))
    index.close()
    index = _opened(folder)
    bulk = (time.process_time() - began) / max(size - before, 1)
    extra = range(10**6, 10**6 + 30)
    singles = [_worked(partial(_add_one, index, number)) for number in extra]
    removals = [_worked(partial(index.remove, [f"sop-{number:06}"])) for number in extra]
    return {
        "add in bulk, CPU ms per SOP": 1000 * bulk,
        "add one, CPU ms": 1000 * statistics.median(singles),
        "remove one, CPU ms": 1000 * statistics.median(removals),
        "disk, MB": sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6,
    }


def read(folder: Path, size: int) -> dict[str, float]:
    """Open the index and read what one question reads, for questions on random SOPs."""
    began = time.perf_counter()
    index = _opened(folder)
    questions = [PLANT.question(number * size // QUERIES) for number in range(QUERIES)]
    vectors = EMBEDDER.embed(questions)
    index.nearest(vectors[0], CANDIDATES)
    index.nearest(vectors[0], CANDIDATES, "passage")
    index.full_text(terms(questions[0]), CANDIDATES)
    opened = time.perf_counter() - began
    expected = {f"sop-{number * size // QUERIES:06}": sample for sample, number in enumerate(range(QUERIES))}
    hits = sum(
        id
        in {
            candidate
            for candidate, _ in (*index.nearest(vectors[sample], 20), *index.full_text(terms(questions[sample]), 20))
        }
        for id, sample in expected.items()
    )
    ids = [[id for id, _ in index.full_text(terms(question), CANDIDATES)] for question in questions]
    retriever = Retriever.open(index, RulesLlm(), load(environment={}).retriever)
    stages: dict[str, Callable[[int], object]] = {
        "nearest gist, ms": lambda sample: index.nearest(vectors[sample], CANDIDATES),
        "nearest passage, ms": lambda sample: index.nearest(vectors[sample], CANDIDATES, "passage"),
        "full text, ms": lambda sample: index.full_text(terms(questions[sample]), CANDIDATES),
        "frequencies, ms": lambda sample: index.frequencies(terms(questions[sample])),
        "elements of 30, first time, ms": lambda sample: index.elements(ids[sample]),
        "elements of 30, again, ms": lambda sample: index.elements(ids[sample]),
        "whole search, ms": lambda sample: retriever.find(questions[sample]),
    }
    times = {name: _median(stage) for name, stage in stages.items()}
    share = 100 * hits / QUERIES
    return {"open and first answer, s": opened, **times, "found among 40 anchors, %": share, **_memory()}


def full_text(folder: Path, size: int) -> float:
    """Milliseconds of BM25 for a question, with the postings of the index in `folder` copied up to `size` SOPs."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        database = SqliteStore(Path(scratch) / FILE)
        database.here.execute("ATTACH ? AS grown", (str(folder / FILE),))
        sops, highest = database.here.execute("SELECT count(*), max(number) FROM grown.sop").fetchone()
        with database.transaction() as db:
            for copy in range(-(-size // sops)):
                _copy(db, copy, copy * (highest // bm25.BLOCK + 1))
            db.execute("INSERT INTO change (number, gone) VALUES (1, 0)")
        ranking = bm25.FullText()
        questions = [terms(PLANT.question(number * sops // QUERIES)) for number in range(QUERIES)]
        ranking.score(database.here, questions[0])
        milliseconds = _median(lambda sample: ranking.score(database.here, questions[sample]).best(CANDIDATES))
        database.close()
    return milliseconds


def _copy(db: sqlite3.Connection, copy: int, blocks: int) -> None:
    """Once more all postings and lengths of the attached index, `blocks` blocks further on."""
    query = "INSERT INTO posting SELECT id + ?, records, counts FROM grown.posting"
    db.execute(query, (blocks * bm25.BUCKETS,))
    columns = "number + ?, id || ?, '', '', '', '', 1, '', '', length, 0, posted"
    db.execute(f"INSERT INTO sop SELECT {columns} FROM grown.sop", (blocks * bm25.BLOCK, f" {copy}"))


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


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _worked(work: Callable[[], object]) -> float:
    """Seconds of processor time: what others do on the machine does not count."""
    began = time.process_time()
    work()
    return time.process_time() - began


def _median(stage: Callable[[int], object]) -> float:
    return 1000 * statistics.median([_timed(partial(stage, number)) for number in range(QUERIES)])


def _in_a_process(what: str, folder: Path, size: int) -> dict[str, float]:
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
    ]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--full-text", type=int, nargs="+", default=[], help="sizes up to which postings are copied")
    parser.add_argument("--folder", help="where the index is made and left; default: a folder that is removed")
    parser.add_argument("--json", help="also write the figures to this file")
    parser.add_argument("--part", choices=["grow", "read"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        part = {"grow": grow, "read": read}[options.part]
        sys.stdout.write(json.dumps(part(Path(options.folder), options.sizes[0])))
        sys.exit()
    return options


if __name__ == "__main__":
    main()
