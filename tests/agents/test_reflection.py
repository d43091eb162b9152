"""Reflection finds the faulty step, does only that and its descendants again, and knows when to stop."""

from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel

from soprag.agents.experts.code import CodeExpert
from soprag.agents.reflection import GiveUp, Mending, Reflection, current
from soprag.tools.history import ErrorKind, StepFailure, StepRecord
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.protocols import ExpertResult, ToolProtocol, Work
from soprag.tools.rules.adapter import RulesLlm


class Anything(BaseModel):
    model_config = {"extra": "allow"}


@dataclass(frozen=True)
class Tool:
    name: str
    side_effect: str = "pure"

    @property
    def protocol(self) -> ToolProtocol:
        return ToolProtocol(self.name, "", "", "", Anything, Anything, self.side_effect, ())  # type: ignore[arg-type]

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        raise AssertionError


EXPERTS = {one.name: one for one in (Tool("code"), Tool("math"), Tool("mail", "write"))}


def ok(
    step: str, *uses: str, task: str = "work", unit: str = "kg", value: float = 1.0, tool: str = "code"
) -> StepRecord:
    return StepRecord(step=step, tool=tool, task=task, uses=uses, output={"value": value, "unit": unit})


def bad(step: str, *uses: str, kind: ErrorKind = "dimension", message: str = "no", **more: Any) -> StepRecord:
    failure = StepFailure(kind=kind, message=message, detail=more.pop("detail", ""))
    return StepRecord(step=step, tool="code", task="work", uses=uses, status="failed", failure=failure, **more)


async def repair(*history: StepRecord, llm: Any = None, **limits: int) -> Mending | GiveUp:
    return await Reflection(llm or RulesLlm(), EXPERTS, **limits).repair("q", history)


async def test_a_fault_of_its_own_is_mended_in_the_failed_step_alone() -> None:
    mending = await repair(ok("s1"), bad("s2", kind="syntax"))
    assert isinstance(mending, Mending)
    assert [(one.step, one.version) for one in mending.agenda] == [("s2", 2)]
    assert not mending.superseded


async def test_pounds_in_place_of_moles_are_found_in_the_step_that_gave_them() -> None:
    """PEOA's own example: the amount of 88 lb of CO2 was taken for moles, and no error was raised there."""
    history = (
        ok("s1", task="Convert 32.2 ft of water to Pa", unit="Pa"),
        ok("s2", task="Find the amount of substance of 88 lb of CO2", unit="lb", value=88),
        bad("s3", "s1", "s2"),
    )
    mending = await repair(*history)
    assert isinstance(mending, Mending)
    assert [(one.step, one.version) for one in mending.agenda] == [("s2", 2), ("s3", 2)]
    assert [event.step for event in mending.superseded] == ["s2"]
    assert "asks for something in mol" in mending.agenda[0].revision


async def test_only_descendants_are_done_again() -> None:
    history = (ok("s1", unit="K", value=-5.0), ok("s2", "s1"), ok("s3"), ok("s4", "s3"), bad("s5", "s2", "s4"))
    mending = await repair(*history)
    assert isinstance(mending, Mending)
    assert [one.step for one in mending.agenda] == ["s1", "s2", "s5"]
    assert [event.step for event in mending.superseded] == ["s1", "s2"]


async def test_a_model_chooses_among_at_most_four_and_nothing_else() -> None:
    steps = [ok(f"s{n}") for n in range(1, 8)]
    llm = ScriptedLlm({"repair": {"step": "s99", "cause": "c", "fix": "f"}})
    mending = await repair(*steps, bad("s8", *(f"s{n}" for n in range(1, 8))), llm=llm)
    assert [suspect.step for suspect in llm.requests[0][1].suspects] == ["s8", "s1", "s2", "s3"]
    assert isinstance(mending, Mending) and mending.agenda[0].step == "s8"


async def test_a_broken_step_is_among_the_four_however_far_it_is() -> None:
    steps = [ok("s1", value=-3.0), *(ok(f"s{n}", f"s{n - 1}") for n in range(2, 8))]
    llm = ScriptedLlm({"repair": {"step": "s1", "cause": "c", "fix": "f"}})
    mending = await repair(*steps, bad("s8", "s7"), llm=llm)
    assert "less than nothing" in next(one.evidence for one in llm.requests[0][1].suspects if one.step == "s1")
    assert isinstance(mending, Mending) and [one.step for one in mending.agenda] == [f"s{n}" for n in range(1, 9)]


async def test_what_changed_the_world_is_never_done_again() -> None:
    mail = ok("s2", "s1", tool="mail")
    outcome = await repair(ok("s1", value=-1.0), mail, bad("s3", "s2", "s1"))
    assert isinstance(outcome, GiveUp) and "s2 changed something outside" in outcome.reason
    refused = mail.model_copy(update={"status": "failed", "failure": StepFailure(kind="runtime", message="x")})
    assert isinstance(await repair(refused), GiveUp)


@pytest.mark.parametrize("kind", ["refused", "unavailable", "precondition"])
async def test_what_needs_a_person_is_not_tried_again(kind: ErrorKind) -> None:
    assert isinstance(await repair(bad("s1", kind=kind)), GiveUp)


async def test_the_same_error_twice_ends_it_when_no_other_step_can_be_at_fault() -> None:
    outcome = await repair(bad("s1"), bad("s1", version=2, revision="r"))
    assert isinstance(outcome, GiveUp) and "twice in the same way" in outcome.reason


async def test_the_same_code_twice_is_the_same_fault_whatever_it_said() -> None:
    first = bad("s1", message="one", detail="line 3\nprogram:\nanswer = 1")
    again = bad("s1", message="two", detail="program:\nanswer = 1", version=2, revision="r")
    assert isinstance(await repair(first, again), GiveUp)


async def test_after_the_same_error_twice_the_steps_before_it_are_tried() -> None:
    mending = await repair(ok("s1"), bad("s2", "s1"), bad("s2", "s1", version=2, revision="r"))
    assert isinstance(mending, Mending)
    assert [(one.step, one.version) for one in mending.agenda] == [("s1", 2), ("s2", 3)]


async def test_a_step_and_a_turn_have_so_many_repairs_and_no_more() -> None:
    history = (bad("s1", message="a"), bad("s1", message="b", version=2, revision="r"))
    assert isinstance(await repair(*history, per_step=1), GiveUp)
    assert isinstance(await repair(*history, per_turn=1), GiveUp)
    assert isinstance(await repair(*history), Mending)


async def test_a_repair_without_a_fix_or_with_impossible_arguments_is_none() -> None:
    idle = ScriptedLlm({"repair": {"step": "s1", "cause": "c", "fix": " "}})
    assert isinstance(await repair(bad("s1"), llm=idle), GiveUp)


def test_the_present_version_of_a_step_is_its_newest() -> None:
    events = current([ok("s1"), bad("s2"), ok("s1").model_copy(update={"status": "superseded"}), ok("s2")])
    assert [(event.step, event.status) for event in events] == [("s1", "superseded"), ("s2", "ok")]


async def test_an_expert_that_reads_its_failures_is_repeated_without_a_request() -> None:
    model = ScriptedLlm({})
    mending = await Reflection(model, {"code": CodeExpert(model, None)}).repair(
        "q", [bad("s1").model_copy(update={"tool": "code"})]
    )  # type: ignore[arg-type]
    assert isinstance(mending, Mending)
    assert mending.agenda[0].revision.startswith("no")
    assert model.requests == []


async def test_no_request_is_made_for_a_step_whose_repairs_are_used_up() -> None:
    model = ScriptedLlm({})
    history = (bad("s1", message="a"), bad("s1", message="b", version=2, revision="r"))
    assert isinstance(await repair(*history, llm=model, per_step=1), GiveUp)
    assert model.requests == []
