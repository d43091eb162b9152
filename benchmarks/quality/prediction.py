"""Generated questions on the SOPs of a benchmark with real questions, and whether they rank systems alike."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from soprag.agents.examiner import Examiner
from soprag.tools.errors import NothingFound
from soprag.tools.evaluation.agreement import QuestionAgreement, compare_questions
from soprag.tools.evaluation.panel import PanelMeasurement, PanelTrials, try_panel
from soprag.tools.evaluation.retrieval.benchmark import Benchmark, benchmark_of
from soprag.tools.evaluation.retrieval.systems import System
from soprag.tools.questions import Corpus
from soprag.tools.questions.statistics import without_repeats
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.rules.questions import write
from soprag.tools.sop import digest
from soprag.tools.store.run_folder import write_whole
from soprag.tools.store.run_records import Examined
from soprag.tools.tasks.benchmark import QuestionsAsk
from soprag.tools.tasks.task import Answer, Ask, Task

WHEN_BUSY = 8  # SOPs examined at once


@dataclass(frozen=True)
class DrawnRules(RulesLlm):
    """The rules with other random choices in their questions."""

    draw: int = 0

    async def ask(self, task: Task[Ask, Answer], inputs: Ask) -> Answer:
        """Questions of this draw; every other task as the rules answer it."""
        if isinstance(inputs, QuestionsAsk):
            return task.answers.model_validate(write(inputs, self.draw).model_dump())
        return await super().ask(task, inputs)


def measure_prediction(
    real: Benchmark, examiners: Sequence[Examiner], panel: PanelMeasurement
) -> tuple[tuple[QuestionAgreement, ...], Benchmark]:
    """The agreement of each examiner's questions on one benchmark, and the benchmark with those of the first."""
    drawn = [asyncio.run(generate(real, examiner)) for examiner in examiners]
    if not all(generated.queries for generated, _ in drawn):
        raise NothingFound(f"No question could be generated for the SOPs of {real.name!r}.")
    systems, close = panel.open_systems()
    try:
        trials = _try_together([real, *(generated for generated, _ in drawn)], systems, panel.plan.k)
    finally:
        close()
    agreements = [
        compare_questions(trials[0], trial, wanted) for trial, (_, wanted) in zip(trials[1:], drawn, strict=True)
    ]
    return tuple(agreements), drawn[0][0]


def _try_together(benchmarks: Sequence[Benchmark], systems: Sequence[System], k: int) -> list[PanelTrials]:
    """The trials of benchmarks of one corpus, which every system indexes once."""
    asked = tuple(query for benchmark in benchmarks for query in benchmark.queries)
    together = try_panel(replace(benchmarks[0], queries=asked), systems, k)
    ends = list(accumulate(len(benchmark.queries) for benchmark in benchmarks))
    return [
        PanelTrials(benchmark, together.names, together.reciprocal[:, end - len(benchmark.queries) : end])
        for benchmark, end in zip(benchmarks, ends, strict=True)
    ]


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
