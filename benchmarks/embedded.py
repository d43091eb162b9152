"""Searches a second of a program that embeds the index and imported numpy first: one BLAS thread against one per core.

    uv run python -m soprag.benchmarks.embedded ./plant
    uv run python -m soprag.benchmarks.embedded ./plant "pump does not start" --rounds 5

Each way is a process of its own, and asks eight questions at a time. The ratio is what counts: the two take turns.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from statistics import median

from soprag.benchmarks.conversation import QUESTIONS

_CODE = """
import sys, time, numpy, asyncio
from soprag import open_index
index = open_index(sys.argv[1])
async def ask(count):
    began = time.perf_counter()
    for _ in range(count):
        await asyncio.gather(*(index.asearch(question) for question in (sys.argv[2:] * 8)[:8]))
    return 8 * count / (time.perf_counter() - began)
asyncio.run(ask(2))
print(asyncio.run(ask(8)))
"""


def main() -> None:
    """Print both rates of all rounds, and the median of their ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", help="folder or postgresql:// URL of an index")
    parser.add_argument("questions", nargs="*", default=QUESTIONS, help="default: those of the conversation benchmark")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    clean = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    many = {"OPENBLAS_NUM_THREADS": str(os.cpu_count() or 2)}
    ratios = []
    for _ in range(options.rounds):
        one, all = (_rate(options.index, options.questions, clean | said) for said in ({}, many))
        ratios.append(one / all)
        sys.stdout.write(f"one thread (as it is): {one:.1f} searches/s, one per core: {all:.1f} searches/s\n")
    sys.stdout.write(f"median ratio {median(ratios):.2f}\n")


def _rate(index: str, questions: Sequence[str], environment: Mapping[str, str]) -> float:
    """Searches a second of a process with this environment."""
    command = [sys.executable, "-c", _CODE, index, *questions]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    main()
