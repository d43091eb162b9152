"""`soprag research`: its options, which run, the graph over it, and the person who may be asked."""

import asyncio
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import ValidationError

from soprag.apps.cli import options
from soprag.apps.cli.output import finish, say
from soprag.apps.compose import local_sources
from soprag.apps.compose import research as studies
from soprag.apps.compose.settings import choose_profile, drop_unset, open_settings
from soprag.apps.progress import StageProgress, open_progress
from soprag.apps.runs import find_run, only_one
from soprag.apps.terminal.report_judgement import judge_report
from soprag.configs.settings import Settings
from soprag.tools.approval import HumanDecision, RequestedAction, build_response, read_request
from soprag.tools.errors import StorageError, UsageError
from soprag.tools.publishing.research import ResearchReport
from soprag.tools.research.records import ResearchManifest
from soprag.tools.sop import Frozen
from soprag.tools.store.run_folder import RunFolder

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.types import Command

    from soprag.graphs.deepsearch.graph import Researcher
    from soprag.graphs.deepsearch.state import DeepSearchInput

    Step = DeepSearchInput | Command[Any]

ENGINES = {"serpapi": "serpapi", "keyless": "keyless", "library": "none"}

EXAMPLES = """\b
Examples:
  soprag research "How is a chiller plant started after a power failure, and what are the hazards?"
  soprag research "Why do centrifugal pumps cavitate?" --search keyless --budget fetches=30
  soprag research "Nitric acid plants: diagrams and patents" --search serpapi --model openai:gpt-4o
  soprag research "UPS battery replacement" --judge rules --judge human
  soprag research --resume                      go on with the latest
  soprag research --resume RUN --reject "the hazards of hydrogen are missing"
"""


@click.command(epilog=EXAMPLES)
@click.argument("question", required=False)
@click.option(
    "--search",
    type=click.Choice(["serpapi", "keyless", "library"]),
    help="Where to look.  [default: serpapi when its key is set, else the example library]",
)
@click.option(
    "--local",
    multiple=True,
    metavar="DIR",
    help="Also search this index, or 'library' for the examples; may be given several times.  "
    "[default: your own index]",
)
@click.option(
    "--judge",
    "judges",
    multiple=True,
    type=click.Choice(["rules", "model", "reward", "human"]),
    help="Who judges; may be given several times.  [default: rules; with a key also model]",
)
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="WHAT=N",
    help="Most credits, fetches, bytes, seconds or tokens, such as credits=5; may be given several times.",
)
@click.option("--versions", type=click.IntRange(1, 20), help="Most versions of the report.  [default: 3]")
@options.model_options
@click.option("--out", metavar="DIR", help="Folder of this run.  [default: runs/research-<question>-<time>]")
@options.RESUME_RUN
@click.option("--approve", is_flag=True, help="Accept the report that waits for a person.")
@click.option("--reject", metavar="TEXT", help="Send the report that waits back, with what is missing or wrong.")
@options.JSON
@options.QUIET
def research(as_json: bool, quiet: bool, **values: Any) -> None:  # noqa: ANN401 - the options above
    """Research QUESTION on the web and print a report in which every sentence names its sources.

    Without a search key your own index is searched, or the example library where there is none. The run folder gets
    report.md, report.html and report.json.
    Exit code 4 when nothing was found, 5 when a person must judge and nobody can be asked.
    """
    call = ResearchCall.model_validate(values)
    finish("research", as_json, lambda: ReportPrinter(find_out(call, quiet)))


@dataclass(frozen=True)
class ReportPrinter:
    """A report on its way to the screen or into a pipe."""

    report: ResearchReport

    def text(self) -> str:
        """The report, and where its files are."""
        report = self.report
        marks = ", ".join(f"{judgement.judge} {judgement.score:.1f}" for judgement in report.judgements)
        foot = f"Version {report.version} of {report.versions}, {report.score:.1f} of 4 ({marks}). {report.cost}."
        return f"{report.text()}\n\n{foot}\nRead it: {report.run}/report/report.html"

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        """The report with all citations, for --json."""
        return self.report.model_dump(mode=mode)


class ResearchCall(Frozen):
    """The options of `soprag research`, as given."""

    question: str | None = None
    search: str | None = None
    local: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    budgets: tuple[str, ...] = ()
    versions: int | None = None
    profile: str | None = None
    model: str | None = None
    base_url: str | None = None
    out: str | None = None
    resume: str | None = None
    approve: bool = False
    reject: str | None = None

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """The options that are settings: section → key → value."""
        tree: dict[str, dict[str, Any]] = {
            "llm": {"model": self.model, "base_url": self.base_url},
            "search": {"engine": ENGINES[self.search] if self.search else None},
            "research": {
                "judges": list(self.judges) or None,
                "versions": self.versions,
                "local": list(self.local) or None,
            },
            "budget": _amounts(self.budgets),
        }
        return drop_unset(tree)


def find_out(call: ResearchCall, quiet: bool = False) -> ResearchReport:
    """Start or go on with a run and carry it to its report; raises `ApprovalNeeded` when a person must judge."""
    if (call.approve or call.reject) and not call.resume:
        raise UsageError("--approve and --reject answer a run that waits; name it with --resume.")
    if call.approve and call.reject:
        raise UsageError("Give --approve or --reject, not both.")
    run, settings = _resume(call) if call.resume else _start(call, quiet)
    with open_progress(quiet) as progress:
        local_sources.prepare_library(settings, studies.is_online(settings), say, progress.note)
    with only_one(run):
        try:
            report = asyncio.run(_drive(run, settings, call, open_progress(quiet)))
        except sqlite3.OperationalError as fault:
            raise StorageError(
                f"The checkpoint of run {run.id!r}: {fault}; go on with --resume once mended."
            ) from fault
    return report


def _start(call: ResearchCall, quiet: bool) -> tuple[RunFolder, Settings]:
    if not call.question or not call.question.strip():
        raise UsageError("Ask a question: soprag research 'How ...?', or go on with a run by --resume.")
    profile = choose_profile(call.profile, call.model)
    settings = open_settings(profile, call.settings)
    studies.check(settings)
    question = " ".join(call.question.split())
    run = studies.start_research(question, profile, settings, Path(call.out) if call.out else None)
    if not quiet:
        say(f"Run {run.path} (profile {profile}, model {settings.llm.model})")
    return run, settings


def _resume(call: ResearchCall) -> tuple[RunFolder, Settings]:
    """The run to go on with, its settings as they were but for what may change: budget, judges, versions."""
    run = find_run(str(call.resume), Path(open_settings(choose_profile(call.profile), {}).run.folder), "research")
    manifest = run.read("", "research", ResearchManifest)
    if call.question and " ".join(call.question.split()) != manifest.question:
        raise UsageError(f"Run {run.id!r} is about {manifest.question!r}; leave the question out, or start a new run.")
    overrides = call.settings
    for section, key in (("llm", "model"), ("llm", "base_url"), ("search", "engine")):
        if key in overrides[section] and overrides[section][key] != manifest.settings[section][key]:
            raise UsageError(
                f"Run {run.id!r} was begun with {section}.{key} {manifest.settings[section][key]!r}; leave the option "
                "out, or start a new run without --resume."
            )
    free = {section: manifest.settings[section] | overrides[section] for section in ("research", "budget")}
    try:
        settings = Settings.model_validate(manifest.settings | free)
    except ValidationError as error:
        detail = error.errors()[0]
        raise UsageError(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}.") from error
    studies.check(settings)
    return run, settings


async def _drive(run: RunFolder, settings: Settings, call: ResearchCall, progress: StageProgress) -> ResearchReport:
    """Carry the graph to its end, always from its first node: what is done already is found on disk and skipped."""
    from langgraph.types import Command

    from soprag.graphs.checkpoints import open_checkpoints
    from soprag.graphs.deepsearch import create_researcher
    from soprag.graphs.deepsearch.context import DeepSearchContext, OpenedResearch
    from soprag.graphs.deepsearch.state import DeepSearchInput, DeepSearchState

    question = run.read("", "research", ResearchManifest).question
    async with (
        studies.open_research(run, settings) as opened,
        open_checkpoints(run.path / "checkpoint.sqlite", DeepSearchState) as saver,
    ):
        context = DeepSearchContext(runs=OpenedResearch(opened))
        graph = create_researcher(context=context, checkpointer=saver)
        step: Step = DeepSearchInput(question=question, run=str(run.path))
        answer = _given(call)
        while True:
            result, proposal = await _stream(graph, step, run.id, progress)
            if proposal is None:
                report: ResearchReport = result["report"]
                return report
            if answer is None:
                answer = await asyncio.to_thread(judge_report, proposal, run.id)
            step = Command(resume=build_response([answer]))
            answer = None  # an answer from the command line is for the report that waits, not for the next one


async def _stream(
    graph: "Researcher", step: "Step", thread: str, progress: StageProgress
) -> tuple[dict[str, Any], RequestedAction | None]:
    """The state where the graph stopped, and what a person is asked there, if anything."""
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    result: dict[str, Any] = {}
    with progress:
        async for part in graph.astream(step, config, stream_mode=["custom", "values"], version="v2"):
            if part["type"] == "custom":
                progress.note(part["data"])
            elif part["type"] == "values":
                result = dict(part["data"])
    waiting = (await graph.aget_state(config)).interrupts
    return result, (read_request(waiting[0].value)[0] if waiting else None)


def _given(call: ResearchCall) -> HumanDecision | None:
    if call.approve:
        return HumanDecision(type="approve")
    return HumanDecision(type="reject", message=call.reject) if call.reject else None


def _amounts(budgets: tuple[str, ...]) -> dict[str, float]:
    """`credits=5` as a setting; raises `UsageError`."""
    amounts: dict[str, float] = {}
    for amount in budgets:
        name, _, number = amount.partition("=")
        try:
            amounts[name.strip()] = float(number) if name.strip() == "seconds" else int(number.replace("_", ""))
        except ValueError:
            raise UsageError(f"--budget takes WHAT=N such as credits=5, not {amount!r}.") from None
    return amounts
