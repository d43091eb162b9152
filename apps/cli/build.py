"""`soprag build`: its options, which run, the graph over it, and the summary a person reads."""

import asyncio
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish, say
from soprag.apps.compose import benchmark
from soprag.apps.compose.settings import cache_folder, choose_profile, drop_unset, open_settings
from soprag.apps.progress import StageProgress, open_progress
from soprag.apps.runs import CHECKPOINT, LATEST, find_run, only_one, own_folder, stored_runs
from soprag.configs.settings import ClusterSettings, Settings
from soprag.tools.errors import StorageError, UsageError
from soprag.tools.publishing import RunSummary
from soprag.tools.sop import Frozen
from soprag.tools.store.panel_record import PANEL_FILE, BaselinePanel
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Manifest
from soprag.tools.tasks.cost import Ledger

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from soprag.tools.llm import Llm

EXAMPLES = """\b
Examples:
  soprag build --topic "Data Center Maintenance"
  soprag build --topic "Pump station" --source ./documents --questions 3
  soprag build --topic "Chiller plant" --search serpapi --credits 20
  soprag build --topic "Data Center Maintenance" --model openai:gpt-4o-mini
  soprag build --topic "Chillers" --model openai:qwen3 --base-url http://127.0.0.1:8000/v1
  soprag build --topic "Chiller plant" --workers 4
  soprag build --topic "Chiller plant" --scheduler tcp://10.0.0.5:8786 --out /shared/chillers
  soprag build --resume                 go on with the latest run
  soprag build --resume runs/pump-station-20260101-120000-000
"""


@click.command(epilog=EXAMPLES)
@click.option("--topic", help="The industrial topic, such as 'Data Center Maintenance'.")
@click.option(
    "--source", metavar="DIR", help="Folder with documents; without it, the web or the embedded library is searched."
)
@click.option(
    "--search",
    type=click.Choice(["auto", "serpapi", "keyless", "none"]),
    help="Collect from the web, and by whom to search it.  [default: auto, serpapi when SERPAPI_API_KEY is set]",
)
@click.option("--credits", type=click.IntRange(0), help="Most paid searches.  [default: 50]")
@click.option("--fetches", type=click.IntRange(0), help="Most requests to web sites.  [default: 400]")
@options.model_options
@click.option("--questions", type=click.IntRange(1, 25), help="Questions per SOP.  [default: 5]")
@click.option("--sample", type=click.IntRange(1), help="SOPs that get questions.  [default: 50]")
@click.option("--seed", type=int, help="Seed of every random choice.  [default: 7]")
@click.option("--limit", type=click.IntRange(1), help="Most documents to collect.  [default: 200]")
@click.option("--concurrency", type=click.IntRange(1, 256), help="Items under way at once.  [default: 8]")
@click.option("--out", metavar="DIR", help="Folder of this run.  [default: runs/<topic>-<time>]")
@click.option(
    "--include",
    multiple=True,
    metavar="URL",
    help="Document of web/left_out that is taken all the same: its URL, its SHA-256, or all.",
)
@options.cluster_options
@options.RESUME_RUN
@options.JSON
@options.QUIET
def build(as_json: bool, quiet: bool, **values: object) -> None:
    """Build a retrieval benchmark of SOPs from a topic, or from a folder of documents."""
    finish("build", as_json, lambda: build_benchmark(BuildCall.model_validate(values), quiet=quiet))


class BuildCall(Frozen):
    """The options of `soprag build`, as given."""

    topic: str | None = None
    source: str | None = None
    search: str | None = None
    credits: int | None = None
    fetches: int | None = None
    profile: str | None = None
    model: str | None = None
    base_url: str | None = None
    questions: int | None = None
    sample: int | None = None
    seed: int | None = None
    limit: int | None = None
    concurrency: int | None = None
    workers: int | None = None
    scheduler: str | None = None
    out: str | None = None
    resume: str | None = None
    include: tuple[str, ...] = ()

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """The options that are settings: section → key → value."""
        tree: dict[str, dict[str, Any]] = {
            "llm": {"model": self.model, "base_url": self.base_url, "concurrency": self.concurrency},
            "examine": {"questions": self.questions, "sample": self.sample, "seed": self.seed},
            "collect": {"limit": self.limit},
            "search": {"engine": self.search},
            "budget": {"credits": self.credits, "fetches": self.fetches},
            "run": {"concurrency": self.concurrency},
            "cluster": {"workers": self.workers, "scheduler": self.scheduler},
        }
        return drop_unset(tree)


class BuildResult(Frozen):
    """The summary of a run, what this process spent, and how long it took (seconds)."""

    summary: RunSummary
    panel: BaselinePanel | None
    model: str
    ledger: Ledger
    seconds: float

    def text(self) -> str:
        """A few lines for a person."""
        counts, folder = self.summary, self.summary.benchmark
        levels = ", ".join(f"{count} {level}" for level, count in counts.levels.items() if count)
        failed = ", ".join(f"{count} at {stage}" for stage, count in counts.failed.items())
        lines = [
            f"{counts.topic}: {counts.sops} SOPs from {counts.kept} of {counts.collected} documents "
            f"({counts.rejected} left out), {counts.questions} questions on {counts.questioned} SOPs.",
            f"  questions  {levels}; {counts.questions} of {counts.questions_wanted} wanted passed all checks",
            f"  benchmark  {folder} (corpus.jsonl, queries.jsonl, qrels/test.tsv)",
            f"  read it    {folder}/report.html, {folder}/datasheet.html",
            f"  took       {self.seconds:.1f} s; {self._spent()}",
        ]
        if failed:
            lines.insert(1, f"  FAILED     {failed}; reasons in the report; --resume {counts.run} tries them again")
        return "\n".join([*lines, *([self.panel.text()] if self.panel else [])])

    def _spent(self) -> str:
        return "answered by rules, no model was asked" if self.model == "rules" else self.ledger.text()


def build_benchmark(call: BuildCall, quiet: bool = False) -> BuildResult:
    """Start or go on with a run and carry it to its benchmark."""
    began = time.monotonic()
    run = _resume(call) if call.resume else _start(call, quiet)
    cluster = open_settings(choose_profile(call.profile, call.model), {"cluster": call.settings["cluster"]}).cluster
    own = own_folder(run, cache_folder(benchmark.run_settings(run)), shared=bool(cluster.scheduler))
    with only_one(run, own):
        try:
            summary, llm = asyncio.run(_drive(run, own, call, cluster, open_progress(quiet)))
        except sqlite3.OperationalError as fault:
            raise StorageError(
                f"The checkpoint of run {run.id!r}: {fault}; go on with --resume once mended."
            ) from fault
    panel = run.read("", PANEL_FILE, BaselinePanel) if run.has("", PANEL_FILE) else None
    seconds = round(time.monotonic() - began, 1)
    return BuildResult(summary=summary, panel=panel, model=llm.name, ledger=llm.ledger, seconds=seconds)


def _start(call: BuildCall, quiet: bool) -> RunFolder:
    if not call.topic or not call.topic.strip():
        raise UsageError("Name a topic: --topic 'Data Center Maintenance', or go on with a run by --resume.")
    if call.source and not Path(call.source).is_dir():
        raise UsageError(f"There is no folder {call.source!r}; give an existing one with --source.")
    profile = choose_profile(call.profile, call.model)
    settings = benchmark.fix_search(open_settings(profile, call.settings), call.source)
    if not quiet and not call.source:
        say(_where(settings))
    run = benchmark.start_run(call.topic, call.source or "", profile, settings, Path(call.out) if call.out else None)
    if not quiet:
        say(f"Run {run.path} (profile {profile}, model {settings.llm.model})")
    return run


def _where(settings: Settings) -> str:
    if settings.search.engine == "none":
        return "No --source given and no search engine set: using the embedded example library."
    most, free = settings.budget, settings.search.engine == "keyless"
    engine, paid = ("search without a key", "") if free else (settings.search.engine, f"{most.credits} paid searches, ")
    return (
        f"Collecting from the web by {engine}: at most {paid}{most.fetches} requests, {most.bytes / 1e6:,.0f} MB, "
        f"{most.seconds / 60:,.0f} minutes."
    )


def _resume(call: BuildCall) -> RunFolder:
    """The run to go on with; options given again must be those it was begun with."""
    runs = Path(open_settings(choose_profile(call.profile), {}).run.folder)
    run = _latest(call, runs) if call.resume == LATEST else find_run(str(call.resume), runs, "run")
    manifest = run.read("", "run", Manifest)
    for option, recorded, requested in _fixed(manifest, call):
        if requested is not None and requested != recorded:
            raise UsageError(
                f"Run {run.id!r} was begun with --{option} {recorded!r} and not {requested!r}; leave the option out, "
                "or start a new run without --resume."
            )
    return run


def _fixed(manifest: Manifest, call: BuildCall) -> list[tuple[str, Any, Any]]:
    """(option, value the run was begun with, value given now) of all options that may not change."""
    source = str(Path(call.source).absolute()) if call.source else None
    free = {"concurrency", "workers", "scheduler", *(["engine"] if call.search == "auto" else [])}
    fixed = [
        ("topic", manifest.topic, call.topic),
        ("source", manifest.source, source),
        ("profile", manifest.profile, call.profile),
    ]
    for section, keys in call.settings.items():
        stored = manifest.settings[section]
        fixed += [(key.replace("_", "-"), stored[key], value) for key, value in keys.items() if key not in free]
    return fixed


def _latest(call: BuildCall, runs: Path) -> RunFolder:
    if call.out:
        return find_run(call.out, runs, "run")
    for run in stored_runs(runs, "run"):
        if call.topic in (None, run.read("", "run", Manifest).topic):
            return run
    on_topic = f" on the topic {call.topic!r}" if call.topic else ""
    raise UsageError(f"There is no run{on_topic} in {str(runs)!r} to go on with; start one without --resume.")


async def _drive(
    run: RunFolder, own: Path, call: BuildCall, cluster: ClusterSettings, progress: StageProgress
) -> "tuple[RunSummary, Llm]":
    """Carry the graph to its end, always from its first node: what is done already is found on disk and skipped."""
    from soprag.apps.cluster.build_runner import open_runner
    from soprag.graphs.benchmark import create_benchmark_builder
    from soprag.graphs.benchmark.context import BenchmarkContext, OpenedBuild
    from soprag.graphs.benchmark.state import BenchmarkInput, BenchmarkState
    from soprag.graphs.checkpoints import open_checkpoints

    build = benchmark.open_build(run, call.concurrency, call.include, own)
    # Python's own pool has six threads on two cores: waiting for an embedding service would hold up everything else.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2 * build.concurrency + 6))
    manifest = run.read("", "run", Manifest)
    request = BenchmarkInput(topic=manifest.topic, source=manifest.source, run=str(run.path))
    async with (
        open_checkpoints(own / CHECKPOINT, BenchmarkState) as saver,
        open_runner(build, cluster, progress.note) as runner,
    ):
        context = BenchmarkContext(runs=OpenedBuild(build), runner=runner)
        graph = create_benchmark_builder(context=context, checkpointer=saver)
        with progress:
            config: RunnableConfig = {"configurable": {"thread_id": run.id}}
            async for part in graph.astream(request, config, stream_mode=["custom", "values"], version="v2"):
                if part["type"] == "custom":
                    progress.note(part["data"])
                elif part["type"] == "values":
                    result = part["data"]
    return result["summary"], build.llm
