"""`soprag measure`: the quality figures this project claims, computed again on data of your choice.

Here are the figures of documents and procedures; those of questions and of calculations are in modules of their own.
"""

import asyncio
import contextlib
import tempfile
from pathlib import Path

import click

from soprag.apps.cli import options
from soprag.apps.cli.measure_calculation import problems, repair, sandbox, worded
from soprag.apps.cli.measure_retrieval import abstention, asked, judges, questions, support
from soprag.apps.cli.measured import DATA, FOLDER, Measured, rendered
from soprag.apps.cli.output import finish
from soprag.apps.compose import services
from soprag.apps.compose.index import extractor
from soprag.apps.compose.settings import CallOptions, choose_profile, open_settings
from soprag.configs.settings import ParsingSettings

TIMED = 20  # documents


@click.group()
def measure() -> None:
    """Measure the quality of the rules and the parser on data of your choice."""


for _command in (support, judges, asked, abstention, questions, repair, problems, worded, sandbox):
    measure.add_command(_command)


@measure.command()
@DATA
@click.option(
    "--packages", default=0, type=click.IntRange(0), help="Also this many READMEs, licences ... of installed packages."
)
@options.JSON
def audit(data: Path, packages: int, as_json: bool) -> None:
    """How well the rules filter documents and split files into SOPs."""
    from soprag.benchmarks.quality.audit import AuditPlan, measure_audit, render

    def work() -> Measured:
        report = measure_audit(data, plan=AuditPlan(packages=packages))
        return Measured(report, "\n".join(render(report)))

    finish("measure audit", as_json, work)


@measure.command("split")
@DATA
@click.option("--joins", default=100, type=click.IntRange(1), help="Joined files for each corpus and form.")
@click.option("--seed", default=7, type=int, help="Chooses what is joined.")
@click.option("--left-out", is_flag=True, help="Each corpus by a model fitted on everything else; takes minutes.")
@click.option("--more", type=FOLDER, multiple=True, help="With --left-out: a folder of further corpora to fit on.")
@options.JSON
def split_(data: Path, joins: int, seed: int, left_out: bool, more: tuple[Path, ...], as_json: bool) -> None:
    """How well joined SOPs are found again and single ones left whole, in six forms of headings."""
    from soprag.benchmarks.quality.split_fitting import splitters_without
    from soprag.benchmarks.quality.splitting import JoinPlan, measure_forms, render

    def work() -> Measured:
        reports = measure_forms(data, splitters_without(data, more) if left_out else None, JoinPlan(joins, seed))
        return Measured(reports, "\n".join(render(reports)))

    finish("measure split", as_json, work)


@measure.command()
@DATA
@options.JSON
def flows(data: Path, as_json: bool) -> None:
    """Whether every listed step and every warning of the SOPs reaches the flow view, verbatim and in order."""
    from soprag.benchmarks.quality.flows import measure_flows

    finish("measure flows", as_json, lambda: rendered(measure_flows(data)))


@measure.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@options.model_options
@options.JSON
def annotated(folder: Path, as_json: bool, **values: str | None) -> None:
    """How procedures are read, by rules or a chat model, against annotations by hand: NAME.md with NAME.json in DIR."""
    from soprag.benchmarks.quality.annotated_flows.model_reading import read_by_model
    from soprag.benchmarks.quality.annotated_flows.report import measure_annotated, render

    def work() -> Measured:
        settings = CallOptions(**values).settings()
        if settings.llm.model == "rules":
            report = measure_annotated(folder)
        else:
            reading = extractor(settings, services.open_llm(settings))
            report = measure_annotated(folder, asyncio.run(read_by_model(folder, reading)).__getitem__)
        return Measured(report, "\n".join(render(report)))

    finish("measure annotated", as_json, work)


@measure.command()
@click.option("--keep", metavar="DIR", type=click.Path(path_type=Path), help="Keep the generated files there.")
@click.option("--hostile", is_flag=True, help="Files made to do harm instead: outcome, time and peak memory of each.")
@click.option(
    "--speed", is_flag=True, help="Only pages per second, peak memory and what the isolation costs, on 20 PDFs."
)
@click.option(
    "--damage", is_flag=True, help="Only what readers of PDFs damage: on generated files, and those of --pdfs."
)
@click.option("--pdfs", metavar="DIR", type=click.Path(path_type=Path), help="PDFs of yours for --damage.")
@options.JSON
def parsing(keep: Path | None, hostile: bool, speed: bool, damage: bool, pdfs: Path | None, as_json: bool) -> None:
    """Files in every format, generated from known sources, parsed and scored; next to other parsers."""
    from soprag.benchmarks.quality.parsing_damage import measure_damaged
    from soprag.benchmarks.quality.parsing_hostile import measure_hostile

    def work() -> Measured:
        settings = open_settings(choose_profile(None), {}).parsing
        if damage or pdfs:
            return rendered(measure_damaged(settings, pdfs))
        with contextlib.ExitStack() as stack:
            folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            if hostile:
                return rendered(measure_hostile(settings))
            return _timed(settings, folder) if speed else _scored(settings, folder)

    finish("measure parsing", as_json, work)


def _timed(settings: ParsingSettings, folder: Path) -> Measured:
    from soprag.benchmarks.quality.parsing_corpus import build_pdfs
    from soprag.benchmarks.quality.parsing_speed import measure_speed, render_speed

    report = measure_speed(build_pdfs(folder / "timed", TIMED), settings)
    return Measured(report, render_speed(report))


def _scored(settings: ParsingSettings, folder: Path) -> Measured:
    from soprag.benchmarks.quality.parsing import measure_parsing, render_parsing
    from soprag.benchmarks.quality.parsing_corpus import build_corpus, build_pdfs, producers

    pdfs = build_pdfs(folder / "timed", TIMED)
    report = measure_parsing(build_corpus(folder), pdfs, settings, producers())
    return Measured(report, render_parsing(report))
