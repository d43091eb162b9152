"""Linearisation of a flow graph for a model (paper 3.4): per node its id, warnings, text and branches.

    # Section / Subsection
    [s2] step 2, decision, lines 8-9
        WARNING: Moving parts.
        If the belt is broken, go to step 4.
        -> s4 when: the belt is broken

Text from the document is always indented, so that it cannot imitate a node or a heading in the first column.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from soprag.tools.procedure.rendered_steps import ShownStep, lines_of
from soprag.tools.sop import END
from soprag.tools.text.relevance import relevance
from soprag.tools.text.sanitize import one_line

_HEAD = re.compile(r"^\[(?P<id>\S+)\] .*?(?P<kind>action|decision|wait|end), lines? ")
_GROUP = 40  # steps of one section that are included or omitted together


@dataclass(frozen=True)
class LinearNode:
    """One node parsed from a linearised flow."""

    id: str
    kind: str
    section: str
    text: str


def linearise(steps: Sequence[ShownStep], question: str = "", limit: int = 0) -> str:
    """The flow as lines; with a `limit` in characters, the least relevant sections for the question are omitted."""
    ids = {step.number: step.id for step in steps}
    groups = [["\n".join(_node(step, ids)) for step in group] for group in _grouped(steps)]
    heads = [f"# {one_line(group[0].section)}" for group in _grouped(steps)]
    texts = ["\n".join([head, *nodes]) for head, nodes in zip(heads, groups, strict=True)]
    chosen = _fitting(texts, question, limit)
    return "\n".join(
        text if index in chosen else f"{heads[index]}\n(not shown here)" for index, text in enumerate(texts)
    )


def nodes(flow: str) -> list[LinearNode]:
    """The nodes of a linearised flow in order."""
    parsed: list[tuple[str, str, str, list[str]]] = []
    section = ""
    for line in flow.split("\n"):
        head = _HEAD.match(line)
        if head:
            parsed.append((head["id"], head["kind"], section, []))
        elif line.startswith("# "):
            section = line[2:]
        elif line.startswith("    ") and parsed:
            parsed[-1][3].append(line[4:])
    return [LinearNode(id, kind, section, "\n".join(lines)) for id, kind, section, lines in parsed]


def _grouped(steps: Sequence[ShownStep]) -> list[list[ShownStep]]:
    """Neighbours of one section, in groups of bounded size."""
    groups: list[list[ShownStep]] = []
    for _, members in groupby(steps, key=lambda step: step.section):
        section = list(members)
        groups += [section[start : start + _GROUP] for start in range(0, len(section), _GROUP)]
    return groups


def _fitting(texts: list[str], question: str, limit: int) -> set[int]:
    """Indices of the texts that fit into the limit, chosen by relevance; at least one."""
    if not limit or sum(map(len, texts)) <= limit:
        return set(range(len(texts)))
    scores = relevance(question, texts)
    chosen: set[int] = set()
    for index in sorted(range(len(texts)), key=lambda index: (-scores[index], index)):
        if not chosen or sum(len(texts[earlier]) for earlier in chosen) + len(texts[index]) <= limit:
            chosen.add(index)
    return chosen


def _node(step: ShownStep, ids: dict[int, str]) -> Iterator[str]:
    name = f"step {one_line(step.label)}, " if step.label else ""
    yield f"[{step.id}] {name}{step.kind}, {lines_of(step.lines)}"
    for warning in step.warnings:
        yield _indented(f"{warning.kind.upper()}: {warning.text}")
    yield _indented(step.text)
    if step.only_if:
        yield f"    only if: {one_line(step.only_if)}"
    for branch in step.ways:
        target = "?" if branch.unresolved else ids.get(branch.to, END)
        yield f"    -> {target}" + (f" when: {one_line(branch.condition)}" if branch.condition else "")
    if step.references:
        yield f"    see: {'; '.join(map(one_line, step.references))}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
