"""An annotated flow, as the gold form of `docs/procedure.md` holds it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soprag.tools.errors import UsageError

END = "END"


@dataclass(frozen=True)
class AnnotatedEdge:
    """A way; an inferred one is neither asked for nor punished."""

    source: str
    target: str
    when: str = ""
    inferred: bool = False


@dataclass(frozen=True)
class AnnotatedStep:
    """A step; `first` is the line on which it begins, 0 when it has none."""

    id: str
    lines: frozenset[int]
    first: int
    kind: str
    text: str
    conditional: bool


@dataclass(frozen=True)
class AnnotatedFlow:
    """The flow of one document; `warnings` and `ranges` stay as the JSON has them."""

    roles: dict[int, str]
    steps: tuple[AnnotatedStep, ...]
    edges: tuple[AnnotatedEdge, ...]
    alternatives: frozenset[frozenset[str]] = frozenset()
    entries: frozenset[str] = frozenset()
    warnings: tuple[dict[str, Any], ...] = ()
    ranges: tuple[dict[str, Any], ...] = ()
    unresolved: frozenset[int] = field(default_factory=frozenset)

    @property
    def targets(self) -> dict[str, list[str]]:
        """Step -> the distinct steps behind it, in the order of the edges."""
        found: dict[str, list[str]] = {}
        for edge in self.edges:
            ways = found.setdefault(edge.source, [])
            if edge.target not in ways:
                ways.append(edge.target)
        return found


def parse(data: dict[str, Any]) -> AnnotatedFlow:
    """The flow that a dictionary of the gold form holds; absent fields are empty."""
    return AnnotatedFlow(
        roles={line["n"]: line["role"] for line in data.get("lines", ())},
        steps=tuple(map(_step, data.get("steps", ()))),
        edges=tuple(
            AnnotatedEdge(edge["from"], edge["to"], edge.get("when") or "", bool(edge.get("inferred")))
            for edge in data.get("edges", ())
        ),
        alternatives=frozenset(frozenset(one.get("entries") or ()) for one in data.get("alternatives", ())),
        entries=frozenset(one["step"] for one in data.get("entry_points", ())),
        warnings=tuple(data.get("warnings", ())),
        ranges=tuple(data.get("ranges", ())),
        unresolved=frozenset(n for one in data.get("unresolved", ()) for n in one.get("lines", ())),
    )


def annotated(folder: Path) -> Iterator[tuple[str, str, AnnotatedFlow]]:
    """(name, Markdown, flow) for every `NAME.md` of a folder that has a `NAME.json`.

    Raises UsageError when the folder holds none.
    """
    names = [path.stem for path in sorted(folder.glob("*.json")) if path.with_suffix(".md").exists()]
    if not names:
        raise UsageError(f"{str(folder)!r} holds no annotated flow: NAME.md with NAME.json")
    for name in names:
        data = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        yield name, (folder / f"{name}.md").read_text(encoding="utf-8"), parse(data)


def _step(data: dict[str, Any]) -> AnnotatedStep:
    lines = data.get("lines") or [0]
    return AnnotatedStep(
        id=data["id"],
        lines=frozenset(lines),
        first=lines[0],
        kind=data.get("kind", ""),
        text=data.get("text") or "",
        conditional=bool(data.get("only_if")),
    )
