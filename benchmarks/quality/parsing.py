"""`measure parsing`: compares this parser with others on files with known sources."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from pathlib import Path
from statistics import mean

from pydantic import Field

from soprag.benchmarks.quality.parsing_corpus import ParsingCase
from soprag.benchmarks.quality.parsing_score import NAMES, Scores, score
from soprag.benchmarks.quality.parsing_speed import ParsingSpeed, measure_speed, render_speed
from soprag.configs.settings import ParsingSettings
from soprag.tools.errors import DocumentError
from soprag.tools.parsing import Parser
from soprag.tools.sop import Frozen

WITHOUT_HEADINGS = frozenset({"xlsx"})
_SHORT = ("h-rec", "h-prec", "h-lvl", "found", "order", "number", "attrib", "cells", "notices")


class ParsingScore(Frozen):
    """The mean of each share over the files of one engine, format and producer; absent: not asked there."""

    engine: str
    format: str
    producer: str
    files: int
    failed: int
    seconds: float = Field(description="per file")
    shares: dict[str, float]


class ParsingReport(Frozen):
    """The measurement: one row for each engine, format and producer, and which producers were there."""

    rows: tuple[ParsingScore, ...]
    producers: dict[str, bool]
    failures: tuple[str, ...]
    speed: ParsingSpeed | None = None


Reader = Callable[[Path], str]


def measure_parsing(
    cases: Sequence[ParsingCase], pdfs: Sequence[Path], settings: ParsingSettings, have: dict[str, bool]
) -> ParsingReport:
    """Our parser on every case, and next to it the others on those formats they read; on `pdfs` also the time."""
    rows: list[ParsingScore] = []
    failures: list[str] = []
    with Parser(settings) as parser:
        readers: dict[str, Reader] = {"soprag": lambda path: parser.parse_now(path).markdown, **_others()}
        for engine, reader in readers.items():
            for group in _groups(case for case in cases if engine in _engines_for(case.format)):
                row, failed = _measure(engine, reader, group)
                rows.append(row)
                failures += failed
    speed = measure_speed(pdfs, settings) if pdfs else None
    return ParsingReport(rows=tuple(rows), producers=have, failures=tuple(failures), speed=speed)


def render_parsing(report: ParsingReport) -> str:
    """The report as plain text."""
    head = f"{'engine':<12}{'format':<7}{'producer':<25}{'files':>5}{'fail':>5}{'s/file':>8}"
    lines = [head + "".join(f"{name:>9}" for name in _SHORT)]
    for row in (*report.rows, *_totals(report.rows)):
        shares = "".join(f"{row.shares[name]:>9.3f}" if name in row.shares else f"{'-':>9}" for name in NAMES)
        lines.append(
            f"{row.engine:<12}{row.format:<7}{row.producer:<25}{row.files:>5}{row.failed:>5}{row.seconds:>8.2f}{shares}"
        )
    missing = [name for name, installed in report.producers.items() if not installed]
    lines += [f"not installed, so without its files: {name}" for name in missing]
    lines += [render_speed(report.speed)] if report.speed else []
    return "\n".join([*lines, *(f"failed: {failure}" for failure in report.failures)])


def _measure(engine: str, reader: Reader, cases: list[ParsingCase]) -> tuple[ParsingScore, list[str]]:
    results: list[Scores] = []
    failures: list[str] = []
    begun = time.perf_counter()
    for case in cases:
        try:
            markdown = reader(case.path)
        except (DocumentError, OSError, ValueError) as error:
            failures.append(f"{engine}: {case.path.name}: {error}")
            markdown = ""
        results.append(score(markdown, case.truth, headings=case.format not in WITHOUT_HEADINGS))
    first = cases[0]
    row = ParsingScore(
        engine=engine,
        format=first.format,
        producer=first.producer,
        files=len(cases),
        failed=len(failures),
        seconds=(time.perf_counter() - begun) / len(cases),
        shares=_mean(results),
    )
    return row, failures


def _mean(results: list[Scores]) -> dict[str, float]:
    columns = zip(NAMES, zip(*map(astuple, results), strict=True), strict=True)
    measured = {name: [share for share in shares if share is not None] for name, shares in columns}
    return {name: mean(shares) for name, shares in measured.items() if shares}


def _groups(cases: Iterable[ParsingCase]) -> list[list[ParsingCase]]:
    groups: dict[tuple[str, str], list[ParsingCase]] = {}
    for case in cases:
        groups.setdefault((case.format, case.producer), []).append(case)
    return [groups[key] for key in sorted(groups)]


def _totals(rows: Iterable[ParsingScore]) -> list[ParsingScore]:
    """For each engine one line over its PDF files and one over its other files; scans are apart."""
    kinds = {"pdf": "pdf", "scan": ""}
    sums: dict[tuple[str, str], list[ParsingScore]] = {}
    for row in rows:
        if kind := kinds.get(row.format, "office"):
            sums.setdefault((row.engine, kind), []).append(row)
    return [_total(engine, kind, group) for (engine, kind), group in sums.items()]


def _total(engine: str, kind: str, rows: list[ParsingScore]) -> ParsingScore:
    files = sum(row.files for row in rows)
    shares = {}
    for name in NAMES:
        measured = [row for row in rows if name in row.shares]
        if measured:
            shares[name] = sum(row.shares[name] * row.files for row in measured) / sum(row.files for row in measured)
    seconds = sum(row.seconds * row.files for row in rows) / files
    return ParsingScore(
        engine=engine,
        format=kind,
        producer="all",
        files=files,
        failed=sum(row.failed for row in rows),
        seconds=seconds,
        shares=shares,
    )


def _engines_for(format: str) -> tuple[str, ...]:
    if format == "scan":
        return ("soprag",)
    if format == "pdf":
        return ("soprag", "mineru", "pdfplumber", "pypdfium2")
    return ("soprag", "mineru", "plain", *(("pandoc",) if format in ("docx", "odt", "html") else ()))


def _others() -> dict[str, Reader]:
    from soprag.benchmarks.quality.parsing_peers import others

    return others()
