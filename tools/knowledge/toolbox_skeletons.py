"""The functions of the calculation libraries as skeletons, found by what a task is about (paper 002, GRACG).

A model that writes a program is shown the signatures, quantities and units of the functions that fit the task, so that
it can call what it has never seen. The skeletons are those of the knowledge graph (`code_skeletons.py`), read from the
sources of the installed packages without importing them.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path

from soprag.tools.knowledge.code_skeletons import skeleton
from soprag.tools.knowledge.records import ArtefactDraft, SourceDocument
from soprag.tools.text.terms import spaced, terms

PACKAGES = ("fluids", "ht")
SHOWN = 5  # functions
_CHARACTERS = 4_000  # of all functions that are shown
_LEFT_OUT = frozenset(("__init__", "data", "nrlmsise00", "numba", "numerics", "optional", "units", "vectorized"))
_NAME_WEIGHT, _PURPOSE_WEIGHT, _QUANTITY_WEIGHT = 3.0, 2.0, 1.0
_HOW = "Functions of these libraries that may fit; they take and return plain numbers in the units in brackets:"
_SECTION = re.compile(r"^(?P<title>\w[\w ]*)\n-{3,}\n(?P<body>.*?)(?=^\w[\w ]*\n-{3,}\n|\Z)", re.M | re.S)
_FIELD = re.compile(r"^(?P<name>\w[\w, ]*) : [^\n]*\n(?P<text>(?:[ \t]+[^\n]*\n?)+)", re.M)


@dataclass(frozen=True)
class FunctionSkeleton:
    """A function: how it is called, what it is for, and its quantities with their units."""

    call: str
    purpose: str
    takes: tuple[str, ...]
    returns: tuple[str, ...]

    def text(self) -> str:
        """As lines of a prompt."""
        rows = [self.call, f"  {self.purpose}", *(f"  {field}" for field in self.takes)]
        return "\n".join([*rows, *(f"  returns {field}" for field in self.returns)])


@dataclass(frozen=True)
class SkeletonIndex:
    """Functions with the weighted terms that they are found by, and the rarity of each term."""

    functions: tuple[FunctionSkeleton, ...]
    weights: tuple[dict[str, float], ...]
    rarity: dict[str, float]

    @classmethod
    def of(cls, functions: Iterable[FunctionSkeleton]) -> "SkeletonIndex":
        """The index of these functions."""
        functions = tuple(functions)
        weights = tuple(map(_weighted, functions))
        often = Counter(term for weighted in weights for term in weighted)
        rarity = {term: math.log(1 + len(functions) / count) for term, count in often.items()}
        return cls(functions, weights, rarity)

    def find(self, task: str, most: int = SHOWN) -> list[FunctionSkeleton]:
        """The functions that share most with a task, best first; none where nothing is shared."""
        wanted = set(terms(task))
        scores = [self._score(wanted, weighted) for weighted in self.weights]
        order = sorted(range(len(scores)), key=lambda row: (-scores[row], self.functions[row].call))
        return [self.functions[row] for row in order[:most] if scores[row] > 0]

    def _score(self, wanted: set[str], weighted: dict[str, float]) -> float:
        shared = math.fsum(weighted[term] * self.rarity[term] for term in wanted & weighted.keys())
        return shared / math.sqrt(1 + sum(weighted.values()))


@lru_cache(maxsize=4)
def library_skeletons(packages: tuple[str, ...]) -> SkeletonIndex:
    """The public functions of the packages that are installed; read once."""
    return SkeletonIndex.of(function for package in packages for function in _functions(package))


def describe_functions(task: str, libraries: Sequence[str]) -> str:
    """The functions of the libraries that fit a task, as lines of a prompt; empty where none is installed."""
    packages = tuple(name for name in PACKAGES if name in libraries)
    found = library_skeletons(packages).find(task) if packages else []
    texts = [function.text() for function in found]
    sizes = accumulate(map(len, texts))
    shown = [text for text, size in zip(texts, sizes, strict=True) if size <= _CHARACTERS]
    return "\n".join([_HOW, *shown]) if shown else ""


def _functions(package: str) -> Iterator[FunctionSkeleton]:
    spec = find_spec(package)
    for location in (spec.submodule_search_locations or ()) if spec else ():
        root = Path(location)
        for file in sorted(root.rglob("*.py")):
            module = (package, *file.relative_to(root).with_suffix("").parts)
            if _LEFT_OUT.isdisjoint(module) and not any(part.startswith("test") for part in module):
                yield from _of_module(".".join(module), file.read_text(encoding="utf-8"))


def _of_module(module: str, source: str) -> Iterator[FunctionSkeleton]:
    document = SourceDocument(id=module, title=module, kind="code", body=source)
    for scope in skeleton(document):
        if scope.kind == "function" and not scope.name.startswith("_") and scope.properties["purpose"]:
            yield _function(module, scope)


def _function(module: str, scope: ArtefactDraft) -> FunctionSkeleton:
    head, _, rest = scope.text.partition(':\n    """')
    docstring = rest.rpartition('"""')[0]
    sections = {match["title"]: match["body"] for match in _SECTION.finditer(docstring)}
    opening = docstring.partition("\n\n")[0].partition(". ")[0]
    return FunctionSkeleton(
        call=f"{module}.{head.removeprefix('def ')}",
        purpose=" ".join(opening.replace("\n", " ").split()).rstrip(".") + ".",
        takes=tuple(_fields(sections.get("Parameters", ""))),
        returns=tuple(_fields(sections.get("Returns", ""))),
    )


def _fields(section: str) -> Iterator[str]:
    for match in _FIELD.finditer(section):
        yield f"{match['name']}: {' '.join(match['text'].split())}"


def _weighted(function: FunctionSkeleton) -> dict[str, float]:
    weighted: dict[str, float] = {}
    parts = (
        (function.call.partition("(")[0].replace(".", " "), _NAME_WEIGHT),
        (function.purpose, _PURPOSE_WEIGHT),
        (" ".join((*function.takes, *function.returns)), _QUANTITY_WEIGHT),
    )
    for text, weight in parts:
        for term in set(terms(spaced(text.replace("_", " ")))):
            weighted[term] = weighted.get(term, 0.0) + weight
    return weighted
