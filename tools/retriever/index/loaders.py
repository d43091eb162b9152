"""Loaders of SOPs from a benchmark, a run or a folder of files, with ids that stay stable when a file is edited."""

import json
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pydantic import ValidationError

from soprag.tools.errors import DocumentError, NothingFound, StorageError, UsageError
from soprag.tools.sop import Sop, Span, digest
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Audited

TEXT = frozenset({".md", ".markdown", ".txt", ".text"})
SourceKind = Literal["benchmark", "run", "folder"]

_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Unread:
    """A file that could not be read as an SOP, and the reason; `location` is relative to the source."""

    location: str
    reason: str


def kind_of(source: Path) -> SourceKind:
    """The kind of source at a path; raises `UsageError` when it does not exist."""
    if not source.exists():
        raise UsageError(f"There is no file or folder {str(source)!r}; name one with SOPs.")
    if (source / "corpus.jsonl").is_file():
        return "benchmark"
    return "run" if (source / "run.json").is_file() else "folder"


def read_benchmark(folder: Path) -> list[Sop]:
    """The SOPs of a folder in BEIR layout, in the order of `corpus.jsonl`."""
    file = folder / "corpus.jsonl"
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"Cannot read {str(file)!r}: {error}.") from error
    sops = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                sops.append(_from_row(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise DocumentError(
                    f"Line {number} of {str(file)!r} is no BEIR document ({error}); each needs _id, title and text."
                ) from error
    return sops


def read_run(folder: Path) -> list[Sop]:
    """The SOPs that a build has cut so far."""
    sops = [sop for audited in RunFolder(folder).read_all("sops", Audited) for sop in audited.sops]
    if not sops:
        raise NothingFound(f"The run {str(folder)!r} holds no SOPs yet; go on with it by `soprag build --resume`.")
    return sops


def read_text(data: bytes, location: str, most: int) -> Sop:
    """A Markdown or text file of at most `most` characters as one SOP, verbatim; raises `DocumentError`."""
    try:
        body = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise DocumentError(f"{location!r} is no UTF-8 text; save it as UTF-8.") from error
    if not body.strip():
        raise DocumentError(f"{location!r} is empty.")
    if len(body) > most:
        raise DocumentError(f"{location!r} has {len(body):,} characters; parsing.max_characters is {most:,}: split it.")
    span = Span(start=1, end=body.count("\n") + 1)
    return Sop(
        id=stem_of(location),
        title=_title(body, PurePosixPath(location).stem),
        text=body,
        document=digest(data),
        span=span,
    )


def named(sops: list[Sop], location: str) -> list[Sop]:
    """The SOPs of one file with stable ids: the file's stem, plus the title slug when there are several."""
    stem, ids = stem_of(location), set[str]()
    renamed = []
    for sop in sops:
        slug = _NOT_WORD.sub("-", sop.title.casefold()).strip("-")[:60] or "untitled"
        id = stem if len(sops) == 1 else f"{stem}#{slug}"
        while id in ids:
            id = f"{id}-{sop.span.start}"
        ids.add(id)
        renamed.append(sop.model_copy(update={"id": id}))
    return renamed


def stem_of(location: str) -> str:
    """The id of a file: its path below the source; the suffix stays unless the file is text."""
    path = Path(location)
    return (path.with_suffix("") if path.suffix.lower() in TEXT else path).as_posix()


def _from_row(row: dict[str, Any]) -> Sop:
    text, about = str(row["text"]), row.get("metadata") or {}
    lines = about.get("lines") or [1, text.count("\n") + 1]
    try:
        span = Span(start=lines[0], end=lines[1])
    except ValidationError:
        span = Span(start=1, end=text.count("\n") + 1)
    return Sop(
        id=str(row["_id"]),
        title=str(row.get("title") or row["_id"]),
        text=text,
        document=str(about.get("document") or digest(text)),
        span=span,
        language=str(about.get("language") or "en"),
    )


def _title(body: str, stem: str) -> str:
    """The first heading; else the file's name in words."""
    for line in body.split("\n"):
        heading = _HEADING.match(line)
        if heading and heading[1]:
            return heading[1]
    return " ".join(_NOT_WORD.sub(" ", stem).split()) or stem
