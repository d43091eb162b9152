"""`soprag measure`: the quality figures this project claims, computed again on data of your choice."""

import contextlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from soprag.configs.settings import ParsingSettings

TIMED = 20  # documents
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
JSON = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
DATA = click.option(
    "--data", metavar="DIR", required=True, type=FOLDER, help="Corpora: <name>/docs with corpus.jsonl, and decoys/docs."
)


@dataclass(frozen=True)
class Measured:
    """A report and its rendering, as `finish` prints them."""

    report: Any
    lines: str

    def text(self) -> str:
        """For a person."""
        return self.lines

    def model_dump(self, mode: str) -> Any:  # noqa: ANN401 - whatever the report holds
        """For --json."""
        from pydantic import TypeAdapter

        return TypeAdapter(type(self.report)).dump_python(self.report, mode=mode)  # type: ignore[arg-type]


@click.group()
def measure() -> None:
    """Measure the quality of the rules and the parser on data of your choice."""


@measure.command()
@DATA
@JSON
def audit(data: Path, as_json: bool) -> None:
    """How well the rules filter documents and split files into SOPs."""
    from soprag.apps.cli.main import finish

    def work() -> Measured:
        from soprag.benchmarks.quality.audit import measure_audit, render

        report = measure_audit(data)
        return Measured(report, "\n".join(render(report)))

    finish("measure audit", as_json, work)


@measure.command()
@DATA
@JSON
def flows(data: Path, as_json: bool) -> None:
    """Whether every listed step and every warning of the SOPs reaches the flow view, verbatim and in order."""
    from soprag.apps.cli.main import finish

    def work() -> Measured:
        from soprag.benchmarks.quality.flows import measure_flows

        report = measure_flows(data)
        return Measured(report, report.render())

    finish("measure flows", as_json, work)


@measure.command()
@click.option(
    "--benchmark", metavar="DIR", required=True, type=FOLDER, help="A benchmark folder: corpus, queries and qrels."
)
@JSON
def questions(benchmark: Path, as_json: bool) -> None:
    """How hard the questions of each level are for BM25, and how many are alike."""
    from soprag.apps.cli.main import finish

    def work() -> Measured:
        from soprag.benchmarks.quality.questions import measure_questions, render

        report = measure_questions(benchmark)
        return Measured(report, "\n".join(render(report)))

    finish("measure questions", as_json, work)


@measure.command()
@click.option("--keep", metavar="DIR", type=click.Path(path_type=Path), help="Keep the generated files there.")
@click.option("--hostile", is_flag=True, help="Files made to do harm instead: outcome, time and peak memory of each.")
@click.option(
    "--speed", is_flag=True, help="Only pages per second, peak memory and what the isolation costs, on 20 PDFs."
)
@JSON
def parsing(keep: Path | None, hostile: bool, speed: bool, as_json: bool) -> None:
    """Files in every format, generated from known sources, parsed and scored; next to other parsers."""
    from soprag.apps.cli.main import finish

    def work() -> Measured:
        from soprag.apps.compose import components

        settings = components.open_settings(components.choose_profile(None), {}).parsing
        with contextlib.ExitStack() as stack:
            folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            return _harmed(settings) if hostile else _timed(settings, folder) if speed else _scored(settings, folder)

    finish("measure parsing", as_json, work)


def _harmed(settings: "ParsingSettings") -> Measured:
    from soprag.benchmarks.quality.parsing_hostile import measure_hostile

    report = measure_hostile(settings)
    return Measured(report, report.render())


def _timed(settings: "ParsingSettings", folder: Path) -> Measured:
    from soprag.benchmarks.quality.parsing_corpus import build_pdfs
    from soprag.benchmarks.quality.parsing_speed import measure_speed, render_speed

    report = measure_speed(build_pdfs(folder / "timed", TIMED), settings)
    return Measured(report, render_speed(report))


def _scored(settings: "ParsingSettings", folder: Path) -> Measured:
    from soprag.benchmarks.quality.parsing import measure_parsing, render_parsing
    from soprag.benchmarks.quality.parsing_corpus import build_corpus, build_pdfs, producers

    pdfs = build_pdfs(folder / "timed", TIMED)
    report = measure_parsing(build_corpus(folder), pdfs, settings, producers())
    return Measured(report, render_parsing(report))


@measure.command()
@click.option("--seeds", default=2, show_default=True, type=click.IntRange(1, 1000), help="Numbers for every chain.")
@JSON
def repair(seeds: int, as_json: bool) -> None:
    """Injected faults in calculations: how many are mended with reflection, by retrying, and without."""
    from soprag.apps.cli.main import finish

    def work() -> Measured:
        from soprag.apps.cli.repairing import measure_repair
        from soprag.apps.compose import components

        report = measure_repair(components.open_settings("offline", {}), seeds)
        return Measured(report, report.render())

    finish("measure repair", as_json, work)


@measure.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--answers", metavar="FILE", type=click.Path(path_type=Path, exists=True), help="Kept answers of a model to play."
)
@click.option(
    "--model", metavar="PROVIDER:NAME", help="Also ask a chat model, for the experts of code and mathematics."
)
@JSON
def problems(file: Path, answers: Path | None, model: str | None, as_json: bool) -> None:
    """How many numeric problems are solved, with their units: by rules, and by a model's programs and calls."""
    from soprag.apps.cli.main import finish

    def work() -> Measured:
        from soprag.apps.cli.calculating import measure

        report = measure(file, answers, model)
        return Measured(report, "\n".join(report.render()))

    finish("measure problems", as_json, work)


@measure.command()
@click.option("--runs", default=20, show_default=True, type=click.IntRange(1, 1000), help="Runs of every program.")
@JSON
def sandbox(runs: int, as_json: bool) -> None:
    """What the sandbox costs: preparing it once, and the overhead of every run, on each backend that works here."""
    from soprag.apps.cli.main import finish

    def work() -> Measured:
        from soprag.apps.cli.calculating import measure_sandbox

        report = measure_sandbox(runs)
        return Measured(report, report.render())

    finish("measure sandbox", as_json, work)
