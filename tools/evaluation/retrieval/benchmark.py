"""Reads a benchmark folder in BEIR layout: the procedures, the questions, and which procedures answer which."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soprag.tools.errors import DocumentError, UsageError
from soprag.tools.sop import LEVELS, Question, Sop

FILES = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
UNGRADED = ""


@dataclass(frozen=True)
class BenchmarkQuery:
    """One question, the ids of the SOPs that answer it with their grades (≥ 1), and its level when it has one."""

    id: str
    text: str
    relevant: dict[str, int]
    level: str = UNGRADED


@dataclass(frozen=True)
class Benchmark:
    """The SOPs of a folder and the questions of its test split, in file order."""

    name: str
    path: Path
    corpus: tuple[Sop, ...]
    queries: tuple[BenchmarkQuery, ...]

    @cached_property
    def levels(self) -> dict[str, list[int]]:
        """Level -> places of its questions; empty when no question has a level."""
        places: dict[str, list[int]] = defaultdict(list)
        for index, query in enumerate(self.queries):
            if query.level:
                places[query.level].append(index)
        ordered = [level for level in LEVELS if level in places]
        return {level: places[level] for level in [*ordered, *sorted(set(places) - set(ordered))]}

    @cached_property
    def groups(self) -> NDArray[np.intp]:
        """For each question the number of its group: questions that share an SOP, directly or over others, are one."""
        import networkx as nx

        shared: nx.Graph[Any] = nx.Graph()
        for index, query in enumerate(self.queries):
            shared.add_edges_from((index, sop) for sop in query.relevant)
        number = {node: n for n, part in enumerate(nx.connected_components(shared)) for node in part}
        return np.array([number[index] for index in range(len(self.queries))], dtype=np.intp)

    def first(self, count: int | None) -> "Benchmark":
        """The same benchmark with every so-many-th question only, `count` in all: a quick look at every level."""
        if count is None or count >= len(self.queries):
            return self
        places = np.linspace(0, len(self.queries) - 1, count).round().astype(int)
        return replace(self, queries=tuple(self.queries[index] for index in places))


def benchmark_of(sops: Sequence[Sop], questions: Sequence[Question], path: Path) -> Benchmark:
    """The benchmark of these SOPs and questions, as it is or will be written to `path`."""
    queries = tuple(BenchmarkQuery(each.id, each.text, {each.sop: 1}, each.level) for each in questions)
    return Benchmark(name=path.name, path=path, corpus=tuple(sops), queries=queries)


def read_benchmark(folder: Path) -> Benchmark:
    """Read `folder`; raises `UsageError` when it is no benchmark and `DocumentError` when a file is damaged."""
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise UsageError(
            f"{str(folder)!r} is no benchmark folder: {', '.join(missing)} missing. "
            "Give a folder in BEIR layout, such as the `benchmark` folder of a run of `soprag build`."
        )
    corpus = _corpus(folder / FILES[0])
    queries = _queries(folder / FILES[1], folder / FILES[2], {sop.id for sop in corpus})
    return Benchmark(name=_title(folder), path=folder, corpus=corpus, queries=queries)


def _title(folder: Path) -> str:
    """The topic that the data sheet of a benchmark names; without one the name of the folder."""
    sheet = folder / "datasheet.md"
    first = sheet.read_text(encoding="utf-8", errors="replace").partition("\n")[0] if sheet.is_file() else ""
    return first.removeprefix("# Data sheet: ") if first.startswith("# Data sheet: ") else folder.resolve().name


def _corpus(file: Path) -> tuple[Sop, ...]:
    sops: dict[str, Sop] = {}
    for line, row in _rows(file):
        sop = _sop(_word(row, "_id", file, line), row, file, line)
        if sop.id in sops:
            raise _damaged(file, line, f"a second document with the id {sop.id!r}")
        sops[sop.id] = sop
    if not sops:
        raise DocumentError(f"{str(file)!r} holds no document; build the benchmark again.")
    return tuple(sops.values())


def _sop(name: str, row: dict[str, Any], file: Path, line: int) -> Sop:
    title, text = row.get("title") or "", row.get("text") or ""
    if not isinstance(title, str) or not isinstance(text, str):
        raise _damaged(file, line, f"title and text of {name!r} must be words")
    return Sop.of_text(name, title, text)


def _queries(file: Path, judged: Path, sops: set[str]) -> tuple[BenchmarkQuery, ...]:
    relevant = _qrels(judged, sops)
    queries: dict[str, BenchmarkQuery] = {}
    for line, row in _rows(file):
        name, text = _word(row, "_id", file, line), _word(row, "text", file, line)
        if name in queries:
            raise _damaged(file, line, f"a second question with the id {name!r}")
        queries[name] = BenchmarkQuery(name, text, relevant.get(name, {}), _level(row))
    unknown = sorted(set(relevant) - set(queries))
    if unknown:
        raise DocumentError(f"{str(judged)!r} names questions that {file.name} does not have: {_some(unknown)}.")
    tested = tuple(query for query in queries.values() if query.relevant)
    if not tested:
        raise DocumentError(f"{str(judged)!r} judges no question as answered by any SOP; there is nothing to measure.")
    return tested


def _qrels(file: Path, sops: set[str]) -> dict[str, dict[str, int]]:
    """Question -> SOP -> grade, of all judgements above 0."""
    relevant: dict[str, dict[str, int]] = defaultdict(dict)
    for line, text in enumerate(_text(file).splitlines(), 1):
        fields = text.split("\t")
        if not text.strip() or (line == 1 and "corpus-id" in fields):
            continue
        if len(fields) != 3 or not fields[2].strip().lstrip("-").isdigit():
            raise _damaged(file, line, "expected question, SOP and whole-number grade with tabs between")
        if int(fields[2]) > 0:
            relevant[fields[0]][fields[1]] = int(fields[2])
    unknown = sorted({sop for judged in relevant.values() for sop in judged} - sops)
    if unknown:
        raise DocumentError(f"{str(file)!r} names SOPs that corpus.jsonl does not have: {_some(unknown)}.")
    return relevant


def _level(row: dict[str, Any]) -> str:
    """The name of `metadata.level`: 1 to 5 are the vocabulary's levels, anything else is its own name."""
    metadata = row.get("metadata")
    level = metadata.get("level") if isinstance(metadata, dict) else None
    if isinstance(level, int) and 1 <= level <= len(LEVELS):
        return LEVELS[level - 1]
    return UNGRADED if level is None else str(level)


def _rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, text in enumerate(_text(file).split("\n"), 1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except ValueError as error:
            raise _damaged(file, line, f"no JSON ({error})") from error
        if not isinstance(row, dict):
            raise _damaged(file, line, "no JSON object")
        yield line, row


def _word(row: dict[str, Any], key: str, file: Path, line: int) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise _damaged(file, line, f"no {key!r}")
    return value


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DocumentError(f"Cannot read {str(file)!r}: {error}.") from error


def _damaged(file: Path, line: int, what: str) -> DocumentError:
    return DocumentError(f"{str(file)!r} is damaged in line {line}: {what}. Build or fetch the benchmark again.")


def _some(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(repr(name) for name in names[:3]) + more
