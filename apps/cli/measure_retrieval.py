"""`soprag measure` for questions and answers: support, judges, abstention, generated questions."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from soprag.apps.cli import options
from soprag.apps.cli.measured import FILE, FOLDER, Measured, listed, rendered
from soprag.apps.cli.output import finish, say
from soprag.apps.compose import services
from soprag.apps.compose.index import extraction, open_retriever
from soprag.apps.compose.settings import CallOptions, choose_profile, open_settings
from soprag.apps.progress import open_progress
from soprag.configs.settings import Settings
from soprag.tools.errors import UsageError

if TYPE_CHECKING:
    from soprag.benchmarks.quality.abstention import AbstentionReport, AskedQuestions
    from soprag.benchmarks.quality.asked_procedures import AskedReport
    from soprag.tools.evaluation.retrieval.benchmark import Benchmark
    from soprag.tools.evaluation.retrieval.product import Builder
    from soprag.tools.tasks.task import Llm


@click.command()
@click.option("--procedures", metavar="DIR", required=True, type=FOLDER, help="The procedures, as <name>.md.")
@click.option("--sentences", metavar="FILE", required=True, type=FILE, help="Sentences with lines and verdicts (JSON).")
@click.option("--judge", type=click.Choice(("trusting", "random")), help="A useless opinion in place of a model's.")
@options.MODEL
@options.BASE_URL
@options.JSON
def support(
    procedures: Path, sentences: Path, judge: str | None, model: str | None, base_url: str | None, as_json: bool
) -> None:
    """How well true sentences are told from false ones by the lines they cite, by rules or with a model's opinion."""
    from soprag.benchmarks.quality.support import measure_support, read_sentences, useless_judge

    def opinions() -> "Llm":
        if judge:
            return useless_judge(judge)
        asked = CallOptions(model=model, base_url=base_url)
        return services.open_llm(asked.settings()) if model else services.open_rules()

    def work() -> Measured:
        return listed(asyncio.run(measure_support(procedures, read_sentences(sentences), opinions())))

    finish("measure support", as_json, work)


@click.command()
@click.argument("file", type=FILE)
@options.INDEX
@options.JSON
def asked(file: Path, folder: str | None, as_json: bool) -> None:
    """Reports of a state, conditional questions and orders: the place of the right procedure, and of its card."""
    finish("measure asked", as_json, lambda: rendered(run_asked(file, folder)))


@click.command()
@click.option(
    "--benchmark", "folders", metavar="DIR", required=True, multiple=True, type=FOLDER, help="A benchmark; repeatable."
)
@click.option("--answers", metavar="FILE", type=FILE, help="Answers of a model to some of the questions (JSON lines).")
@click.option(
    "--record",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Ask --model 30 questions of each, and write there.",
)
@options.MODEL
@options.BASE_URL
@options.PROFILE
@options.JSON
def judges(
    folders: tuple[Path, ...], answers: Path | None, record: Path | None, as_json: bool, **values: str | None
) -> None:
    """What the judgement on the candidates changes: useless judges, and a recorded model."""
    from soprag.benchmarks.quality.choice import (
        JudgesReport,
        measure_judges,
        read_records,
        record_choices,
        write_records,
    )
    from soprag.tools.evaluation.retrieval import read_benchmark
    from soprag.tools.evaluation.retrieval.product import Builder
    from soprag.tools.retriever.query.retriever import Retriever

    def work() -> Measured:
        settings, rules = CallOptions(**values).settings(), services.open_rules()
        report, records = JudgesReport(), read_records(answers) if answers else {}
        builder = Builder(services.open_embedder(settings), extraction(settings, rules), settings.index)
        for folder in folders:
            benchmark = read_benchmark(folder)
            retriever = Retriever.open(builder.build(benchmark.corpus, every=False).index, rules, settings.retriever)
            if record:
                records |= {
                    choice.query: choice
                    for choice in asyncio.run(record_choices(retriever, benchmark, services.open_llm(settings)))
                }
                write_records(record, records.values())
            measure_judges(retriever, benchmark, records, report)
        builder.close()
        return listed(report)

    finish("measure judges", as_json, work)


@click.command()
@click.option(
    "--benchmark", "folders", metavar="DIR", required=True, multiple=True, type=FOLDER, help="Two or more benchmarks."
)
@click.option("--every", default=1, show_default=True, type=click.IntRange(1), help="Ask every n-th question.")
@options.JSON
def abstention(folders: tuple[Path, ...], every: int, as_json: bool) -> None:
    """Whether confidence tells answerable questions from others: fitted on one benchmark, reported on another one."""
    finish("measure abstention", as_json, lambda: rendered(run_abstention(folders, every)))


@click.command()
@click.option("--benchmark", metavar="DIR", type=FOLDER, help="A benchmark folder: corpus, queries and qrels.")
@click.option(
    "--real",
    metavar="DIR",
    type=FOLDER,
    help="A benchmark folder with questions of people: others are generated for its SOPs and compared with them.",
)
@click.option("--keep", metavar="FILE", type=click.Path(path_type=Path), help="With --real: write the questions there.")
@click.option("--sops", type=click.IntRange(1), help="With --real: only so many of its SOPs, drawn by examine.seed.")
@click.option(
    "--draws",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="With --real: so many draws of the rules, to see how much is chance.",
)
@options.model_options
@options.JSON
def questions(
    benchmark: Path | None,
    real: Path | None,
    keep: Path | None,
    sops: int | None,
    draws: int,
    as_json: bool,
    **values: str | None,
) -> None:
    """How hard the questions of each level are; or whether generated ones rank systems as those of people do."""
    if (benchmark is None) == (real is None):
        raise click.UsageError("Give either --benchmark or --real.")
    if real:
        settings = CallOptions(**values).settings()
        finish("measure questions", as_json, lambda: _predicted(real, sops, keep, draws, settings))
    elif benchmark:
        finish("measure questions", as_json, lambda: _difficulty(benchmark))


def _difficulty(benchmark: Path) -> Measured:
    from soprag.benchmarks.quality.questions import measure_questions, render

    report = measure_questions(benchmark)
    return Measured(report, "\n".join(render(report)))


def _predicted(real: Path, sops: int | None, keep: Path | None, draws: int, settings: Settings) -> Measured:
    from soprag.agents.examiner import Examiner
    from soprag.apps.compose.panel import open_panel
    from soprag.benchmarks.quality.prediction import DrawnRules, measure_prediction, some_sops, write_questions
    from soprag.tools.evaluation.agreement import DrawnAgreement, render, render_draws
    from soprag.tools.evaluation.retrieval import read_benchmark

    if draws > 1 and settings.llm.model != "rules":
        raise UsageError("--draws is about the rules; a model's questions have one draw.")
    embedder, llms = services.open_embedder(settings), [services.open_llm(settings)]
    llms += [DrawnRules(draw=draw) for draw in range(1, draws)]
    chosen = some_sops(read_benchmark(real), sops, settings.examine.seed)
    examiners = [Examiner(llm, embedder, settings.examine) for llm in llms]
    agreements, generated = measure_prediction(chosen, examiners, open_panel(settings))
    if keep:
        write_questions(keep, generated)
    if draws > 1:
        drawn = DrawnAgreement(draws=agreements)
        return Measured(drawn, "\n".join([*render(agreements[0]), *render_draws(drawn)]))
    return Measured(agreements[0], "\n".join(render(agreements[0])))


def run_asked(file: Path, folder: str | None) -> "AskedReport":
    """Ask every question of the index, or without one of that of the example library."""
    from soprag.apps.compose.example_index import choose_index
    from soprag.benchmarks.quality.asked_procedures import measure_asked, read_asked

    with open_progress(quiet=False) as progress:
        settings = choose_index(open_settings(choose_profile(None), {"index": {"folder": folder}}), say, progress.note)
    with open_retriever(settings) as retriever:
        return measure_asked(retriever, read_asked(file))


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
