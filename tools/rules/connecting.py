"""A reading by rule must not put a step out of reach: where a go-to would, the step written next stays a way."""

from tools.llm.tasks.retriever import Branch
from tools.rules.steps import Draft


def connected(drafts: list[Draft], ways: list[list[Branch]]) -> list[list[Branch]]:
    """The ways out of each step, with one more to a step that no way would lead to.

    A step after the end of the procedure, or after one whose words name every way, stays where it is: whoever shows the
    flow names it.
    """
    places = {draft.start: at for at, draft in enumerate(drafts)}
    reached: set[int] = set()
    ways = [list(leading) for leading in ways]
    _reach(0, ways, places, reached)
    for at in range(1, len(drafts)):
        before = ways[at - 1]
        if at not in reached and before and all(way.when != "otherwise" for way in before):
            before.append(Branch(to=drafts[at].start, when="otherwise"))
            _reach(at, ways, places, reached)
    return ways


def _reach(start: int, ways: list[list[Branch]], places: dict[int, int], reached: set[int]) -> None:
    """Add what `start` leads to."""
    open_ = [start]
    while open_:
        at = open_.pop()
        if at < len(ways) and at not in reached:
            reached.add(at)
            open_ += [places[way.to] for way in ways[at] if way.to in places]
