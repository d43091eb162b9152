"""What each requirement costs on disk: its own files, and everything that only it brings.

    uv run python -m soprag.benchmarks.install_size           the installed environment
    uv run python -m soprag.benchmarks.install_size --extra engineering

Megabytes as `du -m` counts them (blocks of 4 kB). "alone" is what would go if that requirement went and all others
stayed; packages that two requirements bring are in no row.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import Distribution, distributions

BLOCK = 4096
PACKAGE = "soprag"
_NAME = re.compile(r"([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")

Requirement = tuple[str, frozenset[str]]  # name and extras


@cache
def installed() -> dict[str, Distribution]:
    """Every distribution of this environment by its normalised name."""
    return {normalised(distribution.metadata["Name"]): distribution for distribution in distributions()}


def normalised(name: str) -> str:
    """The name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(name: str, extras: Iterable[str]) -> Iterator[Requirement]:
    """What a distribution requires with these extras, as far as it is installed here."""
    for line in installed()[name].requires or ():
        specifier, _, marker = line.partition(";")
        extra = _EXTRA.search(marker)
        match = _NAME.match(specifier)
        if match is None or (extra and extra.group(1) not in extras):
            continue
        if normalised(match.group(1)) in installed():
            yield normalised(match.group(1)), frozenset(filter(None, re.split(r"[,\s]+", match.group(2) or "")))


def closure(roots: Iterable[Requirement]) -> set[str]:
    """The names of everything the requirements bring."""
    pending, seen = list(roots), set[Requirement]()
    while pending:
        requirement = pending.pop()
        if requirement not in seen:
            seen.add(requirement)
            pending += requirements(*requirement)
    return {name for name, _ in seen}


def megabytes(names: Iterable[str]) -> float:
    """The size of the files of these distributions."""
    return sum(_size(installed()[name]) for name in names) / 2**20


def table(extras: frozenset[str]) -> list[str]:
    """A line per direct requirement, the most expensive first, and the sum of all."""
    roots = list(requirements(PACKAGE, extras))
    whole = closure(roots)
    rows = []
    for root in roots:
        alone = whole - closure(other for other in roots if other != root)
        rows.append((megabytes(alone), megabytes([root[0]]), len(alone), root[0]))
    lines = [f"{'requirement':<32}{'alone MB':>10}{'itself MB':>11}{'packages':>10}"]
    lines += [
        f"{name:<32}{alone:>10.1f}{itself:>11.1f}{count:>10}" for alone, itself, count, name in sorted(rows)[::-1]
    ]
    return [*lines, f"{'all of them':<32}{megabytes(whole):>10.1f}{'':>11}{len(whole):>10}"]


def _size(distribution: Distribution) -> int:
    paths = (distribution.locate_file(file) for file in distribution.files or ())
    sizes = (int(getattr(path, "stat")().st_size) for path in paths if getattr(path, "is_file")())  # noqa: B009
    return sum(-(-size // BLOCK) * BLOCK for size in sizes)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--extra", action="append", default=[], help="count this extra of soprag; may be repeated")
    for line in table(frozenset(parser.parse_args().extra)):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
