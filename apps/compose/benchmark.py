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
from soprag.tools.store.run_records import Manifest

if TYPE_CHECKING:
    from soprag.agents.collecting.web_source import Means, WebSource
    from soprag.graphs.benchmark.context import BuildContext
    from soprag.tools.embedding import Embedder
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


def open_build(run: RunFolder, concurrency: int | None = None, include: tuple[str, ...] = ()) -> "BuildContext":
    """The collaborators of a run, with the settings its manifest fixed; `include`: see `WebSource`."""
    from soprag.agents.archivist import Archivist
    from soprag.agents.collecting.web_source import Means
    from soprag.agents.collector import Collector
    from soprag.agents.examiner import Examiner
    from soprag.graphs.benchmark.context import BuildContext
    from soprag.tools.search.registry import open_engines

    manifest = run.read("", "run", Manifest)
    settings = Settings.model_validate(manifest.settings)
    llm, embedder = services.open_llm(settings), services.open_embedder(settings)
    archivist = Archivist(settings.parsing, cache_folder(settings), llm)
    # A page that is only looked at while searching is not worth describing its pictures.
    glancing = Archivist(settings.parsing, cache_folder(settings))
    source: DocumentSource | WebSource = _open_source(manifest.source, settings, embedder)
    if not manifest.source and settings.search.engine != "none":
        engines = open_engines(settings.search, cache_folder(settings))
        source = _open_web(run, settings, Means(llm, embedder, glancing, engines), include)
    return BuildContext(
        run=run,
        llm=llm,
        embedder=embedder,
        collector=Collector(llm, source, settings.collect.limit),
        archivist=archivist,
        auditor=services.open_auditor(settings, llm),
        examiner=Examiner(llm, embedder, settings.examine),
        panel=open_panel(settings) if settings.examine.panel else None,
        concurrency=concurrency or settings.run.concurrency,
        began=f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}",
    )


def _open_web(run: RunFolder, settings: Settings, means: "Means", include: tuple[str, ...]) -> "WebSource":
    from soprag.agents.collecting.web_source import WebSource
    from soprag.tools.web.budget import BudgetLimits

    limits = BudgetLimits.model_validate(settings.budget.model_dump())
    return WebSource(run.path / "web", means, settings.web, settings.collect, limits, include)


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
