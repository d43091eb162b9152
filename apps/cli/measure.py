"""`soprag measure`: the quality figures this project claims, computed again on data of your choice."""

import asyncio
import contextlib
import tempfile
from collections.abc import Awaitable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish, say
from soprag.apps.compose import services, troubleshooter
from soprag.apps.compose.index import extraction, open_index
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.configs.settings import ParsingSettings, Settings
from soprag.tools.errors import UsageError

if TYPE_CHECKING:
    from soprag.benchmarks.quality.abstention import AbstentionReport, AskedQuestions
    from soprag.benchmarks.quality.choice import JudgesReport
    from soprag.benchmarks.quality.problems import ProblemsReport
    from soprag.benchmarks.quality.repair import RepairReport
    from soprag.benchmarks.quality.support import SupportReport
    from soprag.graphs.troubleshoot.context import AgentContext
    from soprag.tools.evaluation.retrieval.benchmark import Benchmark
    from soprag.tools.evaluation.retrieval.product import Builder
    from soprag.tools.llm import Llm
    from soprag.tools.protocols import Expert
    from soprag.tools.retriever.index.index import Index
    from soprag.tools.sandbox import Sandbox

TIMED = 20  # documents
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
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

    def model_dump(self, *, mode: str) -> Any:  # noqa: ANN401 - whatever the report holds
        """For --json."""
        from pydantic import TypeAdapter

        return TypeAdapter(type(self.report)).dump_python(self.report, mode=mode)  # type: ignore[arg-type]


@click.group()
def measure() -> None:
    """Measure the quality of the rules and the parser on data of your choice."""


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
@options.JSON
def split_(data: Path, joins: int, seed: int, as_json: bool) -> None:
    """How well joined SOPs are found again and single ones left whole, in five forms of headings."""
    from soprag.benchmarks.quality.splitting import JoinPlan, measure_forms, render

    def work() -> Measured:
        reports = measure_forms(data, plan=JoinPlan(joins, seed))
        return Measured(reports, "\n".join(render(reports)))

    finish("measure split", as_json, work)


@measure.command()
@DATA
@options.JSON
def flows(data: Path, as_json: bool) -> None:
    """Whether every listed step and every warning of the SOPs reaches the flow view, verbatim and in order."""
    from soprag.benchmarks.quality.flows import measure_flows

    finish("measure flows", as_json, lambda: _rendered(measure_flows(data)))


@measure.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@options.JSON
def annotated(folder: Path, as_json: bool) -> None:
    """How procedures are read, against annotations by hand: NAME.md with NAME.json in DIR, by origin."""
    from soprag.benchmarks.quality.annotated_flows.report import measure_annotated, render

    def work() -> Measured:
        report = measure_annotated(folder)
        return Measured(report, "\n".join(render(report)))

    finish("measure annotated", as_json, work)


@measure.command()
@click.option("--procedures", metavar="DIR", required=True, type=FOLDER, help="The procedures, as <name>.md.")
@click.option("--sentences", metavar="FILE", required=True, type=FILE, help="Sentences with lines and verdicts (JSON).")
@options.JSON
def support(procedures: Path, sentences: Path, as_json: bool) -> None:
    """How well true sentences are told from false ones by the lines they cite."""
    from soprag.benchmarks.quality.support import measure_support, read_sentences

    finish("measure support", as_json, lambda: _listed(measure_support(procedures, read_sentences(sentences))))


@measure.command()
@click.option(
    "--benchmark", "folders", metavar="DIR", required=True, multiple=True, type=FOLDER, help="A benchmark; repeatable."
)
@click.option("--answers", metavar="FILE", type=FILE, help="Answers of a model to some of the questions (JSON lines).")
@options.PROFILE
@options.JSON
def judges(folders: tuple[Path, ...], answers: Path | None, profile: str | None, as_json: bool) -> None:
    """What the judgement on the candidates changes: useless judges, and a recorded model."""
    from soprag.benchmarks.quality.choice import JudgesReport, measure_judges, read_records
    from soprag.tools.evaluation.retrieval import read_benchmark
    from soprag.tools.evaluation.retrieval.product import Builder
    from soprag.tools.retriever.query.retriever import Retriever

    def work() -> Measured:
        settings, rules = open_settings(choose_profile(profile), {}), services.open_rules()
        report, records = JudgesReport(), read_records(answers) if answers else {}
        builder = Builder(services.open_embedder(settings), extraction(settings, rules), settings.index)
        for folder in folders:
            benchmark = read_benchmark(folder)
            index = builder.build(benchmark.corpus, every=False).index
            measure_judges(Retriever.open(index, rules, settings.retriever), benchmark, records, report)
        builder.close()
        return _listed(report)

    finish("measure judges", as_json, work)


@measure.command()
@click.option(
    "--benchmark", "folders", metavar="DIR", required=True, multiple=True, type=FOLDER, help="Two or more benchmarks."
)
@click.option("--every", default=1, show_default=True, type=click.IntRange(1), help="Ask every n-th question.")
@options.JSON
def abstention(folders: tuple[Path, ...], every: int, as_json: bool) -> None:
    """Whether confidence tells answerable questions from others: fitted on one benchmark, reported on another one."""
    finish("measure abstention", as_json, lambda: _rendered(run_abstention(folders, every)))


@measure.command()
@click.option("--benchmark", metavar="DIR", type=FOLDER, help="A benchmark folder: corpus, queries and qrels.")
@click.option(
    "--real",
    metavar="DIR",
    type=FOLDER,
    help="A benchmark folder with questions of people: others are generated for its SOPs and compared with them.",
)
@click.option("--keep", metavar="FILE", type=click.Path(path_type=Path), help="With --real: write the questions there.")
@options.PROFILE
@options.JSON
def questions(benchmark: Path | None, real: Path | None, keep: Path | None, profile: str | None, as_json: bool) -> None:
    """How hard the questions of each level are; or whether generated ones rank systems as those of people do."""
    if (benchmark is None) == (real is None):
        raise click.UsageError("Give either --benchmark or --real.")
    if real:
        finish("measure questions", as_json, lambda: _predicted(real, keep, profile))
    elif benchmark:
        finish("measure questions", as_json, lambda: _difficulty(benchmark))


def _difficulty(benchmark: Path) -> Measured:
    from soprag.benchmarks.quality.questions import measure_questions, render

    report = measure_questions(benchmark)
    return Measured(report, "\n".join(render(report)))


def _predicted(real: Path, keep: Path | None, profile: str | None) -> Measured:
    from soprag.agents.examiner import Examiner
    from soprag.apps.compose.panel import open_panel
    from soprag.benchmarks.quality.prediction import measure_prediction, write_questions
    from soprag.tools.evaluation.agreement import render
    from soprag.tools.evaluation.retrieval import read_benchmark

    settings = open_settings(choose_profile(profile), {})
    examiner = Examiner(services.open_llm(settings), services.open_embedder(settings), settings.examine)
    report, generated = measure_prediction(read_benchmark(real), examiner, open_panel(settings))
    if keep:
        write_questions(keep, generated)
    return Measured(report, "\n".join(render(report)))


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
            return _rendered(measure_damaged(settings, pdfs))
        with contextlib.ExitStack() as stack:
            folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            if hostile:
                return _rendered(measure_hostile(settings))
            return _timed(settings, folder) if speed else _scored(settings, folder)

    finish("measure parsing", as_json, work)


@measure.command()
@click.option("--seeds", default=2, show_default=True, type=click.IntRange(1, 1000), help="Numbers for every chain.")
@options.JSON
def repair(seeds: int, as_json: bool) -> None:
    """Injected faults in calculations: how many are mended with reflection, by retrying, and without."""
    finish("measure repair", as_json, lambda: _rendered(run_repair(open_settings("offline", {}), seeds)))


@measure.command()
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


@measure.command()
@click.argument("file", type=FILE)
@options.JSON
def worded(file: Path, as_json: bool) -> None:
    """Calculations in free language: how many the rules compute, compute wrongly, and pass on to the procedures."""

    def work() -> Measured:
        from soprag.agents.experts.math import MathExpert
        from soprag.benchmarks.quality.worded import measure_worded, read_worded

        sandbox = services.open_sandbox(open_settings("offline", {}), say)
        rules = services.open_rules()
        return _rendered(asyncio.run(measure_worded(rules, MathExpert(rules, sandbox), read_worded(file))))

    finish("measure worded", as_json, work)


@measure.command()
@click.option("--runs", default=20, show_default=True, type=click.IntRange(1, 1000), help="Runs of every program.")
@options.JSON
def sandbox(runs: int, as_json: bool) -> None:
    """What the sandbox costs: preparing it once, and the overhead of every run, on each backend that works here."""
    from soprag.benchmarks.quality.sandbox_cost import measure_sandbox

    def open_backend(backend: str) -> "Sandbox":
        return services.open_sandbox(open_settings("offline", {"sandbox": {"backend": backend}}), say)

    finish("measure sandbox", as_json, lambda: _rendered(measure_sandbox(open_backend, runs)))


def _rendered(report: Any) -> Measured:  # noqa: ANN401 - any report that renders itself
    return Measured(report, report.render())


def _listed(report: "JudgesReport | SupportReport") -> Measured:
    return Measured(report, "\n".join(report.render()))


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


def run_abstention(folders: Sequence[Path], every: int) -> "AbstentionReport":
    """Index every benchmark, ask it its own questions, those of the others and some off the topic, and fit."""
    from soprag.benchmarks.quality.abstention import measure_abstention
    from soprag.tools.evaluation.retrieval import read_benchmark
    from soprag.tools.evaluation.retrieval.product import Builder

    if len(folders) < 2:
        raise UsageError("Name at least two benchmarks: one to fit on and one to report.")
    settings, benchmarks = open_settings(choose_profile(None), {}), [read_benchmark(folder) for folder in folders]
    builder = Builder(
        services.open_embedder(settings), extraction(settings, services.open_llm(settings)), settings.index
    )
    try:
        asked = [_questions_for(benchmark, benchmarks, builder, settings, every) for benchmark in benchmarks]
    finally:
        builder.close()
    return measure_abstention(asked, settings.retriever)


def _questions_for(
    benchmark: "Benchmark", benchmarks: "Sequence[Benchmark]", builder: "Builder", settings: Settings, every: int
) -> "AskedQuestions":
    from soprag.benchmarks.quality.abstention import OFF_TOPIC, AskedQuestions
    from soprag.tools.evaluation.retrieval.fitting import see
    from soprag.tools.retriever.query.retriever import Retriever

    index = builder.build(benchmark.corpus, every=settings.retriever.sim != "late").index
    llm = services.with_fallback(services.open_llm(settings))
    retriever = Retriever.open(index, llm, settings.retriever)
    others = [query.text for other in benchmarks if other is not benchmark for query in other.queries[::every]]
    own = benchmark.queries[::every]
    return AskedQuestions(
        corpus=benchmark.name,
        own=asyncio.run(see(retriever, [query.text for query in own], [query.relevant for query in own])),
        others=asyncio.run(see(retriever, others)),
        off_topic=asyncio.run(see(retriever, OFF_TOPIC)),
    )
