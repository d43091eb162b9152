"""Ways that a model and the rules read alike, and those that only one of them reads."""

from soprag.tools.procedure.procedure import ProcedureEdge, ProcedureFlow, ProcedureStep
from soprag.tools.retriever.index.disagreement import disputed
from soprag.tools.sop import END, Unresolved

PLAIN = {"a": 1, "b": 2, "c": 3}


def flow(steps: dict[str, int], *ways: tuple[str, str], unresolved: tuple[Unresolved, ...] = ()) -> ProcedureFlow:
    return ProcedureFlow(
        lines=(),
        steps=tuple(ProcedureStep(id=id, lines=(line,), kind="action", text=id) for id, line in steps.items()),
        edges=tuple(ProcedureEdge(source=source, target=target) for source, target in ways),
        entry=(),
        entry_points=(),
        alternatives=(),
        warnings=(),
        ranges=(),
        unresolved=unresolved,
    )


READING = flow(PLAIN, ("a", "b"), ("b", "c"), ("c", END))


def doubts(read: ProcedureFlow) -> dict[str, str]:
    return {doubt.step: doubt.reason for doubt in disputed(read, READING)}


def test_names_do_not_matter_where_the_ways_are_the_same() -> None:
    same = flow({"x": 1, "y": 2, "z": 3}, ("x", "y"), ("y", "z"), ("z", END))
    assert doubts(same) == {}


def test_a_way_that_the_rules_read_otherwise_is_in_doubt() -> None:
    found = doubts(flow(PLAIN, ("a", "b"), ("b", END), ("c", END)))
    assert found.keys() == {"b"}
    assert "lead elsewhere" in found["b"]


def test_a_step_that_the_rules_do_not_read_is_in_doubt_with_the_way_to_it() -> None:
    found = doubts(flow({**PLAIN, "d": 9}, ("a", "b"), ("b", "d"), ("d", "c"), ("c", END)))
    assert found.keys() == {"b", "d"}
    assert "no step" in found["d"]


def test_neighbours_that_the_rules_do_not_read_are_one_doubt() -> None:
    more = flow({**PLAIN, "d": 8, "e": 9}, ("a", "b"), ("b", "c"), ("c", END), ("d", "e"), ("e", END))
    assert [(doubt.step, doubt.lines) for doubt in disputed(more, READING)] == [("d", (8, 9))]


def test_steps_of_one_line_are_one_way_through_it() -> None:
    cut = flow({"a": 1, "also": 1, "b": 2, "c": 3}, ("a", "also"), ("also", "b"), ("b", "c"), ("c", END))
    assert doubts(cut) == {}


def test_what_is_unresolved_already_is_not_listed_again() -> None:
    known = Unresolved(lines=(2,), reason="it may be wet", step="b")
    assert doubts(flow(PLAIN, ("a", "b"), ("b", END), ("c", END), unresolved=(known,))) == {}
