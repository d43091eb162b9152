"""Whether a long conversation stays as quick and as small as it began: time, state and disk over 200 turns.

    uv run python -m soprag.benchmarks.conversation                 200 turns on the example library, some minutes
    uv run python -m soprag.benchmarks.conversation --index ./plant --turns 1000

Prints the median time of a turn, the state and the checkpoint file per fifth of the session. Without a model, so that
only the graph, the retriever and the files are measured.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from soprag.apps.compose import troubleshooter
from soprag.apps.compose.example_index import example_library
from soprag.apps.compose.settings import open_settings
from soprag.apps.process import prepare
from soprag.configs.settings import Settings

QUESTIONS = (
    "leak alarm at a CDU, what now?",
    "what does step 3 of it say?",
    "how do I test the glycol concentration",
    "convert 5 bar to psi",
    "the hot aisle temperature alarm is active",
    "how is a cake baked",
)


def main() -> None:
    """Hold the conversation and print the table."""
    prepare()
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(options.index) if options.index else _library(Path(scratch))
        settings = open_settings("offline", {"index": {"folder": str(folder)}})
        rows = asyncio.run(converse(settings, Path(scratch) / "session", options.turns))
    for line in table(rows):
        sys.stdout.write(f"{line}\n")


async def converse(settings: Settings, folder: Path, turns: int) -> list[tuple[float, int, int]]:
    """Seconds, characters of the state and bytes of the checkpoint file, per turn."""
    from langchain_core.messages import HumanMessage

    from soprag.graphs.troubleshoot.state import TroubleshootInput

    rows = []
    async with troubleshooter.open_conversation(settings, folder) as session:
        for question in islice(cycle(QUESTIONS), turns):
            began = time.perf_counter()
            message = TroubleshootInput(messages=[HumanMessage(question)])
            state = await session.graph.ainvoke(message, session.config, durability="exit")
            seconds = time.perf_counter() - began
            size = sum(file.stat().st_size for file in folder.glob(f"{troubleshooter.CHECKPOINTS}*"))
            rows.append((seconds, len(str(state)), size))
    return rows


def table(rows: list[tuple[float, int, int]]) -> list[str]:
    """A line per fifth of the session."""
    fifth = max(len(rows) // 5, 1)
    lines = [f"{'turns':>12}{'median ms':>12}{'state kB':>12}{'file MB':>12}"]
    for start in range(0, len(rows), fifth):
        part = rows[start : start + fifth]
        median = statistics.median(seconds for seconds, _, _ in part) * 1000
        state = max(size for _, size, _ in part) / 1000
        turns = f"{start + 1}-{start + len(part)}"
        lines.append(f"{turns:>12}{median:>12.0f}{state:>12.0f}{part[-1][2] / 1e6:>12.1f}")
    return lines


def _library(scratch: Path) -> Path:
    """An index of the embedded library, made now."""
    from click.testing import CliRunner

    from soprag.apps.cli.main import soprag

    library = str(example_library())
    CliRunner().invoke(soprag, ["index", "add", library, "--index", str(scratch / "index")], catch_exceptions=False)
    return scratch / "index"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--index", help="folder of an index; without it one is made of the example library")
    parser.add_argument("--turns", type=int, default=200)
    return parser.parse_args()


if __name__ == "__main__":
    main()
