"""How the ways of brief procedures are read: 600 of four to twelve lines, each with ways written down by its author.

    python -m soprag.benchmarks.quality.brief_procedures tests/data/brief [--missed]

A file holds procedures one after the other: a line "=== name", the Markdown, a line "---ways", and a way per line by
line numbers of the text ("3>5 when "above 5 bar"", "4>END"); "only 4" says that the act on line 4 may be passed by.
Their authors knew the field and nothing of the rules of the reader, and were asked to word every condition otherwise.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from soprag.tools.errors import UsageError
from soprag.tools.procedure.export import gold
from soprag.tools.procedure.reader import read_procedure

END = 0  # the line number of "END"
_WAY = re.compile(r"^(?P<start>\d+)\s*>\s*(?P<to>\d+|END)(?:\s+when\s+\".*\")?$")
_ONLY = re.compile(r"^only (?P<line>\d+)$")

Ways = dict[int, set[int]]


@dataclass(frozen=True)
class BriefProcedure:
    """One procedure; `ways` are the lines that each line leads to, `optional` those of acts that may be passed by."""

    name: str
    markdown: str
    ways: Ways
    optional: frozenset[int]


@dataclass
class BriefFigures:
    """Counts over procedures: those read wholly right, their decisions, and lines whose ways are read wrongly."""

    procedures: int = 0
    right: int = 0
    decisions: int = 0
    right_decisions: int = 0
    silent: int = 0  # lines with wrong ways that nothing marks as unresolved
    marked: int = 0
    missed: list[str] = field(default_factory=list)

    def line(self, name: str) -> str:
        """The counts as one line of a table."""
        decisions = f"decisions right {self.right_decisions:>3}/{self.decisions}"
        wrong = f"lines wrong {self.silent:>3} silently, {self.marked:>3} marked"
        return f"{name:<14} procedures right {self.right:>3}/{self.procedures}   {decisions}   {wrong}"


def brief_procedures(file: Path) -> Iterator[BriefProcedure]:
    """The procedures of a file.

    Raises UsageError for a way that cannot be read, or that names a line without words.
    """
    for part in re.split(r"^=== *", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        markdown, _, stated = rest.partition("\n---ways\n")
        lines = markdown.split("\n")
        ways: Ways = {}
        optional = set()
        for way in filter(None, map(str.strip, stated.split("\n"))):
            found, only = _WAY.match(way), _ONLY.match(way)
            if only:
                optional.add(int(only["line"]))
                continue
            named = [int(found["start"]), END if found["to"] == "END" else int(found["to"])] if found else [-1]
            if any(line != END and not (0 < line <= len(lines) and lines[line - 1].strip()) for line in named):
                raise UsageError(f"{file}, {name.strip()}: {way!r} is no way between two lines with words")
            ways.setdefault(named[0], set()).add(named[1])
        yield BriefProcedure(name.strip(), markdown, ways, frozenset(optional))


def measure(file: Path) -> BriefFigures:
    """The counts over the procedures of a file."""
    figures = BriefFigures()
    for procedure in brief_procedures(file):
        _compare(procedure, figures)
    return figures


def total(parts: list[BriefFigures]) -> BriefFigures:
    """The counts of several files together."""
    names = ("procedures", "right", "decisions", "right_decisions", "silent", "marked")
    return BriefFigures(*(sum(getattr(one, name) for one in parts) for name in names))


def _compare(procedure: BriefProcedure, figures: BriefFigures) -> None:
    read, passed, marked = _read(procedure.markdown)
    optional = procedure.optional | passed
    wanted, found = _without_bypasses(procedure.ways, optional), _without_bypasses(read, optional)
    wrong = [line for line in sorted({*wanted, *found}) if wanted.get(line, set()) != found.get(line, set())]
    stated = _without_bypasses(procedure.ways, procedure.optional)
    branching = [line for line in stated if len(stated[line]) > 1]
    figures.procedures += 1
    figures.right += not wrong
    figures.decisions += len(branching)
    figures.right_decisions += sum(line not in wrong for line in branching)
    figures.silent += sum(line not in marked for line in wrong)
    figures.marked += sum(line in marked for line in wrong)
    figures.missed += [
        f"{procedure.name}, line {line}: wanted {_told(wanted.get(line))}, read {_told(found.get(line))}"
        for line in wrong
    ]


def _read(markdown: str) -> tuple[Ways, set[int], set[int]]:
    """The ways that are read, by the first lines of the steps; lines of acts that may be passed by; marked lines."""
    flow = gold(read_procedure(markdown + "\n"))
    first = {step["id"]: step["lines"][0] for step in flow["steps"]}
    ways: Ways = {}
    for edge in flow["edges"]:
        start, to = first[edge["from"]], END if edge["to"] == "END" else first[edge["to"]]
        if start != to or edge["from"] == edge["to"]:  # two steps of one line are one here
            ways.setdefault(start, set()).add(to)
    passed = {first[step["id"]] for step in flow["steps"] if step.get("only_if")}
    return ways, passed, {line for one in flow["unresolved"] for line in one["lines"]}


def _without_bypasses(ways: Ways, optional: frozenset[int]) -> Ways:
    """The ways without those around acts that may be passed by, which say the same as their condition."""
    return {start: targets - _beyond(targets, ways, optional) for start, targets in ways.items()}


def _beyond(targets: set[int], ways: Ways, optional: frozenset[int]) -> set[int]:
    """The lines that are reached from some of `targets` by passing acts that may be passed by."""
    beyond: set[int] = set()
    for target in targets & optional:
        open_, reached = [target], {target}
        while open_:
            line = open_.pop()
            following = ways.get(line, set()) - reached if line in optional else set()
            open_ += following
            reached |= following
        beyond |= reached - {target}
    return beyond


def _told(lines: set[int] | None) -> str:
    return ", ".join("END" if line == END else str(line) for line in sorted(lines or ())) or "nothing"


if __name__ == "__main__":
    files = [file for folder in sys.argv[1:2] for file in sorted(Path(folder).glob("*.txt"))]
    if not files:
        sys.exit("Name a folder with brief procedures as .txt files, such as tests/data/brief.")
    measured = [measure(file) for file in files]
    for file, counts in zip(files, measured, strict=True):
        sys.stdout.write(counts.line(file.stem) + "\n")
        if "--missed" in sys.argv:
            sys.stdout.write("".join(f"    {one}\n" for one in counts.missed))
    sys.stdout.write(total(measured).line("all") + "\n")
