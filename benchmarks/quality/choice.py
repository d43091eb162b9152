"""What the judgement of a model adds to the ranking: a sample of questions, the answers of a model to them, and judges
that are useless on purpose.

A file of answers names SOPs and not numbers of candidates, so that it holds when the order of the candidates changes.
"""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from soprag.tools.evaluation.retrieval.benchmark import Benchmark, BenchmarkQuery
from soprag.tools.llm.rendering import request_tokens
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.retriever.answer.answer import Answerer
from soprag.tools.retriever.answer.search_result import SearchResult, SopHit
from soprag.tools.retriever.query.judgement import CandidateJudgement, JudgeReliability
from soprag.tools.retriever.query.retriever import Retriever, SearchTrace
from soprag.tools.sop import Frozen
from soprag.tools.tasks.answer import ANSWER
from soprag.tools.tasks.choice import CHOOSE, CandidateChoice, ChooseAsk
from soprag.tools.tasks.task import Llm

SEED = 15
SHOWN = 10
_AT_ONCE = 8  # requests
_PER_LEVEL = {"keyword": 2, "direct": 3, "symptom": 7, "scenario": 9, "conditional": 9}  # the hard levels count more


class ChoiceRecord(Frozen):
    """What a model answered to one question, by ids of SOPs; `shown` are the candidates it was shown."""

    query: str
    shown: tuple[str, ...]
    fits: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    none_fits: bool = False


FakeJudge = Callable[[BenchmarkQuery, Sequence[str]], CandidateChoice | None]


class JudgeRow(NamedTuple):
    """The MRR of a benchmark with one judge, which is not asked where the search is sure."""

    benchmark: str
    judge: str
    questions: int
    asked: int
    mrr: float


@dataclass
class JudgesReport:
    """MRR by judge for every benchmark, with the number of questions and of those that the judge was asked.

    `tokens` are the prompt tokens of choosing and answering, for every recorded question of a benchmark.
    """

    rows: list[JudgeRow] = field(default_factory=list)
    tokens: dict[str, list[int]] = field(default_factory=dict)

    def render(self) -> Iterator[str]:
        """A row per judge."""
        yield f"{'benchmark':<14}{'judge':<24}{'questions':>10}{'asked':>8}{'MRR':>8}{'gain':>8}"
        prior: dict[str, float] = {}
        for row in self.rows:
            before = prior.setdefault(f"{row.benchmark}/{row.questions}", row.mrr)
            counts = f"{row.questions:>10}{row.asked:>8}"
            yield f"{row.benchmark:<14}{row.judge:<24}{counts}{row.mrr:>8.4f}{row.mrr - before:>+8.4f}"
        for benchmark, tokens in self.tokens.items():
            yield f"{benchmark:<14}prompt tokens to choose and answer: {mean(tokens):.0f}, at most {max(tokens)}"


def sample(benchmark: Benchmark, seed: int = SEED) -> list[BenchmarkQuery]:
    """30 questions of a benchmark with levels, drawn by `seed`."""
    draw = random.Random(seed)
    by_level = {level: [benchmark.queries[place] for place in places] for level, places in benchmark.levels.items()}
    return [
        query
        for level, count in _PER_LEVEL.items()
        for query in draw.sample(by_level.get(level, []), min(count, len(by_level.get(level, []))))
    ]


def read_records(file: Path) -> dict[str, ChoiceRecord]:
    """The answers of a file, one JSON object a line, by question id."""
    records = map(ChoiceRecord.model_validate_json, file.read_text(encoding="utf-8").splitlines())
    return {record.query: record for record in records}


async def record_choices(retriever: Retriever, benchmark: Benchmark, llm: Llm) -> list[ChoiceRecord]:
    """What `llm` answers to the sample of a benchmark, a few questions at once; raises `ModelError`."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def asked(query: BenchmarkQuery) -> ChoiceRecord:
        looked = retriever.shortlist(query.text, SHOWN)
        ids = ids_shown(looked)
        async with gate:
            choice = await llm.ask(CHOOSE, ChooseAsk(question=query.text, candidates=looked.sheets))
        fits, partly = (
            tuple(ids[n - 1] for n in numbers if 0 < n <= len(ids)) for numbers in (choice.fits, choice.partly)
        )
        return ChoiceRecord(query=query.id, shown=tuple(ids), fits=fits, partly=partly, none_fits=choice.none_fits)

    return list(await asyncio.gather(*map(asked, sample(benchmark))))


def write_records(file: Path, records: Iterable[ChoiceRecord]) -> None:
    """Write the answers, one JSON object a line."""
    file.write_text("".join(f"{record.model_dump_json()}\n" for record in records), encoding="utf-8")


def ids_shown(looked: SearchTrace) -> list[str]:
    """The ids of the candidates on the sheets, in their order."""
    return [looked.candidates[row].id for row in looked.shown]


def measure_judges(
    retriever: Retriever, benchmark: Benchmark, records: Mapping[str, ChoiceRecord], report: JudgesReport
) -> None:
    """Add the rows of one benchmark: useless judges over all questions, the recorded model over those it answered."""
    traces = {query.id: retriever.shortlist(query.text, SHOWN) for query in benchmark.queries}
    everything, recorded = benchmark.queries, [query for query in benchmark.queries if query.id in records]
    always = replace(retriever, settings=retriever.settings.model_copy(update={"sure": 0.0}))
    judges: list[tuple[str, FakeJudge, Sequence[BenchmarkQuery], Retriever]] = [
        ("none", lambda query, shown: None, everything, retriever),
        ("random order", _random_order(), everything, retriever),
        ("random pick", _random_pick(), everything, retriever),
        ("random pick, always", _random_pick(), everything, always),
        ("always the first", lambda query, shown: CandidateChoice(intent="", fits=[1]), everything, retriever),
        ("always the last", lambda query, shown: CandidateChoice(intent="", fits=[len(shown)]), everything, retriever),
        ("none", lambda query, shown: None, recorded, retriever),
        ("recorded model", _recorded(records), recorded, retriever),
        ("recorded model, always", _recorded(records), recorded, always),
    ]
    for name, judge, queries, finder in judges:
        if queries:
            used = replace(finder, reliability=JudgeReliability())
            asked = sum(not used.is_sure(traces[query.id]) for query in queries) if name != "none" else 0
            ranks = [_reciprocal(used, query, traces[query.id], judge) for query in queries]
            report.rows.append(JudgeRow(benchmark.name, name, len(queries), asked, sum(ranks) / len(ranks)))

    if recorded:
        report.tokens[benchmark.name] = [_prompt_tokens(retriever, query, traces[query.id]) for query in recorded]


def _prompt_tokens(retriever: Retriever, query: BenchmarkQuery, looked: SearchTrace) -> int:
    """Of the request to choose, and of that to answer from the right SOP."""
    right = SopHit(sop=next(iter(query.relevant)), title="", score=1.0)
    reader = Answerer(retriever, retriever.index, ScriptedLlm(), retriever.settings.answer_characters)
    answer = reader.present(query.text, SearchResult(hits=(right,)))
    choose = ChooseAsk(question=query.text, candidates=looked.sheets)
    return request_tokens(CHOOSE, choose) + request_tokens(ANSWER, answer)


def _reciprocal(retriever: Retriever, query: BenchmarkQuery, looked: SearchTrace, judge: FakeJudge) -> float:
    choice = None if retriever.is_sure(looked) else judge(query, ids_shown(looked))
    judgement = CandidateJudgement(choice, looked.shown, "judge") if choice else None
    ids = retriever.order(replace(looked, judgement=judgement))
    return next((1 / place for place, id in enumerate(ids, 1) if id in query.relevant), 0.0)


def _recorded(records: Mapping[str, ChoiceRecord]) -> FakeJudge:
    def choose(query: BenchmarkQuery, shown: Sequence[str]) -> CandidateChoice:
        record = records[query.id]
        fits, partly = ([shown.index(id) + 1 for id in ids if id in shown] for ids in (record.fits, record.partly))
        return CandidateChoice(intent="", fits=fits, partly=partly, none_fits=record.none_fits)

    return choose


def _random_order(seed: int = SEED) -> FakeJudge:
    draw = random.Random(seed)

    def choose(query: BenchmarkQuery, shown: Sequence[str]) -> CandidateChoice:
        order = draw.sample(range(1, len(shown) + 1), len(shown))
        first, second = sorted((draw.randint(0, len(shown)), draw.randint(0, len(shown))))
        return CandidateChoice(intent="", fits=order[:first], partly=order[first:second])

    return choose


def _random_pick(seed: int = SEED) -> FakeJudge:
    draw = random.Random(seed)
    return lambda query, shown: CandidateChoice(intent="", fits=[draw.randint(1, len(shown))])
