"""Stores of model answers: a cache in one SQLite file, and a recording as a folder of JSON files."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from soprag.tools.errors import StorageError
from soprag.tools.sop import digest
from soprag.tools.store.run_folder import write_whole
from soprag.tools.store.sqlite import CacheFile


@dataclass(frozen=True)
class AnswerKey:
    """The key of a model answer: task, fingerprint (model, prompt and schema), and input as JSON."""

    task: str
    fingerprint: str
    input: str

    @property
    def key(self) -> str:
        """SHA-256 over task, fingerprint and input."""
        return digest(json.dumps([self.task, self.fingerprint, self.input]))


class AnswerStore(Protocol):
    """Stores answers as JSON by request; safe for several threads and processes."""

    def find(self, request: AnswerKey) -> str | None:
        """The stored answer as JSON, or None; raises `StorageError`."""
        ...

    def keep(self, request: AnswerKey, answer: str) -> None:
        """Store `answer` (JSON); raises `StorageError`."""
        ...


class SqliteAnswers:
    """The answer cache in SQLite; survives kill -9."""

    def __init__(self, path: Path) -> None:
        self._cache = CacheFile.open(path)

    def find(self, request: AnswerKey) -> str | None:
        """The stored answer as JSON, or None."""
        stored = self._cache.get(request.key)
        return None if stored is None else stored.decode()

    def keep(self, request: AnswerKey, answer: str) -> None:
        """Store `answer`, replacing an earlier one."""
        self._cache.put(request.key, answer.encode(), f"{request.task} {request.fingerprint}")


@dataclass(frozen=True)
class RecordedAnswers:
    """A recording: one JSON file per answer at `<folder>/<task>/<key>.json`, made to be read in a diff."""

    folder: Path

    def find(self, request: AnswerKey) -> str | None:
        """The recorded answer as JSON, or None."""
        file = self.file(request)
        try:
            return json.dumps(json.loads(file.read_bytes())["answer"], ensure_ascii=False)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StorageError(f"Cannot read the recorded answer {str(file)!r}: {error}; record it again.") from error

    def keep(self, request: AnswerKey, answer: str) -> None:
        """Record `answer` together with its request."""
        record = {
            "task": request.task,
            "fingerprint": request.fingerprint,
            "input": json.loads(request.input),
            "answer": json.loads(answer),
        }
        write_whole(self.file(request), json.dumps(record, ensure_ascii=False, indent=1).encode() + b"\n")

    def file(self, request: AnswerKey) -> Path:
        """The file of the answer to this request."""
        return self.folder / request.task / f"{request.key[:24]}.json"

    def count(self, task: str) -> int:
        """How many answers to this task are recorded."""
        return sum(1 for _ in (self.folder / task).glob("*.json"))
