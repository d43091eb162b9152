"""Accuracy of the experts on numeric problems, scored with units; see docs/math.md.

A problem is correct when every requested value is present, with the right dimension and within its tolerance. A plain
number where a unit is required is incorrect.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from soprag.benchmarks.quality.answer_matching import symbol, symbols
from soprag.tools.errors import UsageError
from soprag.tools.history import ErrorKind, StepFailure
from soprag.tools.protocols import Expert, ExpertResult, Work
from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import Quantity, UnitFault

NEARLY_ZERO = 1e-9
MISSES_SHOWN = 12


class Problem(BaseModel):
    """A numeric problem with its answer; what else its row holds is left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    topic: str
    question: str
    answer: float
    unit: str | None = ""
    rel_tol: float = Field(default=0.01, gt=0)
    answers: dict[str, Quantity] | None = None


class ProblemResult(Frozen):
    """What came of one problem with one expert."""

    problem: str
    topic: str
    right: bool
    parts: int = Field(description="values that were asked for")
    parts_right: int = 0
    seconds: float
    failure: ErrorKind | None = None
    why: str = ""


@dataclass
class ProblemsReport:
    """The verdicts by expert."""

    file: str
    problems: int
    verdicts: dict[str, list[ProblemResult]] = field(default_factory=dict)

    def render(self) -> Iterator[str]:
        """Shares by topic, then what went wrong."""
        yield f"{self.file}: {self.problems} problems"
        for name, verdicts in self.verdicts.items():
            yield from ("", *_table(name, verdicts))


def read_problems(file: Path) -> list[Problem]:
    """The problems of a file, one JSON object a line; raises `UsageError`."""
    problems = []
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read {str(file)!r}: {error}.") from error
    for number, line in enumerate(lines, 1):
        try:
            problems.append(Problem.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise UsageError(f"{str(file)!r}, line {number}: {where} {first['msg']}.") from error
    return problems


async def solve_all(expert: Expert, problems: list[Problem]) -> list[ProblemResult]:
    """Every problem given to the expert, by itself and with no history."""
    verdicts = []
    for problem in problems:
        began = time.monotonic()
        result = await expert.work(Work(task=problem.question))
        verdicts.append(judge(problem, result, time.monotonic() - began))
    return verdicts


def judge(problem: Problem, result: ExpertResult | StepFailure, seconds: float = 0.0) -> ProblemResult:
    """The verdict on the result of an expert for a problem; `seconds` is its run time."""
    expected = problem.answers or {"": Quantity(value=problem.answer, unit=problem.unit or "")}
    verdict = ProblemResult(problem=problem.id, topic=problem.topic, right=False, parts=len(expected), seconds=seconds)
    if isinstance(result, StepFailure):
        return verdict.model_copy(update={"failure": result.kind, "why": result.message})
    computed = symbols(result.output)
    mismatches = [
        mismatch
        for name, quantity in expected.items()
        if (mismatch := _fault(quantity, computed.get(symbol(name) if len(expected) > 1 else ""), problem))
    ]
    update = {"right": not mismatches, "parts_right": len(expected) - len(mismatches), "why": "; ".join(mismatches[:3])}
    return verdict.model_copy(update=update)


def _fault(expected: Quantity, computed: Quantity | None, problem: Problem) -> str:
    """Why the value is incorrect; empty when it is correct."""
    if computed is None:
        return "a value is missing"
    unit = _unit(expected.unit)
    try:
        value = computed.to(unit).value if unit or expected.unit == "-" else computed.value
    except UnitFault as error:
        return str(error)
    close = abs(value - expected.value) <= max(problem.rel_tol * abs(expected.value), NEARLY_ZERO)
    return "" if close else f"{value:.6g} instead of {expected.value:.6g} {unit}".rstrip()


def _unit(unit: str | None) -> str:
    return "" if unit in (None, "-") else str(unit)


def _table(name: str, verdicts: list[ProblemResult]) -> Iterator[str]:
    yield f"{name:<28}{'problems':>9}{'right':>7}{'share':>7}{'wrong':>7}{'no answer':>11}{'s each':>8}"
    topics = sorted({verdict.topic.partition("/")[0] for verdict in verdicts})
    for topic in topics:
        yield _row(f"  {topic}", [verdict for verdict in verdicts if verdict.topic.partition("/")[0] == topic])
    yield _row("  all", verdicts)
    kinds = Counter(verdict.failure for verdict in verdicts if verdict.failure)
    if kinds:
        yield "  failures: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    incorrect = [verdict for verdict in verdicts if not verdict.right and not verdict.failure]
    yield from (f"  wrong: {verdict.problem}: {verdict.why}" for verdict in incorrect[:MISSES_SHOWN])


def _row(name: str, verdicts: list[ProblemResult]) -> str:
    right = sum(verdict.right for verdict in verdicts)
    failed = sum(verdict.failure is not None for verdict in verdicts)
    each = sum(verdict.seconds for verdict in verdicts) / len(verdicts)
    incorrect = len(verdicts) - right - failed
    share = f"{right / len(verdicts):.0%}"
    return f"{name:<28}{len(verdicts):>9}{right:>7}{share:>7}{incorrect:>7}{failed:>11}{each:>8.2f}"
