"""How long a command takes from Enter to its first words and to its end, beside the import of numpy and onnxruntime.

    uv run python -m soprag.benchmarks.start_up              five times each, on the example library
    uv run python -m soprag.benchmarks.start_up --times 20

The first words of `soprag ask` are the titles of the nearest procedures, which it names before it answers. Prints the
shortest of the runs in seconds, as a ratio to `python -c "import numpy, onnxruntime"` (the part that every
search needs), and its processor time, which other work on the machine changes less.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

QUESTION = "coolant pump P1 tripped, low flow"
_FIRST = {
    "soprag search": b" 1. ",
    "soprag ask": b"Nearest: ",
}  # behind a notice
_SOPRAG = (sys.executable, "-c", "from soprag.apps.cli.main import main; main()")
COMMANDS: dict[str, tuple[str, ...]] = {
    "import numpy, onnxruntime": (sys.executable, "-c", "import numpy, onnxruntime"),
    "soprag --help": (*_SOPRAG, "--help"),
    "soprag search": (*_SOPRAG, "search", QUESTION),
    "soprag ask": (*_SOPRAG, "ask", QUESTION),
}


@dataclass(frozen=True)
class RunTime:
    """Seconds of one process: to its first words on the screen, to its end, and of processor time."""

    first: float
    end: float
    processor: float


def main() -> None:
    """Run every command and print the table."""
    parser = argparse.ArgumentParser(description="Start-up time of the commands.")
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        best = {
            name: _shortest(command, times, Path(folder), _FIRST.get(name, b"")) for name, command in COMMANDS.items()
        }
    for line in table(best):
        sys.stdout.write(f"{line}\n")


def table(best: dict[str, RunTime]) -> list[str]:
    """The Markdown table; the first command is the one that the others are compared to."""
    base = next(iter(best.values()))
    rows = [
        f"| `{name}` | {run.first:.2f} | {run.end:.2f} | {run.end / base.end:.1f} | {run.processor:.2f} | "
        f"{run.processor / base.processor:.1f} |"
        for name, run in best.items()
    ]
    return ["| command | first words, s | end, s | ratio | processor, s | ratio |", "|---|---|---|---|---|---|", *rows]


def _shortest(command: tuple[str, ...], times: int, folder: Path, words: bytes) -> RunTime:
    measured(command, folder, words)  # compiles what was never imported, and indexes the example library
    runs = [measured(command, folder, words) for _ in range(times)]
    return RunTime(min(r.first for r in runs), min(r.end for r in runs), min(r.processor for r in runs))


def measured(command: tuple[str, ...], folder: Path, words: bytes) -> RunTime:
    """One run of the command in `folder`; its first words are the first line with `words` in it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, began = os.times(), time.perf_counter()
    none, pipe, both = subprocess.DEVNULL, subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=none, stdout=pipe, stderr=both) as process:
        assert process.stdout is not None
        next((line for line in process.stdout if words in line), b"")
        first = time.perf_counter() - began
        process.stdout.read()
    end, after = time.perf_counter() - began, os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return RunTime(first, end, spent)


if __name__ == "__main__":
    main()
