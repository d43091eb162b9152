"""What the judgement of a model adds to the ranking: a sample of questions, the answers of a model to them, and judges
that are useless on purpose.

A file of answers names SOPs and not numbers of candidates, so that it holds when the order of the candidates changes.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from soprag.tools.evaluation.retrieval.benchmark import Benchmark, BenchmarkQuery
from soprag.tools.retriever.query.judgement import CandidateJudgement, JudgeReliability
from soprag.tools.retriever.query.retriever import Retriever, SearchTrace
from soprag.tools.sop import Frozen
from soprag.tools.tasks.choice import CandidateChoice

SEED = 15
SHOWN = 12
_PER_LEVEL = {"keyword": 2, "direct": 3, "symptom": 7, "scenario": 9, "conditional": 9}  # the hard levels count more


class ChoiceRecord(Frozen):
    """What a model answered to one question, by ids of SOPs; `shown` are the candidates it was shown."""

    query: str
    shown: tuple[str, ...]
    fits: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    none_fits: bool = False


FakeJudge = Callable[[BenchmarkQuery, Sequence[str]], CandidateChoice | None]


@dataclass
class JudgesReport:
    """MRR by judge, for every benchmark, and the number of questions."""

    rows: list[tuple[str, str, int, float]] = field(default_factory=list)

    def render(self) -> Iterator[str]:
        """A row per judge."""
        yield f"{'benchmark':<14}{'judge':<24}{'questions':>10}{'MRR':>8}{'gain':>8}"
        prior: dict[str, float] = {}
        for benchmark, judge, count, mrr in self.rows:
            before = prior.setdefault(f"{benchmark}/{count}", mrr)
            yield f"{benchmark:<14}{judge:<24}{count:>10}{mrr:>8.4f}{mrr - before:>+8.4f}"


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


def ids_shown(looked: SearchTrace) -> list[str]:
    """The ids of the candidates on the sheets, in their order."""
    return [looked.candidates[row].id for row in looked.shown]


def measure_judges(
    retriever: Retriever, benchmark: Benchmark, records: Mapping[str, ChoiceRecord], report: JudgesReport
) -> None:
    """Add the rows of one benchmark: useless judges over all questions, the recorded model over those it answered."""
    traces = {query.id: retriever.shortlist(query.text, SHOWN) for query in benchmark.queries}
    recorded = [query for query in benchmark.queries if query.id in records]
    judges: list[tuple[str, FakeJudge, Sequence[BenchmarkQuery]]] = [
        ("none", lambda query, shown: None, benchmark.queries),
        ("random order", _random_order(), benchmark.queries),
        ("random pick", _random_pick(), benchmark.queries),
        ("always the first", lambda query, shown: CandidateChoice(intent="", fits=[1]), benchmark.queries),
        ("always the last", lambda query, shown: CandidateChoice(intent="", fits=[len(shown)]), benchmark.queries),
        ("none", lambda query, shown: None, recorded),
        ("recorded model", _recorded(records), recorded),
    ]
    for name, judge, queries in judges:
        if queries:
            used = replace(retriever, reliability=JudgeReliability())
            ranks = [_reciprocal(used, query, traces[query.id], judge) for query in queries]
            report.rows.append((benchmark.name, name, len(queries), sum(ranks) / len(ranks)))


def _reciprocal(retriever: Retriever, query: BenchmarkQuery, looked: SearchTrace, judge: FakeJudge) -> float:
    choice = judge(query, ids_shown(looked))
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
