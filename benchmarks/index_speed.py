"""What indexing costs beside the embedding model, and what a question costs on the index: on real SOPs, real weights.

    uv run python -m soprag.benchmarks.index_speed                       the embedded example library
    uv run python -m soprag.benchmarks.index_speed ../shared/data/runbooks ../shared/data/observatory

Processor time of this one thread, so that what others do on the machine counts little. Questions are those of the
benchmark folder, or the titles of the SOPs where there are none.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from soprag.apps import process

process.prepare()  # before numpy is imported: one thread for BLAS

from soprag.apps.compose.index import extraction  # noqa: E402
from soprag.apps.compose.sources import LocalReading, read_source  # noqa: E402
from soprag.configs.settings import Settings, load  # noqa: E402
from soprag.tools.embedding import Tokens, Vectors  # noqa: E402
from soprag.tools.embedding.minilm import MiniLm  # noqa: E402
from soprag.tools.retriever.index.index import Index  # noqa: E402
from soprag.tools.retriever.query.retriever import Retriever  # noqa: E402
from soprag.tools.rules.adapter import RulesLlm  # noqa: E402
from soprag.tools.sop import Sop  # noqa: E402

LIBRARY = "examples/library"
WARM = 20  # questions before the clock starts


@dataclass
class Clocked(MiniLm):
    """MiniLM that adds up its own time, in seconds."""

    seconds: float = 0.0

    def embed(self, texts: list[str]) -> Vectors:
        """As MiniLM does."""
        began = time.thread_time()
        vectors = super().embed(texts)
        self.seconds += time.thread_time() - began
        return vectors

    def tokens(self, texts: list[str]) -> list[Tokens]:
        """As MiniLM does."""
        began = time.thread_time()
        tokens = super().tokens(texts)
        self.seconds += time.thread_time() - began
        return tokens


def main() -> None:
    """Measure every source named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", default=[LIBRARY], help="folders of documents, or benchmarks")
    for source in parser.parse_args().sources:
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(measured(Path(source), Path(folder)) + "\n")


def measured(source: Path, folder: Path) -> str:
    """Index `source` into `folder`, ask its questions, and say what it took."""
    settings, llm, embedder = load(environment={}), RulesLlm(), Clocked()
    embedder.embed(["the weights are loaded"])
    sops = asyncio.run(read_source(source, LocalReading(settings, llm), lambda _: None)).sops
    index = Index.open(folder, embedder, settings.index)
    embedder.seconds, began = 0.0, time.process_time()
    asyncio.run(_add(index, sops, settings))
    total = time.process_time() - began
    ratio = f"index {len(sops)} SOPs: {total:.1f} s, of it embedding {embedder.seconds:.1f} s, "
    ratio += f"ratio {total / embedder.seconds:.2f}"
    timings = _asked(Retriever.open(index, llm, settings.retriever), _questions(source, sops))
    index.close()
    return f"{source}\n  {ratio}\n  {timings}"


async def _add(index: Index, sops: list[Sop], settings: Settings) -> None:
    async for outcome in index.add(sops, extraction(settings, RulesLlm())):
        assert outcome.event in {"added", "unchanged"}, outcome


def _asked(retriever: Retriever, questions: list[str]) -> str:
    times, stages = [], []
    for question in [*questions[:WARM], *questions]:
        began = time.thread_time()
        stages.append(asyncio.run(retriever.search(question)).seconds)
        times.append(time.thread_time() - began)
    times, stages = times[WARM:], stages[WARM:]
    names = {name: statistics.median(stage.get(name, 0) for stage in stages) for name in stages[0]}
    parts = ", ".join(f"{name} {1000 * seconds:.1f}" for name, seconds in names.items())
    rate = len(times) / sum(times)
    return f"{len(times)} questions: median {1000 * statistics.median(times):.1f} ms, {rate:.0f}/s ({parts} ms wall)"


def _questions(source: Path, sops: list[Sop]) -> list[str]:
    file = source / "queries.jsonl"
    if not file.is_file():
        return [sop.title for sop in sops]
    return [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
