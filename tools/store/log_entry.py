"""The format of the record: one JSON object per line, chained by hashes, and the head file beside it.

A line is the canonical spelling of its entry (sorted keys, no spaces, ASCII). Any other spelling of the same values,
such as a repeated key, counts as a change.
"""

import json
from pathlib import Path

from pydantic import ConfigDict, Field, JsonValue, ValidationError

from soprag.tools.sop import Frozen, digest

START = "0" * 64  # hash that the first entry names as its predecessor


class LogEntry(Frozen):
    """One line of the record: what happened, when, by whom."""

    model_config = ConfigDict(serialize_by_alias=True)

    number: int = Field(ge=1, description="counted from 1 without gaps")
    time: str = Field(alias="at", description="UTC, ISO 8601")
    kind: str
    by: str = Field(default="", description="the person or the part of the program that did it")
    key: str = Field(default="", description="position in the thread, `#`, digest of the answer given there")
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    trace: str = Field(
        default="", exclude_if=lambda trace: not trace, description="trace id of the turn, as in the log and the spans"
    )
    previous: str = Field(description="hash of the entry before it")
    hash: str = ""

    @property
    def position(self) -> str:
        """The key without the digest of the answer."""
        return self.key.partition("#")[0]

    def sealed(self) -> str:
        """The hash that belongs to the contents: SHA-256 of the canonical spelling without `hash`."""
        return digest(canonical(self.model_dump(exclude={"hash"})))

    def line(self) -> bytes:
        """The entry as it stands in the file, without the end of line."""
        return canonical(self.model_dump()).encode()


class Head(Frozen):
    """The state of the record: count and hash of its last entry, and the hash of the entry being written, if any."""

    number: int = Field(ge=0, description="entries in the file")
    hash: str
    next: str = Field(default="", description="hash of an entry announced before its line was written")

    def anchor(self) -> str:
        """Count and hash in one word, to be noted outside this machine: `12:3f9c...`."""
        return f"{self.number}:{self.hash}"


Lines = list[tuple[bytes, LogEntry | None]]


def parse_lines(data: bytes) -> Lines:
    """The lines in `data`; an end of line after the last one is optional."""
    rows = data.split(b"\n")
    if not rows[-1]:
        rows.pop()
    return [(row, _parse(row)) for row in rows]


def parse_head(data: bytes | None) -> Head | None:
    """The head in `data`; None when there is none or it cannot be read."""
    try:
        return Head.model_validate_json(data) if data is not None else None
    except ValidationError:
        return None


def head_file(file: Path) -> Path:
    """The path of the head of a record."""
    return file.with_name(f"{file.name}.head")


def canonical(value: object) -> str:
    """JSON with one spelling per value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _parse(row: bytes) -> LogEntry | None:
    try:
        return LogEntry.model_validate_json(row)
    except ValidationError:
        return None
