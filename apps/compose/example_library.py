"""The index of the example library, for a machine that has no index of its own yet; it is kept apart from that one."""

from importlib.resources import files
from pathlib import Path

from soprag.apps.compose import components
from soprag.configs.settings import Settings

_DONE = "complete"  # the file that says that all of it was indexed


def documents() -> Path:
    """The documents that come with the program."""
    return Path(str(files("soprag.examples") / "library"))


def index_folder(settings: Settings) -> Path:
    """Where their index is kept: one per embedding model."""
    name = "".join(character if character.isalnum() else "-" for character in settings.embedding.model)
    return components.cache_folder(settings) / "example-index" / name


def has_own_index(settings: Settings) -> bool:
    """Whether there is an index where the settings say."""
    return (Path(settings.index.folder) / "index.sqlite").is_file()


def is_indexed(settings: Settings) -> bool:
    """Whether the index of the example library is complete."""
    return (index_folder(settings) / _DONE).is_file()


def build_index(
    settings: Settings, *, profile: str | None = None, model: str | None = None, base_url: str | None = None
) -> int:
    """Index the documents; the number of SOPs in the index. It takes a few minutes, on this machine only."""
    from soprag.apps.compose import indexing

    folder = index_folder(settings)
    call = indexing.IndexCall(str(folder), profile, model=model, base_url=base_url)
    report = indexing.add(call, str(documents()))
    (folder / _DONE).write_text("", encoding="utf-8")
    return report.size


def with_index(settings: Settings, folder: Path) -> Settings:
    """The settings with another index folder."""
    return settings.model_copy(update={"index": settings.index.model_copy(update={"folder": str(folder)})})
