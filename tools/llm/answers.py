"""Where answers are kept: in one SQLite file that is the cache, or in a folder of JSON files that is a recording."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tools.errors import StorageError
from tools.runs import write_whole
from tools.sop import digest
from tools.sqlite import Cache


@dataclass(frozen=True)
class Asked:
    """A question that was put to a model: the task, the edition of its answer, and the input as JSON."""

    task: str
    edition: str
    input: str

    @property
    def key(self) -> str:
        """The SHA-256 of all that the answer depends on."""
        return digest(json.dumps([self.task, self.edition, self.input]))


class AnswerStore(Protocol):
    """Keeps answers, as JSON, under the questions they belong to; safe for several threads and processes."""

    def find(self, request: Asked) -> str | None:
        """The answer that was kept, if there is one; raises `StorageError`."""
        ...

    def keep(self, request: Asked, answer: str) -> None:
        """Keep `answer`; raises `StorageError`."""
        ...


_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, task TEXT NOT NULL, edition TEXT NOT NULL, answer TEXT NOT NULL, kept TEXT NOT NULL
) WITHOUT ROWID
"""


class SqliteAnswers:
    """The cache: small, quick, and whole after kill -9."""

    def __init__(self, path: Path) -> None:
        self._cache = Cache(path, _TABLE)

    def find(self, request: Asked) -> str | None:
        """The answer that was kept, if there is one."""
        with self._cache.open() as database:
            row = database.execute("SELECT answer FROM answers WHERE key = ?", (request.key,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, request: Asked, answer: str) -> None:
        """Keep `answer` in place of what was kept before."""
        values = (request.key, request.task, request.edition, answer)
        with self._cache.open() as database:
            database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, datetime())", values)


@dataclass(frozen=True)
class RecordedAnswers:
    """A recording: one JSON file per answer at `<folder>/<task>/<key>.json`, made to be read in a diff."""

    folder: Path

    def find(self, request: Asked) -> str | None:
        """The answer that was recorded, if there is one."""
        file = self.file(request)
        try:
            return json.dumps(json.loads(file.read_bytes())["answer"], ensure_ascii=False)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StorageError(f"Cannot read the recorded answer {str(file)!r}: {error}; record it again.") from error

    def keep(self, request: Asked, answer: str) -> None:
        """Record `answer` with the question it belongs to."""
        record = {
            "task": request.task,
            "edition": request.edition,
            "input": json.loads(request.input),
            "answer": json.loads(answer),
        }
        write_whole(self.file(request), json.dumps(record, ensure_ascii=False, indent=1).encode() + b"\n")

    def file(self, request: Asked) -> Path:
        """Where the answer to this question is recorded."""
        return self.folder / request.task / f"{request.key[:24]}.json"

    def count(self, task: str) -> int:
        """How many answers to this task are recorded."""
        return sum(1 for _ in (self.folder / task).glob("*.json"))
