"""The index of the example library: what every command works on until there is an index of the operator's own."""

from collections.abc import Callable
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.apps.compose.index import open_index
from soprag.apps.compose.settings import cache_folder
from soprag.configs.settings import Settings, load
from soprag.tools.errors import UsageError
from soprag.tools.retriever.index.sqlite_store import FILE
from soprag.tools.retriever.index.storage import SCHEMA
from soprag.tools.store.postgres_url import is_url

if TYPE_CHECKING:
    from soprag.apps.compose.sources import Note

Notice = Callable[[str], None]

NOTICE = "This is the EXAMPLE LIBRARY, not your procedures; index your own with `soprag index add DIR`."
_COMPLETE = "complete"  # the file that says that no document is missing


def has_index(settings: Settings) -> bool:
    """Whether there is an index where the settings say; a URL is taken to name one until it is opened."""
    return is_url(settings.index.folder) or (Path(settings.index.folder) / FILE).is_file()


def example_library() -> Path:
    """The documents that come with the program."""
    # Resolved, because an editable install is a tree of links, and links out of a source folder are not followed.
    return Path(str(files("soprag.examples") / "catalogue.json")).resolve().parent / "library"


def example_folder(settings: Settings) -> Path:
    """Where its index is kept: apart from the operator's own, one per embedding model and schema."""
    name = "".join(character if character.isalnum() else "-" for character in settings.embedding.model)
    return cache_folder(settings) / "example-index" / str(SCHEMA) / name


def is_example(settings: Settings) -> bool:
    """Whether these settings name the index of the example library."""
    return Path(settings.index.folder).absolute() == example_folder(settings).absolute()


def example_is_built(settings: Settings) -> bool:
    """Whether the index of the example library is complete."""
    return (example_folder(settings) / _COMPLETE).is_file()


def on_examples(settings: Settings) -> Settings:
    """The settings with the index of the example library in place of a missing one.

    Raises `UsageError` when another folder than the default was chosen: a mistyped name must not end in procedures
    that are not the operator's.
    """
    default = load("offline", environment={}).index.folder
    if settings.index.folder != default:
        raise UsageError(
            f"There is no index in {settings.index.folder!r}; make one with `soprag index add DIR`, or name another "
            "with --index. The example library stands in for the default folder only."
        )
    index = settings.index.model_copy(update={"folder": str(example_folder(settings))})
    return settings.model_copy(update={"index": index})


def build_example_index(settings: Settings, on_progress: "Note") -> None:
    """Index the example library where that is not done yet; another process that is at it is waited for."""
    import asyncio

    from filelock import FileLock

    from soprag.apps.compose.ingest import ingest

    folder = example_folder(settings)
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / ".lock"):
        if example_is_built(settings):
            return
        examples = settings.index.model_copy(update={"folder": str(folder)})
        with closing(open_index(settings.model_copy(update={"index": examples}), create=True)) as index:
            asyncio.run(ingest(index, [str(example_library())], settings, on_progress))
        (folder / _COMPLETE).write_text("", encoding="utf-8")


def choose_index(settings: Settings, on_notice: Notice, on_progress: "Note") -> Settings:
    """The settings with an index that exists: the operator's own, else that of the example library.

    `on_notice` gets a line whenever it is the example library. Raises `UsageError` as `on_examples`.
    """
    chosen = settings if has_index(settings) or is_example(settings) else on_examples(settings)
    if is_example(chosen):
        on_notice(NOTICE)
        if not example_is_built(chosen):
            on_notice("It is indexed now, once, on this machine only; that takes a minute or two.")
            build_example_index(chosen, on_progress)
    return chosen
