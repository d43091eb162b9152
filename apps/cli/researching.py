"""What `soprag research` does: which run, the graph over it, and the person who may be asked."""

import asyncio
import sqlite3
import sys
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from pydantic import ValidationError

from soprag.apps.compose import components, research
from soprag.apps.progress import StageProgress, open_progress
from soprag.apps.run_lock import only_one
from soprag.configs.settings import Settings
from soprag.graphs.deepsearch.graph import Compiled, DeepSearchInput, DeepSearchNodes, compile_graph
from soprag.tools.errors import ApprovalNeeded, StorageError, UsageError
from soprag.tools.publishing.research import ResearchReport
from soprag.tools.research.records import ResearchManifest
from soprag.tools.sop import Frozen
from soprag.tools.store.run_folder import RunFolder

LATEST = "latest"
Step = DeepSearchInput | Command[Any]
ENGINES = {"serpapi": "serpapi", "keyless": "keyless", "library": "none"}


class ResearchCall(Frozen):
    """The options of `soprag research`, as given."""

    question: str | None = None
    search: str | None = None
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
            "research": {"judges": list(self.judges) or None, "versions": self.versions},
            "budget": _amounts(self.budgets),
        }
        return {section: {k: v for k, v in keys.items() if v is not None} for section, keys in tree.items()}


def find_out(call: ResearchCall, quiet: bool = False) -> ResearchReport:
    """Start or go on with a run and carry it to its report; raises `ApprovalNeeded` when a person must judge."""
    if (call.approve or call.reject) and not call.resume:
        raise UsageError("--approve and --reject answer a run that waits; name it with --resume.")
    if call.approve and call.reject:
        raise UsageError("Give --approve or --reject, not both.")
    run, settings = _resume(call) if call.resume else _start(call, quiet)
    with only_one(run):
        try:
            report = asyncio.run(_drive(run, settings, call, open_progress(quiet)))
        except sqlite3.OperationalError as fault:
            raise StorageError(
                f"The checkpoint of run {run.id!r}: {fault}; go on with --resume once mended."
            ) from fault
    return ResearchReport.model_validate(report)


def _start(call: ResearchCall, quiet: bool) -> tuple[RunFolder, Settings]:
    if not call.question or not call.question.strip():
        raise UsageError("Ask a question: soprag research 'How ...?', or go on with a run by --resume.")
    profile = components.choose_profile(call.profile, call.model)
    settings = components.open_settings(profile, call.settings)
    research.check(settings)
    question = " ".join(call.question.split())
    run = research.start_research(question, profile, settings, Path(call.out) if call.out else None)
    if not quiet:
        _say(f"Run {run.path} (profile {profile}, model {settings.llm.model})")
    return run, settings


def _resume(call: ResearchCall) -> tuple[RunFolder, Settings]:
    """The run to go on with, its settings as they were but for what may change: budget, judges, versions."""
    run = _find(
        str(call.resume), Path(components.open_settings(components.choose_profile(call.profile), {}).run.folder)
    )
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
    research.check(settings)
    return run, settings


def _find(name: str, runs: Path) -> RunFolder:
    if name == LATEST:
        files = sorted(runs.glob("*/research.json"), key=lambda file: file.stat().st_mtime)
        if not files:
            raise UsageError(f"There is no research in {str(runs)!r} to go on with; start one with a question.")
        return RunFolder(files[-1].parent.absolute())
    for path in (Path(name), runs / name):
        if (path / "research.json").is_file():
            return RunFolder(path.absolute())
    raise UsageError(f"There is no research {name!r}, neither as a folder nor in {str(runs)!r}.")


async def _drive(run: RunFolder, settings: Settings, call: ResearchCall, progress: StageProgress) -> dict[str, Any]:
    """Carry the graph to its end, always from its first node: what is done already is found on disk and skipped."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    question = run.read("", "research", ResearchManifest).question
    async with (
        research.opened_study(run, settings) as study,
        AsyncSqliteSaver.from_conn_string(str(run.path / "checkpoint.sqlite")) as saver,
    ):
        graph = compile_graph(DeepSearchNodes(lambda _: study, lambda _: run.path), saver)
        step: Step = DeepSearchInput(question=question, run=str(run.path))
        answer = _given(call)
        while True:
            result, proposal = await _stream(graph, step, run.id, progress)
            if proposal is None:
                return dict(result["report"])
            reply = answer or await asyncio.to_thread(_ask, proposal, run.id)
            answer = None  # an answer from the command line is for the report that waits, not for the next one
            step = Command(resume=reply)


async def _stream(
    graph: Compiled,
    step: Step,
    thread: str,
    progress: StageProgress,
) -> tuple[dict[str, Any], dict[str, Any] | None]:
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
    return result, (dict(waiting[0].value) if waiting else None)


def _given(call: ResearchCall) -> dict[str, Any] | None:
    if call.approve:
        return {"decisions": [{"type": "approve"}]}
    return {"decisions": [{"type": "reject", "message": call.reject}]} if call.reject else None


def _ask(proposal: dict[str, Any], run: str) -> dict[str, Any]:
    """Show the report to the person at the terminal; nothing but a yes accepts it."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ApprovalNeeded(
            f"Run {run!r} waits for a person's judgement: go on with soprag research --resume {run} and --approve or "
            "--reject 'what is missing'."
        )
    arguments = proposal["action_requests"][0]["args"]
    _say(f"\n{arguments['report']}\n")
    for judge, score in arguments["scores"].items():
        _say(f"{judge}: {score:.1f} of 4")
    for answer in arguments["feedback"]:
        _say(f"- {answer}")
    sys.stderr.write("Is this report good enough? [y/N, or what is missing] ")
    sys.stderr.flush()
    answer = sys.stdin.readline().strip()
    if answer.lower() in ("y", "yes"):
        return {"decisions": [{"type": "approve"}]}
    message = "" if answer.lower() in ("", "n", "no") else answer
    return {"decisions": [{"type": "reject", "message": message}]}


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


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
