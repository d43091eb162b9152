"""The benchmark builder composed: settings become agents, agents and a run folder the context of its graph."""

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps.compose import services
from soprag.apps.compose.panel import open_panel
from soprag.apps.compose.settings import cache_folder, recorded_settings
from soprag.apps.runs import new_run
from soprag.configs.settings import Settings
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Manifest, ledger_page

if TYPE_CHECKING:
    from soprag.agents.collecting.web_source import Means, WebSource
    from soprag.graphs.benchmark.context import BuildContext
    from soprag.tools.embedding import Embedder
    from soprag.tools.llm import Llm
    from soprag.tools.search import DocumentSource


def fix_search(settings: Settings, source: str | None) -> Settings:
    """The settings with the search engine they come to: a run that goes on must not change it with the keys set."""
    from soprag.tools.search.registry import which

    engine = "none" if source else which(settings.search)
    return settings.model_copy(update={"search": settings.search.model_copy(update={"engine": engine})})


def start_run(topic: str, source: str, profile: str, settings: Settings, folder: Path | None = None) -> RunFolder:
    """A new run folder with its manifest: `folder`, or one named after topic and time below `run.folder`."""
    run = new_run(topic, Path(settings.run.folder), folder)
    manifest = Manifest(
        run=run.id,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        topic=topic,
        source=str(Path(source).absolute()) if source else "",
        profile=profile,
        version=version("soprag"),
        settings=recorded_settings(settings),
        editions=_editions(settings),
    )
    run.write("", "run", manifest)
    return run


def run_settings(run: RunFolder) -> Settings:
    """The settings that the manifest of a run fixed."""
    return Settings.model_validate(run.read("", "run", Manifest).settings)


def open_build(
    run: RunFolder, concurrency: int | None = None, include: tuple[str, ...] = (), own: Path | None = None
) -> "BuildContext":
    """The collaborators of a run, with the settings its manifest fixed.

    `include`: see `WebSource`, which keeps its journal in `own`; without it in the folder of the run.
    """
    from soprag.agents.archivist import Archivist
    from soprag.agents.collecting.web_source import Means
    from soprag.tools.search.registry import open_engines

    manifest, settings = run.read("", "run", Manifest), run_settings(run)
    llm, embedder = services.open_llm(settings), services.open_embedder(settings)
    source: DocumentSource | WebSource = _open_source(manifest.source, settings, embedder)
    if not manifest.source and settings.search.engine != "none":
        engines = open_engines(settings.search, cache_folder(settings))
        # A page that is only looked at while searching is not worth describing its pictures.
        glancing = Archivist(settings.parsing, cache_folder(settings))
        source = _open_web(own or run.path, settings, Means(llm, embedder, glancing, engines), include)
    return _context(run, settings, (llm, embedder), source, concurrency)


def open_worker_build(run: RunFolder, settings: Settings, llm: "Llm", embedder: "Embedder") -> "BuildContext":
    """The collaborators of a worker, which archives, audits and examines, but neither collects nor publishes."""
    return _context(run, settings, (llm, embedder), _open_source(str(run.path), settings, embedder))


def _context(
    run: RunFolder,
    settings: Settings,
    models: "tuple[Llm, Embedder]",
    source: "DocumentSource | WebSource",
    concurrency: int | None = None,
) -> "BuildContext":
    from soprag.agents.archivist import Archivist
    from soprag.agents.collector import Collector
    from soprag.agents.examiner import Examiner
    from soprag.graphs.benchmark.context import BuildContext

    llm, embedder = models
    return BuildContext(
        run=run,
        llm=llm,
        embedder=embedder,
        collector=Collector(llm, source, settings.collect.limit),
        archivist=Archivist(settings.parsing, cache_folder(settings), llm),
        auditor=services.open_auditor(settings, llm),
        examiner=Examiner(llm, embedder, settings.examine),
        panel=open_panel(settings) if settings.examine.panel else None,
        concurrency=concurrency or settings.run.concurrency,
        page=ledger_page(),
    )


def _open_web(folder: Path, settings: Settings, means: "Means", include: tuple[str, ...]) -> "WebSource":
    from soprag.agents.collecting.web_source import WebSource
    from soprag.tools.web.budget import BudgetLimits

    limits = BudgetLimits.model_validate(settings.budget.model_dump())
    return WebSource(folder / "web", means, settings.web, settings.collect, limits, include)


def _open_source(source: str, settings: Settings, embedder: "Embedder") -> "DocumentSource":
    from soprag.tools.search.folder import FolderSource
    from soprag.tools.search.library import LibrarySource

    if source:
        return FolderSource(Path(source), settings.collect.max_bytes)
    return LibrarySource(embedder, settings.collect.threshold)


def _editions(settings: Settings) -> dict[str, str]:
    from soprag.tools.tasks.benchmark import TASKS

    llm = services.open_llm(settings)
    return {task.name: llm.fingerprint(task) for task in TASKS}
