"""Local indexes as sources of research: the operator's own, others by folder, and that of the example library."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps.compose.example_index import build_example_index, example_folder, example_is_built, has_index
from soprag.apps.compose.index import open_index
from soprag.configs.settings import Settings
from soprag.tools.store.postgres_url import shown_name

if TYPE_CHECKING:
    from soprag.agents.deepsearch.local_procedures import LocalProcedures
    from soprag.apps.compose.example_index import Notice
    from soprag.apps.compose.sources import Note
    from soprag.tools.llm import Llm

LIBRARY = "library"


def local_names(settings: Settings, online: bool) -> tuple[str, ...]:
    """Which local indexes a run searches: those of `research.local`, else the own one; offline at least the library."""
    if settings.research.local:
        return settings.research.local
    if has_index(settings):
        return (settings.index.folder,)
    return () if online else (LIBRARY,)


def prepare_library(
    settings: Settings,
    online: bool,
    on_notice: "Notice",
    on_progress: "Note",
) -> None:
    """Index the example library where a run searches it and it is not indexed yet; takes a minute or two, once."""
    if LIBRARY in local_names(settings, online) and not example_is_built(settings):
        on_notice("The example library is indexed now, once, on this machine only; that takes a minute or two.")
        build_example_index(settings, on_progress)


def open_local(settings: Settings, online: bool, router: "Llm", stack: ExitStack) -> "tuple[LocalProcedures, ...]":
    """The local indexes of a run; `stack` closes them. Raises `UsageError` for a folder without an index."""
    from soprag.agents.deepsearch.local_procedures import LocalProcedures
    from soprag.tools.retriever.query.retriever import Retriever

    opened = []
    for name in local_names(settings, online):
        folder = str(example_folder(settings)) if name == LIBRARY else name
        chosen = settings.model_copy(update={"index": settings.index.model_copy(update={"folder": folder})})
        index = stack.enter_context(closing(open_index(chosen)))
        shown = "the example library" if name == LIBRARY else f"the index {Path(shown_name(name)).name!r}"
        opened.append(
            LocalProcedures(shown, Retriever.open(index, router, settings.retriever), settings.research.confidence)
        )
    return tuple(opened)


def searched(settings: Settings, online: bool) -> str:
    """What a reader must know about where was looked; empty when the web was."""
    if online:
        return ""
    names = ["the example library" if name == LIBRARY else repr(name) for name in local_names(settings, online)]
    return (
        f"No web search was made: {' and '.join(names)} was searched. For the web, set SERPAPI_API_KEY, or use "
        "--search keyless."
    )
