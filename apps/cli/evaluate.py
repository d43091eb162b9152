"""`soprag evaluate`: which benchmarks and systems, the trials, and where the report goes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish
from soprag.apps.compose import services
from soprag.apps.compose.index import extraction
from soprag.apps.compose.settings import cache_folder, choose_profile, open_settings, paper_retriever
from soprag.apps.progress import open_progress
from soprag.apps.runs import LATEST, find_run

if TYPE_CHECKING:
    from soprag.configs.settings import Settings
    from soprag.tools.evaluation.retrieval import Benchmark, BenchmarkResult, Evaluation, EvaluationPlan, System

EXAMPLES = """\b
Examples:
  soprag evaluate --benchmark latest
  soprag evaluate --benchmark runs/pump-station-20260101-120000-000/benchmark
  soprag evaluate --benchmark ./one --benchmark ./two --out report
  soprag evaluate --benchmark ./one --system bm25 --system hybrid --json
"""

FOLDER = click.Path(path_type=Path)


@click.command(epilog=EXAMPLES)
@click.option(
    "--benchmark",
    "folders",
    metavar="DIR",
    multiple=True,
    required=True,
    type=FOLDER,
    help="A folder in BEIR layout, or 'latest' for that of the last build; may be repeated.",
)
@click.option(
    "--system", "names", metavar="NAME", multiple=True, help="Evaluate this system; may be repeated.  [default: all]"
)
@click.option("--k", type=click.IntRange(10), help="How deep to rank.  [default: 100]")
@click.option("--seed", type=click.IntRange(0), help="Seed of the intervals and tests.  [default: 7]")
@click.option(
    "--bootstrap", metavar="N", type=click.IntRange(100), help="Draws for intervals and tests.  [default: 10000]"
)
@click.option(
    "--limit", metavar="N", type=click.IntRange(1), help="Only so many questions of each benchmark, evenly spread."
)
@options.PROFILE
@click.option("--out", metavar="DIR", type=FOLDER, help="Also write evaluation.html and evaluation.json there.")
@options.JSON
@options.QUIET
def evaluate(as_json: bool, quiet: bool, **values: Any) -> None:  # noqa: ANN401 - the options above
    """Measure retrieval on benchmarks: SOPRAG, itself without each part, and strong baselines."""
    finish("evaluate", as_json, lambda: run_evaluation(EvaluateCall(**values), quiet))


@dataclass(frozen=True)
class EvaluateCall:
    """The options of `soprag evaluate`, as given."""

    folders: tuple[Path, ...]
    names: tuple[str, ...] = ()
    k: int | None = None
    seed: int | None = None
    bootstrap: int | None = None
    limit: int | None = None
    profile: str | None = None
    out: Path | None = None

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """The options that are settings: section → key → value."""
        return {"evaluate": {"k": self.k, "seed": self.seed, "bootstrap": self.bootstrap}}


def run_evaluation(call: EvaluateCall, quiet: bool = False) -> "Evaluation":
    """Evaluate and, when asked for, write the report."""
    from soprag.tools.evaluation.retrieval import EvaluationPlan, read_benchmark, write_evaluation

    settings = open_settings(choose_profile(call.profile), call.settings)
    plan = EvaluationPlan(**settings.evaluate.model_dump())
    systems = choose(open_systems(settings), call.names)
    folders = [_folder(folder, Path(settings.run.folder)) for folder in call.folders]
    benchmarks = [read_benchmark(folder).first(call.limit) for folder in folders]
    evaluation = _record(settings, plan, _run(benchmarks, systems, plan, quiet))
    if call.out:
        write_evaluation(call.out, evaluation)
    return evaluation


def _folder(given: Path, runs: Path) -> Path:
    return find_run(LATEST, runs, "run").path / "benchmark" if str(given) == LATEST else given


def open_systems(settings: "Settings") -> list["System"]:
    """Every system there is, the product first."""
    from soprag.tools.embedding import open_embedder
    from soprag.tools.evaluation.retrieval import open_baselines

    embedder = services.open_embedder(settings)
    # The embedded model answers every question anew, or its latency would be that of a cache; a paid one does not.
    local = settings.embedding.model == "minilm"
    fresh = settings.embedding.model_copy(update={"cache": settings.embedding.cache and not local})
    asker = open_embedder(fresh, cache_folder(settings))
    return [*_open_products(settings), *open_baselines(embedder, asker)]


def _open_products(settings: "Settings") -> list["System"]:
    """SOPRAG, the paper's form of it, and SOPRAG without each of its parts."""
    from soprag.tools.evaluation.retrieval.product import Builder, open_products

    llm = services.open_llm(settings)
    builder = Builder(services.open_embedder(settings), extraction(settings, llm), settings.index)
    return [*open_products(builder, services.with_fallback(llm), settings.retriever, paper_retriever())]


def choose(systems: Sequence["System"], names: Sequence[str]) -> list["System"]:
    """Those named, or all; raises `UsageError` for a name there is not."""
    from soprag.tools.errors import UsageError

    available = [system.name for system in systems]
    unknown = [name for name in names if name not in available]
    if unknown:
        raise UsageError(f"There is no system {unknown[0]!r}; choose from {', '.join(available)}.")
    return [system for system in systems if not names or system.name in names]


def _run(
    benchmarks: Sequence["Benchmark"], systems: Sequence["System"], plan: "EvaluationPlan", quiet: bool
) -> list["BenchmarkResult"]:
    from soprag.tools.evaluation.retrieval import evaluate as evaluate_systems

    results = []
    with open_progress(quiet) as progress:
        for benchmark in benchmarks:
            progress.note({"stage": benchmark.name, "total": len(systems)})
            results.append(evaluate_systems(benchmark, systems, plan, _noting(benchmark.name, progress.note)))
    return results


def _noting(stage: str, note: Callable[[dict[str, Any]], None]) -> Callable[[str], None]:
    return lambda item: note({"stage": stage, "item": item, "outcome": "done"})


def _record(settings: "Settings", plan: "EvaluationPlan", results: list["BenchmarkResult"]) -> "Evaluation":
    from datetime import UTC, datetime
    from importlib.metadata import version

    from soprag.tools.evaluation.retrieval import Evaluation

    return Evaluation(
        version=version("soprag"),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        embedding=settings.embedding.model,
        k=plan.k,
        bootstrap=plan.bootstrap,
        seed=plan.seed,
        benchmarks=tuple(results),
    )
