"""The conditional stops that a text states: they hold whatever edges a flow graph has."""

import re
from collections.abc import Iterator, Mapping

from soprag.tools.procedure.control import END
from soprag.tools.procedure.passage import plain
from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureStep
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.targets import exit_of
from soprag.tools.sop import Span

_WORD = re.compile(r"[a-z0-9]+")
_IDLE = frozenset(("otherwise", "if", "the", "it", "is", "are", "a", "an", "they", "this"))


def stated_stops(body: str, nodes: Mapping[str, Span]) -> dict[str, tuple[str, ...]]:
    """Node -> the conditions under which the text of its lines ends the procedure.

    `nodes` holds the lines of every step of the graph.
    """
    found: dict[str, list[str]] = {}
    for node, condition in _stops(read_procedure(body), _owners(nodes), body.split("\n")):
        found.setdefault(node, []).append(condition)
    return {node: tuple(dict.fromkeys(conditions)) for node, conditions in found.items()}


def same_condition(one: str, another: str) -> bool:
    """Whether two conditions are one, as far as their words tell."""
    first, second = (set(_WORD.findall(words.lower())) - _IDLE for words in (one, another))
    return bool(first and second) and len(first & second) / min(len(first), len(second)) >= 0.6


def _owners(nodes: Mapping[str, Span]) -> dict[int, str]:
    """Line -> the innermost step that holds it."""
    owners: dict[int, str] = {}
    for node, span in sorted(nodes.items(), key=lambda item: item[1].start - item[1].end):
        owners |= dict.fromkeys(range(span.start, span.end + 1), node)
    return owners


def _stops(flow: ProcedureFlow, owners: Mapping[int, str], rows: list[str]) -> Iterator[tuple[str, str]]:
    """(node, condition) for every stop under a condition on the lines of a node."""
    steps = {step.id: step for step in flow.steps}
    ends = {edge.source for edge in flow.edges if edge.target == END and steps[edge.source].kind == "end"}
    for edge in flow.edges:
        step = steps[edge.source]
        node = owners.get(step.lines[0], "")
        stated = edge.when.removeprefix("If ").removeprefix("if ")
        if not node or step.kind != "decision" or stated.lower() in ("", "otherwise"):
            continue
        ending = edge.target in ends and owners.get(steps[edge.target].lines[0], "") == node
        if ending or (edge.target == END and _says_stop(step, rows)):
            yield node, stated


def _says_stop(step: ProcedureStep, rows: list[str]) -> bool:
    """Whether the lines of a step stop the procedure or send the reader to another document."""
    words = plain(" ".join(rows[line - 1] for line in step.lines))
    found = exit_of(words, conditional=True)
    return found is not None and found.target.kind in ("end", "document", "after")
