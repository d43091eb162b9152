"""`soprag measure problems` and `soprag measure sandbox`: the experts of calculation, and what their sandbox costs."""

import asyncio
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from soprag.agents.experts.code import CodeExpert
from soprag.agents.experts.math import MathExpert
from soprag.apps.compose import components
from soprag.benchmarks.quality.problems import ProblemsReport, read_problems, solve_all
from soprag.benchmarks.quality.replayed_answers import play
from soprag.tools.errors import SopragError
from soprag.tools.llm import Llm
from soprag.tools.protocols import Expert
from soprag.tools.sandbox import Program, Sandbox, SandboxLimits

PROGRAMS = {
    "one line": "answer = 6 * 7",
    "units": "answer = (Q(350, 'psi')).to('bar')",
    "sympy": "import sympy\nx = sympy.Symbol('x')\nanswer = sympy.solve(x**3 - 6*x**2 + 11*x - 6, x)",
    "loop": "answer = sum(i * i for i in range(1_000_000))",
}


def measure(file: Path, answers: Path | None, model: str | None) -> ProblemsReport:
    """The problems of `file` by rules; those with a kept answer by that; all of them by a model, when one is named."""
    return asyncio.run(_measure(file, answers, model))


async def _measure(file: Path, answers: Path | None, model: str | None) -> ProblemsReport:
    settings = components.open_settings(components.choose_profile(None), {"llm": {"model": model}} if model else {})
    problems = read_problems(file)
    sandbox = components.open_sandbox(settings, _tell)
    report = ProblemsReport(file.name, len(problems))
    report.verdicts["math, rules alone"] = await solve_all(MathExpert(components.open_rules(), sandbox), problems)
    if answers:
        recorded = play(answers, problems)
        for name, expert in _pair(recorded, sandbox):
            report.verdicts[f"{name}, kept answers"] = await solve_all(expert, recorded.answered(name, problems))
    if model:
        for name, expert in _pair(components.open_llm(settings), sandbox):
            report.verdicts[f"{name}, {model}"] = await solve_all(expert, problems)
    return report


def _pair(llm: Llm, sandbox: Sandbox) -> tuple[tuple[str, Expert], ...]:
    return ("math", MathExpert(llm, sandbox)), ("code", CodeExpert(llm, sandbox))


@dataclass
class SandboxReport:
    """Milliseconds by backend and program, and the seconds until the first run was over."""

    first: dict[str, float] = field(default_factory=dict)
    median: dict[str, dict[str, float]] = field(default_factory=dict)
    slowest: dict[str, dict[str, float]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def render(self) -> str:
        """A table."""
        rows = [f"{'backend':<16}{'first run':>11}" + "".join(f"{name:>20}" for name in PROGRAMS)]
        for name, first in self.first.items():
            cells = (f"{self.median[name][program]:.1f} ({self.slowest[name][program]:.0f}) ms" for program in PROGRAMS)
            rows.append(f"{name:<16}{first:>9.2f} s" + "".join(f"{cell:>20}" for cell in cells))
        rows += [f"{name:<16}does not work here: {why}" for name, why in self.missing.items()]
        return "\n".join([*rows, "Median and, in brackets, slowest run; the first run loads or builds what is needed."])


def measure_sandbox(runs: int) -> SandboxReport:
    """Every backend that works here, `runs` times with each program."""
    report = SandboxReport()
    for backend in ("wasm", "native"):
        settings = components.open_settings("offline", {"sandbox": {"backend": backend}})
        try:
            sandbox = components.open_sandbox(settings, _tell)
            asyncio.run(_time(report, sandbox, runs))
        except SopragError as fault:
            report.missing[backend] = str(fault)
    return report


async def _time(report: SandboxReport, sandbox: Sandbox, runs: int) -> None:
    began = time.perf_counter()
    await sandbox.run(Program("answer = 1"))
    name = sandbox.name
    report.first[name] = time.perf_counter() - began
    report.median[name], report.slowest[name] = {}, {}
    for program, code in PROGRAMS.items():
        seconds = []
        for _ in range(runs):
            began = time.perf_counter()
            await sandbox.run(Program(code), SandboxLimits(seconds=60.0))
            seconds.append(1000 * (time.perf_counter() - began))
        report.median[name][program] = statistics.median(seconds)
        report.slowest[name][program] = max(seconds)


def _tell(line: str) -> None:
    print(line, file=sys.stderr)  # noqa: T201 - an app speaks to its person
