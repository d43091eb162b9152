"""Keeps every step reachable: a step that no branch leads to gets one from the step before it."""

from soprag.tools.procedure.step_reader import StepInProgress
from soprag.tools.tasks.retriever import BranchDraft


def connected(drafts: list[StepInProgress], branches: list[list[BranchDraft]]) -> list[list[BranchDraft]]:
    """The branches of each step, with an "otherwise" branch added to each step that would be unreachable.

    A step stays unreachable where the step before it ends the procedure or already has an "otherwise" branch; the
    display of the flow marks it.
    """
    positions = {draft.start: index for index, draft in enumerate(drafts)}
    reached: set[int] = set()
    branches = [list(leading) for leading in branches]
    _reach(0, branches, positions, reached)
    for index in range(1, len(drafts)):
        before = branches[index - 1]
        if index not in reached and before and all(branch.when != "otherwise" for branch in before):
            before.append(BranchDraft(to=drafts[index].start, when="otherwise"))
            _reach(index, branches, positions, reached)
    return branches


def _reach(start: int, branches: list[list[BranchDraft]], positions: dict[int, int], reached: set[int]) -> None:
    """Add every step reachable from `start` to `reached`."""
    open_ = [start]
    while open_:
        index = open_.pop()
        if index < len(branches) and index not in reached:
            reached.add(index)
            open_ += [positions[branch.to] for branch in branches[index] if branch.to in positions]
