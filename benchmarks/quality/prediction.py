"""Generated questions on the SOPs of a benchmark with real questions, and whether they rank systems alike."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from soprag.agents.examiner import Examiner
from soprag.tools.errors import NothingFound
from soprag.tools.evaluation.agreement import QuestionAgreement, compare_questions
from soprag.tools.evaluation.panel import PanelMeasurement, try_panel
from soprag.tools.evaluation.retrieval.benchmark import Benchmark, benchmark_of
from soprag.tools.questions import Corpus
from soprag.tools.questions.statistics import without_repeats
from soprag.tools.sop import digest
from soprag.tools.store.run_folder import write_whole
from soprag.tools.store.run_records import Examined

WHEN_BUSY = 8  # SOPs examined at once


def measure_prediction(
    real: Benchmark, examiner: Examiner, panel: PanelMeasurement
) -> tuple[QuestionAgreement, Benchmark]:
    """The agreement on one benchmark, and the benchmark with the generated questions in place of the real ones."""
    generated, wanted = asyncio.run(generate(real, examiner))
    if not generated.queries:
        raise NothingFound(f"No question could be generated for the SOPs of {real.name!r}.")
    systems, close = panel.open_systems()
    try:
        trials = [try_panel(benchmark, systems, panel.plan.k) for benchmark in (real, generated)]
    finally:
        close()
    return compare_questions(trials[0], trials[1], wanted), generated


def some_sops(real: Benchmark, count: int | None, seed: int) -> Benchmark:
    """The benchmark with the questions of `count` of its asked SOPs only, drawn by `seed`; its corpus stays whole."""
    asked = sorted(_asked(real), key=lambda sop: digest(f"{seed} {sop}"))
    drawn = set(asked[:count])
    return replace(real, queries=tuple(query for query in real.queries if drawn & set(query.relevant)))


def write_questions(file: Path, benchmark: Benchmark) -> None:
    """Write the questions of `benchmark` as JSON lines with their SOP and level."""
    rows = [
        {"_id": query.id, "text": query.text, "metadata": {"level": query.level, "sop": next(iter(query.relevant))}}
        for query in benchmark.queries
    ]
    write_whole(file, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())


async def generate(real: Benchmark, examiner: Examiner) -> tuple[Benchmark, int]:
    """Questions of `examiner` on every SOP that has real questions, and how many were wanted."""
    corpus = Corpus(tuple(sorted(real.corpus, key=lambda sop: sop.id)), examiner.embedder)
    asked = sorted(_asked(real))
    gate = asyncio.Semaphore(WHEN_BUSY)

    async def examine(id: str) -> Examined:
        async with gate:
            return await examiner.examine(corpus.sop(id), corpus)

    examined = without_repeats(await asyncio.gather(*(examine(id) for id in asked)))
    questions = [question for each in examined for question in each.questions]
    queries = benchmark_of(real.corpus, questions, real.path).queries
    return replace(real, queries=queries), sum(each.wanted for each in examined)


def _asked(real: Benchmark) -> set[str]:
    return {sop for query in real.queries for sop in query.relevant}
