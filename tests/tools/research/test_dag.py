"""Plans: what is wrong with a draft, how it is mended, and in which order its subtasks may run."""

import pytest

from soprag.agents.deepsearch.planner import Planner
from soprag.tools.research.dag import critical_path, faults, flatten, ordered
from soprag.tools.research.records import Subtask
from soprag.tools.tasks.deepsearch import SubtaskDraft
from tests.research import subtask
from tests.scripting import scripted

CYCLE = [subtask("a", "first part", "b"), subtask("b", "second part", "a")]
GOOD = [subtask("b", "second part", "a"), subtask("a", "first part")]


def drafts(*plan: dict[str, object]) -> list[SubtaskDraft]:
    return [SubtaskDraft.model_validate(one) for one in plan]


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (CYCLE, "in a circle"),
        ([subtask("a", "one part", "a")], "in a circle: a -> a"),
        ([subtask("a", "one part", "ghost")], "'a' depends on 'ghost', and there is no such subtask"),
        ([subtask("a", "one part"), subtask("a", "another part")], "The id 'a' is used 2 times"),
        ([subtask(str(number), "one part") for number in range(4)], "There are 4 subtasks; at most 3"),
    ],
)
def test_a_faulty_plan_is_told_what_is_wrong(plan: list[dict[str, object]], said: str) -> None:
    assert any(said in fault for fault in faults(drafts(*plan), 3))


def test_a_good_plan_has_no_fault_and_runs_in_order() -> None:
    assert faults(drafts(*GOOD), 3) == []
    subtasks = [Subtask(id="b", query="b", depends_on=("a",)), Subtask(id="c", query="c"), Subtask(id="a", query="a")]
    assert [one.id for one in ordered(subtasks)] == ["c", "a", "b"]


def test_a_flat_plan_has_no_dependencies_and_an_id_for_each() -> None:
    flat = flatten(drafts(*CYCLE, subtask("a", "third part")), 3)
    assert [(one.id, one.depends_on) for one in flat] == [("a", ()), ("b", ()), ("a-2", ())]


def test_the_critical_path_is_the_longest_way() -> None:
    subtasks = [Subtask(id="a", query="a"), Subtask(id="b", query="b", depends_on=("a",)), Subtask(id="c", query="c")]
    assert critical_path(subtasks, {"a": 1, "b": 2, "c": 2.5}) == 3


async def test_a_faulty_plan_goes_back_once_with_its_faults() -> None:
    llm = scripted({"plan_research": [{"subtasks": CYCLE}, {"subtasks": GOOD}]})
    plan = await Planner(llm, 8).plan("What?")
    assert [one.id for one in plan.subtasks] == ["a", "b"]
    assert "in a circle" in llm.requests[1][1].faults[0] and "sent back" in plan.notes[0]


async def test_a_plan_that_stays_faulty_runs_flat_and_says_so() -> None:
    llm = scripted({"plan_research": [{"subtasks": CYCLE}, {"subtasks": CYCLE}]})
    plan = await Planner(llm, 8).plan("What?")
    assert [one.depends_on for one in plan.subtasks] == [(), ()]
    assert "without their dependencies" in plan.notes[-1]


async def test_judges_cannot_have_the_same_thing_looked_for_twice() -> None:
    plan = await Planner(scripted({"plan_research": [{"subtasks": GOOD}]}), 8).plan("What?")
    more = Planner(scripted(), 8).extend(plan, ("First  part", "third part", "third part"), 1)
    assert [(one.id, one.query, one.round) for one in more.subtasks[2:]] == [("more-1-1", "third part", 1)]
