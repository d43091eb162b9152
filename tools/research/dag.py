"""Subtasks as a directed acyclic graph: what is wrong with a draft, and in which order its subtasks may run."""

from collections import Counter
from collections.abc import Sequence

import networkx as nx

from soprag.tools.research.records import Subtask
from soprag.tools.tasks.deepsearch import SubtaskDraft

_SHOWN = 5


def faults(drafts: Sequence[SubtaskDraft], limit: int) -> list[str]:
    """The validation errors of a draft plan, worded as instructions for the model; empty when it is valid."""
    problems = [f"There are {len(drafts)} subtasks; at most {limit} are allowed."] if len(drafts) > limit else []
    counts = Counter(draft.id for draft in drafts)
    problems += [
        f"The id {id!r} is used {count} times; every subtask needs its own."
        for id, count in counts.items()
        if count > 1
    ]
    for draft in drafts:
        unknown = [id for id in draft.depends_on if id not in counts]
        problems += [f"{draft.id!r} depends on {id!r}, and there is no such subtask." for id in unknown[:_SHOWN]]
    cycle = _cycle(drafts)
    return [*problems, f"These depend on each other in a circle: {' -> '.join(cycle)}."] if cycle else problems


def flatten(drafts: Sequence[SubtaskDraft], limit: int) -> tuple[Subtask, ...]:
    """The drafts without any dependency: at most `limit`, each under an id of its own."""
    counts: Counter[str] = Counter()
    flat = []
    for draft in drafts[:limit]:
        counts[draft.id] += 1
        id = draft.id if counts[draft.id] == 1 else f"{draft.id}-{counts[draft.id]}"
        flat.append(subtask_of(draft).model_copy(update={"id": id, "depends_on": ()}))
    return tuple(flat)


def ordered(subtasks: Sequence[Subtask]) -> tuple[Subtask, ...]:
    """The subtasks, each after everything it depends on, otherwise in the order given; they must be free of cycles."""
    positions = {subtask.id: index for index, subtask in enumerate(subtasks)}
    graph = nx.DiGraph()
    graph.add_nodes_from(positions)
    graph.add_edges_from((need, subtask.id) for subtask in subtasks for need in subtask.depends_on if need in positions)
    order = nx.lexicographical_topological_sort(graph, key=lambda id: positions[id])
    return tuple(subtasks[positions[id]] for id in order)


def critical_path(subtasks: Sequence[Subtask], seconds: dict[str, float]) -> float:
    """The longest way through the graph when each subtask takes so many seconds: no run can be faster."""
    ends: dict[str, float] = {}
    for subtask in ordered(subtasks):
        begins = max((ends[need] for need in subtask.depends_on if need in ends), default=0.0)
        ends[subtask.id] = begins + seconds[subtask.id]
    return max(ends.values(), default=0.0)


def subtask_of(draft: SubtaskDraft) -> Subtask:
    """A draft as a subtask of the plan."""
    return Subtask(
        id=draft.id,
        query=" ".join(draft.query.split()),
        instructions=" ".join(draft.instructions.split()),
        context=draft.context.strip(),
        depends_on=tuple(dict.fromkeys(draft.depends_on)),
    )


def _cycle(drafts: Sequence[SubtaskDraft]) -> list[str]:
    graph = nx.DiGraph((need, draft.id) for draft in drafts for need in draft.depends_on)
    try:
        edges = nx.find_cycle(graph)
    except nx.NetworkXNoCycle:
        return []
    return [edges[0][0], *(target for _, target in edges)]
