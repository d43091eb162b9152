"""What the sandbox costs: the first run, which prepares it, and the overhead of every further one."""

import asyncio
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from soprag.tools.errors import SopragError
from soprag.tools.sandbox import Program, Sandbox, SandboxLimits

BACKENDS = ("wasm", "native")
PROGRAMS = {
    "one line": "answer = 6 * 7",
    "units": "answer = (Q(350, 'psi')).to('bar')",
    "sympy": "import sympy\nx = sympy.Symbol('x')\nanswer = sympy.solve(x**3 - 6*x**2 + 11*x - 6, x)",
    "loop": "answer = sum(i * i for i in range(1_000_000))",
}


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


def measure_sandbox(open_backend: Callable[[str], Sandbox], runs: int) -> SandboxReport:
    """Every backend that works here, `runs` times with each program."""
    report = SandboxReport()
    for backend in BACKENDS:
        try:
            asyncio.run(_time(report, open_backend(backend), runs))
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
