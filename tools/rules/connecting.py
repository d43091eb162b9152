"""A reading by rule must not put a step out of reach: where a go-to would, the step written next stays a way."""

from tools.llm.tasks.retriever import Branch
from tools.rules.steps import Draft


def connected(drafts: list[Draft], branches: list[list[Branch]]) -> list[list[Branch]]:
    """The ways out of each step, with one more to a step that no way would lead to.

    A step after the end of the procedure, or after one whose words name every way, stays where it is: whoever shows the
    flow names it.
    """
    positions = {draft.start: index for index, draft in enumerate(drafts)}
    reached: set[int] = set()
    branches = [list(leading) for leading in branches]
    _reach(0, branches, positions, reached)
    for index in range(1, len(drafts)):
        before = branches[index - 1]
        if index not in reached and before and all(branch.when != "otherwise" for branch in before):
            before.append(Branch(to=drafts[index].start, when="otherwise"))
            _reach(index, branches, positions, reached)
    return branches


def _reach(start: int, branches: list[list[Branch]], positions: dict[int, int], reached: set[int]) -> None:
    """Add what `start` leads to."""
    open_ = [start]
    while open_:
        index = open_.pop()
        if index < len(branches) and index not in reached:
            reached.add(index)
            open_ += [positions[branch.to] for branch in branches[index] if branch.to in positions]
