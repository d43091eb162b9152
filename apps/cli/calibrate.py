"""`soprag calibrate`: fits the query path to a benchmark, shows the honest gain, and writes a profile when asked."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish
from soprag.apps.compose import services
from soprag.apps.compose.index import extraction
from soprag.apps.compose.settings import choose_profile, open_settings

if TYPE_CHECKING:
    from soprag.tools.evaluation.retrieval.fitting import Fitted

EXAMPLES = """\b
Examples:
  soprag calibrate --benchmark runs/pump-station/benchmark
  soprag calibrate --benchmark runs/pump-station/benchmark --out plant.toml
  soprag search "pump tripped" --profile plant.toml
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--benchmark",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="Questions with their SOPs, in BEIR layout; `soprag build` makes them.",
)
@click.option(
    "--out", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False), help="Write the fit as a profile."
)
@options.PROFILE
@options.JSON
def calibrate(benchmark: Path, out: Path | None, profile: str | None, as_json: bool) -> None:
    """Fit the weights of the query path, and below which confidence nothing fits.

    Five folds, the questions of one SOP always together: every figure is of questions that the fit has not seen.
    Nothing changes unless the profile is written and named.
    """
    finish("calibrate", as_json, lambda: run_calibration(benchmark, out, profile))


def run_calibration(folder: Path, out: Path | None, profile: str | None) -> "Fitted":
    """Index the benchmark, look up its questions, fit, and write the profile."""
    from soprag.tools.evaluation.retrieval import EvaluationPlan, read_benchmark
    from soprag.tools.evaluation.retrieval.fitting import fit, see
    from soprag.tools.evaluation.retrieval.product import Builder
    from soprag.tools.retriever.query.retriever import Retriever

    settings = open_settings(choose_profile(profile), {})
    benchmark, llm = read_benchmark(folder), services.open_llm(settings)
    builder = Builder(services.open_embedder(settings), extraction(settings, llm), settings.index)
    built = builder.build(benchmark.corpus, every=settings.retriever.sim != "late")
    try:
        retriever = Retriever.open(built.index, services.with_fallback(llm), settings.retriever)
        queries = benchmark.queries
        asked = see(retriever, [query.text for query in queries], [query.relevant for query in queries])
        rankings = asyncio.run(asked)
    finally:
        builder.close()
    fitted = fit(rankings, benchmark, settings.retriever, EvaluationPlan(**settings.evaluate.model_dump()))
    if out:
        write_profile(out, fitted)
    return fitted


def write_profile(file: Path, fitted: "Fitted") -> None:
    """The fitted settings as a TOML file for --profile; raises `StorageError`."""
    from soprag.tools.errors import StorageError

    lines = [
        f"# Fitted on {fitted.benchmark}: {fitted.questions} questions, MRR {fitted.gain.gain.mean:+.3f} on others."
    ]
    lines += ["[retriever]", *(f"{name} = {_toml(value)}" for name, value in fitted.settings.items())]
    try:
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as fault:
        raise StorageError(f"Cannot write the profile {str(file)!r}: {fault.strerror}.") from fault


def _toml(value: Any) -> str:  # noqa: ANN401 - a number or three of them
    return f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)
