"""`soprag measure` for calculations: word problems, worded questions, repairs, what the sandbox costs."""

import asyncio
import tempfile
from collections.abc import Awaitable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli import options
from soprag.apps.cli.measured import FILE, Measured, rendered
from soprag.apps.cli.output import finish, say
from soprag.apps.compose import services, troubleshooter
from soprag.apps.compose.index import extraction, open_index
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.configs.settings import Settings

if TYPE_CHECKING:
    from soprag.benchmarks.quality.problems import ProblemsReport
    from soprag.benchmarks.quality.repair import RepairReport
    from soprag.graphs.troubleshoot.context import AgentContext
    from soprag.tools.llm import Llm
    from soprag.tools.protocols import Expert
    from soprag.tools.retriever.index.index import Index
    from soprag.tools.sandbox import Sandbox


@click.command()
@click.option("--seeds", default=2, show_default=True, type=click.IntRange(1, 1000), help="Numbers for every chain.")
@options.JSON
def repair(seeds: int, as_json: bool) -> None:
    """Injected faults in calculations: how many are mended with reflection, by retrying, and without."""
    finish("measure repair", as_json, lambda: rendered(run_repair(open_settings("offline", {}), seeds)))


@click.command()
@click.argument("file", type=FILE)
@click.option("--answers", metavar="FILE", type=FILE, help="Recorded answers of a model to play.")
@click.option(
    "--model", metavar="PROVIDER:NAME", help="Also ask a chat model, for the experts of code and mathematics."
)
@options.JSON
def problems(file: Path, answers: Path | None, model: str | None, as_json: bool) -> None:
    """How many numeric problems are solved, with their units: by rules, and by a model's programs and calls."""

    def work() -> Measured:
        report = asyncio.run(_solve(file, answers, model))
        return Measured(report, "\n".join(report.render()))

    finish("measure problems", as_json, work)


@click.command()
@click.argument("file", type=FILE)
@options.JSON
def worded(file: Path, as_json: bool) -> None:
    """Calculations in free language: how many the rules compute, compute wrongly, and pass on to the procedures."""

    def work() -> Measured:
        from soprag.agents.experts.math import MathExpert
        from soprag.benchmarks.quality.worded import measure_worded, read_worded

        sandbox = services.open_sandbox(open_settings("offline", {}), say)
        rules = services.open_rules()
        return rendered(asyncio.run(measure_worded(rules, MathExpert(rules, sandbox), read_worded(file))))

    finish("measure worded", as_json, work)


@click.command()
@click.option("--runs", default=20, show_default=True, type=click.IntRange(1, 1000), help="Runs of every program.")
@options.JSON
def sandbox(runs: int, as_json: bool) -> None:
    """What the sandbox costs: preparing it once, and the overhead of every run, on each backend that works here."""
    from soprag.benchmarks.quality.sandbox_cost import measure_sandbox

    def open_backend(backend: str) -> "Sandbox":
        return services.open_sandbox(open_settings("offline", {"sandbox": {"backend": backend}}), say)

    finish("measure sandbox", as_json, lambda: rendered(measure_sandbox(open_backend, runs)))


async def _solve(file: Path, answers: Path | None, model: str | None) -> "ProblemsReport":
    """The problems by rules; those with a recorded answer by that; all of them by a model, when one is named."""
    from soprag.agents.experts.math import MathExpert
    from soprag.benchmarks.quality.problems import ProblemsReport, read_problems, solve_all
    from soprag.benchmarks.quality.replayed_answers import play

    settings, problems = open_settings(choose_profile(None), {"llm": {"model": model}}), read_problems(file)
    sandbox = services.open_sandbox(settings, say)
    report = ProblemsReport(file.name, len(problems))
    report.verdicts["math, rules alone"] = await solve_all(MathExpert(services.open_rules(), sandbox), problems)
    if answers:
        recorded = play(answers, problems)
        for name, expert in _calculating(recorded, sandbox):
            report.verdicts[f"{name}, kept answers"] = await solve_all(expert, recorded.answered(name, problems))
    if model:
        for name, expert in _calculating(services.open_llm(settings), sandbox):
            report.verdicts[f"{name}, {model}"] = await solve_all(expert, problems)
    return report


def _calculating(llm: "Llm", sandbox: "Sandbox") -> "tuple[tuple[str, Expert], ...]":
    from soprag.agents.experts.code import CodeExpert
    from soprag.agents.experts.math import MathExpert
    from soprag.tools.knowledge.toolbox_skeletons import describe_functions

    return ("math", MathExpert(llm, sandbox)), ("code", CodeExpert(llm, sandbox, describe_functions))


def run_repair(settings: Settings, seeds: int) -> "RepairReport":
    """Measure the repairs over an index of one procedure; the sandbox is prepared first where it is not yet."""
    from soprag.benchmarks.quality.repair import SECONDS, measure_repair

    with tempfile.TemporaryDirectory() as folder:
        limits = {
            "sandbox": settings.sandbox.model_copy(update={"seconds": SECONDS}),
            "index": settings.index.model_copy(update={"folder": folder}),
        }
        limited = settings.model_copy(update=limits)
        with closing(open_index(limited, create=True)) as index:
            asyncio.run(_fill(index, limited))

            def open_context(llm: Any) -> "Awaitable[AgentContext]":  # noqa: ANN401 - an Llm
                return troubleshooter.open_agent(limited, index, Path(folder) / "sessions", llm)

            return asyncio.run(measure_repair(open_context, seeds))


async def _fill(index: "Index", settings: Settings) -> None:
    from soprag.benchmarks.quality.repair import procedures

    async for _ in index.add(procedures(), extraction(settings, services.open_rules())):
        pass
