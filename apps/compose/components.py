"""The composition root: settings become tools, tools become agents, agents and a run folder become a workshop."""

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soprag.configs.settings import RetrieverSettings, Settings, SettingsError, load
from soprag.tools.errors import ConfigError, UsageError
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Manifest

if TYPE_CHECKING:
    from soprag.agents.auditor import Auditor
    from soprag.agents.collecting.web_source import Means, WebSource
    from soprag.graphs.benchmark.context import BuildContext
    from soprag.tools.embedding import Embedder
    from soprag.tools.llm import Llm
    from soprag.tools.retriever.index.index import Extraction
    from soprag.tools.sandbox import Sandbox, Told
    from soprag.tools.search import DocumentSource

Options = Mapping[str, Mapping[str, Any]]


def choose_profile(profile: str | None, model: str | None = None) -> str:
    """The profile somebody named; else `openai` when its key is set and no other model was named, else `offline`.

    Who names a model, say on a server of their own, changes nothing else: texts are still embedded on this machine.
    """
    return profile or ("openai" if os.environ.get("OPENAI_API_KEY") and not model else "offline")


def open_settings(profile: str, options: Options) -> Settings:
    """The settings of this process; raises `ConfigError`."""
    try:
        return load(profile, options)
    except SettingsError as error:
        raise ConfigError(str(error)) from error


def paper_retriever() -> RetrieverSettings:
    """The query path as the paper writes it, whatever else is set."""
    return load("paper", environment={}).retriever


def cache_folder(settings: Settings) -> Path:
    """Where answers and vectors are kept between runs."""
    import platformdirs

    return Path(settings.run.cache) if settings.run.cache else platformdirs.user_cache_path("soprag")


def open_embedder(settings: Settings) -> "Embedder":
    """The embedding door of these settings."""
    from soprag.tools import embedding

    return embedding.open_embedder(settings.embedding, cache_folder(settings))


def open_llm(settings: Settings) -> "Llm":
    """The chat door of these settings."""
    from soprag.tools import llm

    return llm.open_llm(settings.llm, settings.prices, cache_folder(settings), partial(open_rules, settings))


def open_rules(settings: Settings | None = None) -> "Llm":
    """The rules adapter, which needs no model; with `settings`, rules read whole documents in parser processes."""
    from soprag.tools.parsing.function_calls import ParserRunner
    from soprag.tools.rules.adapter import RulesLlm

    return RulesLlm(runner=ParserRunner(settings.parsing, cache_folder(settings))) if settings else RulesLlm()


def with_fallback(llm: "Llm") -> "Llm":
    """`llm`, answered by the rules where it fails; unchanged when it is the rules already."""
    from soprag.tools.llm.fallback import FallbackLlm

    rules = open_rules()
    return llm if llm.name == rules.name else FallbackLlm(llm, rules)


def open_auditor(settings: Settings, llm: "Llm") -> "Auditor":
    """The Auditor of these settings; whole documents are read in parser processes."""
    from soprag.agents.auditor import Auditor, SplitLimits
    from soprag.tools.parsing.function_calls import ParserRunner

    limits = SplitLimits(settings.parsing.max_procedures, settings.parsing.max_cut_characters)
    window = None if settings.llm.model == "rules" else settings.llm.max_input_characters
    return Auditor(llm, window, limits, ParserRunner(settings.parsing, cache_folder(settings)))


def open_sandbox(settings: Settings, tell: "Told | None" = None) -> "Sandbox":
    """The sandbox of these settings, with the tools its programs may call; `tell` hears of its one-time preparation."""
    from soprag.tools import sandbox
    from soprag.tools.math.toolbox import host_tools

    return sandbox.open_sandbox(settings.sandbox, cache_folder(settings), host_tools(), tell)


def extraction(settings: Settings, llm: "Llm") -> "Extraction":
    """How views are made, and the edition that tells when they have to be made anew."""
    from soprag.tools.retriever.index.elements import LAYOUT
    from soprag.tools.retriever.index.extraction import Extractor
    from soprag.tools.retriever.index.index import Extraction
    from soprag.tools.tasks.retriever import EXTRACT

    by_rule = settings.llm.model == "rules"
    window, guard = (0, None) if by_rule else (settings.llm.max_input_characters, open_rules())
    extractor = Extractor(llm, window=window, guard=guard)
    return Extraction(
        f"{extractor.mode}/{llm.fingerprint(EXTRACT)}/{LAYOUT}{'e' if settings.index.element_vectors else ''}",
        extractor.extract,
    )


def fix_search(settings: Settings, source: str | None) -> Settings:
    """The settings with the search engine they come to: a run that goes on must not change it with the keys set."""
    from soprag.tools.search.registry import which

    engine = "none" if source else which(settings.search)
    return settings.model_copy(update={"search": settings.search.model_copy(update={"engine": engine})})


def start_run(topic: str, source: str, profile: str, settings: Settings, folder: Path | None = None) -> RunFolder:
    """A new run folder with its manifest: `folder`, or one named after topic and time below `run.folder`."""
    started = datetime.now(UTC)
    slug = re.sub(r"[^a-z0-9]+", "-", topic.lower()).strip("-")[:40].strip("-") or "run"
    run = RunFolder((folder or Path(settings.run.folder) / f"{slug}-{started:%Y%m%d-%H%M%S-%f}"[:-3]).absolute())
    if run.path.exists() and any(run.path.iterdir()):
        raise UsageError(f"{str(run.path)!r} is not empty; go on with its run by --resume, or name another folder.")
    manifest = Manifest(
        run=run.id,
        created=started.isoformat(timespec="seconds"),
        topic=topic,
        source=str(Path(source).absolute()) if source else "",
        profile=profile,
        version=version("soprag"),
        settings=settings.model_dump(mode="json"),
        editions=_editions(settings),
    )
    run.write("", "run", manifest)
    return run


def open_workshop(run: RunFolder, concurrency: int | None = None) -> "BuildContext":
    """The collaborators of a run, with the settings its manifest fixed."""
    from soprag.agents.archivist import Archivist
    from soprag.agents.collecting.web_source import Means
    from soprag.agents.collector import Collector
    from soprag.agents.examiner import Examiner
    from soprag.graphs.benchmark.context import BuildContext
    from soprag.tools.search.registry import open_engines

    manifest = run.read("", "run", Manifest)
    settings = Settings.model_validate(manifest.settings)
    llm, embedder = open_llm(settings), open_embedder(settings)
    archivist = Archivist(settings.parsing, cache_folder(settings), llm)
    # A page that is only looked at while searching is not worth describing its pictures.
    glancing = Archivist(settings.parsing, cache_folder(settings))
    source: DocumentSource | WebSource = _open_source(manifest.source, settings, embedder)
    if not manifest.source and settings.search.engine != "none":
        source = _open_web(
            run, settings, Means(llm, embedder, glancing, open_engines(settings.search, cache_folder(settings)))
        )
    return BuildContext(
        run=run,
        llm=llm,
        embedder=embedder,
        collector=Collector(llm, source, settings.collect.limit),
        archivist=archivist,
        auditor=open_auditor(settings, llm),
        examiner=Examiner(llm, embedder, settings.examine),
        concurrency=concurrency or settings.run.concurrency,
        began=f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}",
    )


@cache
def studio_workshop(path: str) -> "BuildContext":
    """The workshop of a run folder, opened once per process (LangGraph Studio and its server)."""
    return open_workshop(RunFolder(Path(path)))


def _open_web(run: RunFolder, settings: Settings, means: "Means") -> "WebSource":
    from soprag.agents.collecting.web_source import WebSource
    from soprag.tools.web.budget import BudgetLimits

    limits = BudgetLimits.model_validate(settings.budget.model_dump())
    return WebSource(run.path / "web", means, settings.web, settings.collect, limits)


def _open_source(source: str, settings: Settings, embedder: "Embedder") -> "DocumentSource":
    from soprag.tools.search.folder import FolderSource
    from soprag.tools.search.library import LibrarySource

    if source:
        return FolderSource(Path(source), settings.collect.max_bytes)
    return LibrarySource(embedder, settings.collect.threshold)


def _editions(settings: Settings) -> dict[str, str]:
    from soprag.tools.tasks.benchmark import TASKS

    llm = open_llm(settings)
    return {task.name: llm.fingerprint(task) for task in TASKS}
