"""From `git clone` to the first useful answer: the commands of a new user, each with its seconds.

    uv run python -m soprag.benchmarks.first_answer

Clones this repository into a new folder, installs it there, asks a question twice (the first one indexes the example
library) and prints a table. Packages that uv has in its cache are not fetched again: with an empty cache add the time
to fetch 1 GB. The ratio is to `python -c "import numpy, onnxruntime"` on the same machine at the same moment.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUESTION = "coolant pump P1 tripped, low flow"
ROOT = Path(__file__).resolve().parents[1]
_BASE = (sys.executable, "-c", "import numpy, onnxruntime")


def main() -> None:
    """Run the commands and print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ask = ("uv", "run", "--quiet", "soprag", "ask", QUESTION)
        base = min(seconds(_BASE, folder, folder) for _ in range(3))
        rows = [
            ("git clone", seconds(("git", "clone", "--quiet", str(ROOT), "soprag"), folder, folder)),
            ("uv sync", seconds(("uv", "sync", "--quiet"), folder / "soprag", folder)),
            ("soprag ask, which indexes the example library", seconds(ask, folder / "soprag", folder)),
            ("soprag ask, the second time", seconds(ask, folder / "soprag", folder)),
        ]
    for line in table(rows, base):
        sys.stdout.write(f"{line}\n")


def table(rows: list[tuple[str, float]], base: float) -> list[str]:
    """The Markdown table; the last command is not part of the way to the first answer."""
    first = ("to the first answer", sum(spent for _, spent in rows[:-1]))
    body = [f"| {name} | {spent:.0f} | {spent / base:.0f} |" for name, spent in (*rows, first)]
    return ["| command | seconds | ratio |", "|---|---|---|", *body]


def seconds(command: tuple[str, ...], where: Path, cache: Path) -> float:
    """How long the command takes; `cache` is where the example index is kept. A command that fails ends the program."""
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "OPENAI_API_KEY")}
    began = time.perf_counter()
    subprocess.run(
        command, cwd=where, env=environment | {"SOPRAG_RUN__CACHE": str(cache / "cache")}, check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
