"""Searches a second of a program that embeds the index and imported numpy first: one BLAS thread against one per core.

    uv run python -m soprag.benchmarks.embedded ./plant QUESTION ...

Each way is a process of its own, and asks eight questions at a time. The ratio is what counts: the two take turns.
"""

import os
import subprocess
import sys

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
    """Print both rates of three rounds."""
    clean = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    ways = {"one thread (as it is)": {}, "one per core": {"OPENBLAS_NUM_THREADS": str(os.cpu_count() or 2)}}
    for _ in range(3):
        for name, said in ways.items():
            command = [sys.executable, "-c", _CODE, *sys.argv[1:]]
            done = subprocess.run(command, env=clean | said, capture_output=True, text=True, check=True)
            sys.stdout.write(f"{name}: {float(done.stdout):.1f} searches/s\n")


if __name__ == "__main__":
    main()
