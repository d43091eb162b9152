"""The folder of one run: every item's result in a file of its own, each written whole or not at all.

    run.json              the request and the settings, fixed when the run began
    raw/<sha256><suffix>  collected bytes            documents/<id>.json  their provenance
    markdown/<id>.md      what the Archivist made    markdown/images/     the pictures it links to
    parsed/<id>.json      with which engine, and its warnings
    sops/<id>.json        the SOPs of a document     rejected/<id>.json   why it is none
    questions/<id>.json   the questions of an SOP    failed/<stage>/<id>.json  what went wrong
    panel.json            how well a panel of systems finds the SOPs behind the questions
    search/*.json         phrases and what they found    benchmark/       the result
    ledger/<start>-<host>-<process>.json                 calls, tokens and cost of one process
    checkpoint.sqlite     LangGraph's own record         web/                 what the Collector asked and received
    coordinator.json      of a run with workers: on which machine and in which folder of it these two are instead

The files are the resume mechanism: an item whose file exists is never worked on again.
"""

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from soprag.tools.errors import StorageError

Item = TypeVar("Item", bound=BaseModel)


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` at `path` so that a reader sees the old file or the new one, also after kill -9."""
    with _disk(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as part:
                part.write(data)
                part.flush()
                os.fsync(part.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def _disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        full = fault.errno in (errno.ENOSPC, errno.EDQUOT)
        room = "free some space there and try again; runs go on with --resume"
        advice = room if full else "check the path and its permissions"
        raise StorageError(f"Cannot write {str(path)!r}: {fault.strerror or fault}; {advice}.") from fault


@dataclass(frozen=True)
class RunFolder:
    """Reads and writes the artefacts of one run."""

    path: Path

    @property
    def id(self) -> str:
        """The run's name."""
        return self.path.name

    def has(self, kind: str, key: str) -> bool:
        """Whether the item has a result of this kind."""
        return self._file(kind, key).exists()

    def write(self, kind: str, key: str, value: BaseModel) -> None:
        """Keep `value` as the item's result of this kind."""
        write_whole(self._file(kind, key), value.model_dump_json(indent=1).encode() + b"\n")

    def read(self, kind: str, key: str, model: type[Item]) -> Item:
        """The item's result of this kind; raises `StorageError` when it is missing or damaged."""
        file = self._file(kind, key)
        try:
            return model.model_validate_json(file.read_bytes())
        except OSError as fault:
            raise StorageError(f"Cannot read {str(file)!r}: {fault.strerror}.") from fault
        except ValidationError as damaged:
            raise StorageError(f"{str(file)!r} is damaged; delete it and go on with --resume.") from damaged

    def keys(self, kind: str) -> list[str]:
        """The items that have a result of this kind, sorted."""
        return sorted(file.stem for file in (self.path / kind).glob("*.json"))

    def read_all(self, kind: str, model: type[Item]) -> list[Item]:
        """All results of this kind, in the order of their keys."""
        return [self.read(kind, key, model) for key in self.keys(kind)]

    def recall_all(self, kind: str, model: type[Item]) -> list[Item]:
        """As `read_all`, for readers that come back often: a file is parsed again only when it was written anew."""
        return [_parsed(self, kind, key, model, _stamp(self._file(kind, key))) for key in self.keys(kind)]

    def folders(self, kind: str) -> list[str]:
        """The kinds below this kind, such as the stages below `failed`."""
        return sorted(folder.name for folder in (self.path / kind).glob("*/"))

    def drop(self, kind: str, key: str) -> None:
        """Forget the item's result of this kind, if there is one."""
        self._file(kind, key).unlink(missing_ok=True)

    def raw(self, id: str, suffix: str) -> Path:
        """Where the bytes of a document are kept."""
        return self.path / "raw" / f"{id}{suffix}"

    def markdown(self, id: str) -> Path:
        """Where the Markdown of a document is kept."""
        return self.path / "markdown" / f"{id}.md"

    def _file(self, kind: str, key: str) -> Path:
        return self.path / kind / f"{key}.json"


def _stamp(file: Path) -> tuple[int, int]:
    """What changes when a file is replaced: its number and its time."""
    with _disk(file):
        status = file.stat()
    return status.st_ino, status.st_mtime_ns


@lru_cache(maxsize=4096)
def _parsed(run: RunFolder, kind: str, key: str, model: type[Item], stamp: tuple[int, int]) -> Item:
    """The result with this stamp."""
    return run.read(kind, key, model)
