"""The experts of code and of mathematics: what they ask, what they run, and how they fail."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from pydantic import JsonValue

from soprag.agents.experts.code import CodeExpert
from soprag.agents.experts.math import MathExpert
from soprag.tools.history import StepFailure, StepRecord
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.protocols import ExpertResult, Work
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sandbox import HostTool, Program, SandboxLimits, SandboxOutcome


@dataclass
class Recorder:
    """A sandbox that runs nothing and says what it was told to."""

    outcome: SandboxOutcome = field(default_factory=lambda: SandboxOutcome(value={"value": 2.0, "unit": "bar"}))
    ran: list[Program] = field(default_factory=list)
    name: str = "recorder"
    libraries: tuple[str, ...] = ("sympy",)
    tools: Mapping[str, HostTool] = field(default_factory=dict)

    async def run(self, program: Program, limits: SandboxLimits | None = None) -> SandboxOutcome:
        self.ran.append(program)
        return self.outcome


PAST = (
    StepRecord(step="s1", tool="math", task="pressure", output={"value": 3, "unit": "bar"}, text="p = 3 bar"),
    StepRecord(
        step="s2",
        tool="math",
        task="flow",
        output=None,
        status="failed",
        failure=StepFailure(kind="empty", message="x"),
    ),
)


async def test_a_program_gets_the_results_of_earlier_steps_and_not_of_failed_ones() -> None:
    sandbox, model = Recorder(), ScriptedLlm({"code": {"code": "answer = inputs['s1']", "why": ""}})
    made = await CodeExpert(model, sandbox).work(Work(task="double it", history=PAST))
    assert isinstance(made, ExpertResult)
    assert made.output == {"value": 2.0, "unit": "bar"}
    assert sandbox.ran[0].inputs == {"s1": {"value": 3, "unit": "bar"}}
    assert "p = 3 bar" in model.requests[0][1].inputs


async def test_a_result_in_another_dimension_is_a_dimension_failure() -> None:
    model = ScriptedLlm({"code": {"code": "answer = 1", "why": ""}})
    made = await CodeExpert(model, Recorder()).work(Work(task="t", arguments={"unit": "kg"}))
    assert isinstance(made, StepFailure)
    assert made.kind == "dimension"


async def test_a_result_is_given_in_the_unit_asked_for() -> None:
    model = ScriptedLlm({"code": {"code": "answer = 1", "why": ""}})
    made = await CodeExpert(model, Recorder()).work(Work(task="t", arguments={"unit": "kPa"}))
    assert isinstance(made, ExpertResult)
    assert made.output == {"value": pytest.approx(200), "unit": "kPa"}


async def test_a_program_that_failed_is_not_run_again_and_the_model_sees_why() -> None:
    failure = StepFailure(kind="name", message="NameError: x", detail="program:\nanswer = x")
    past = (StepRecord(step="s1", tool="code", task="t", status="failed", failure=failure),)
    sandbox, model = Recorder(), ScriptedLlm({"code": {"code": "answer = x", "why": ""}})
    made = await CodeExpert(model, sandbox).work(Work(task="t", history=past))
    assert isinstance(made, StepFailure)
    assert sandbox.ran == []
    assert "NameError" in model.requests[0][1].failed


async def test_a_fault_carries_its_program() -> None:
    sandbox = Recorder(SandboxOutcome(failure=StepFailure(kind="syntax", message="bad", detail="line 1")))
    made = await CodeExpert(ScriptedLlm({"code": {"code": "answer = (", "why": ""}}), sandbox).work(Work(task="t"))
    assert isinstance(made, StepFailure)
    assert made.kind == "syntax"
    assert "answer = (" in made.detail


async def test_nothing_is_run_when_nothing_was_written() -> None:
    sandbox = Recorder()
    made = await CodeExpert(RulesLlm(), sandbox).work(Work(task="Write a poem."))
    assert isinstance(made, StepFailure)
    assert made.kind == "unavailable"
    assert sandbox.ran == []


async def test_the_worked_example_of_peoa_is_solved_by_rules_alone() -> None:
    task = (
        "Calculate the volume in m³ occupied by 88 lb of CO2 (ideal gas, M = 44.01 g/mol) at 15 °C and an absolute "
        "pressure of 32.2 ft of water (4 °C)."
    )
    made = await MathExpert(RulesLlm(), Recorder()).work(Work(task=task))
    assert isinstance(made, ExpertResult)
    assert isinstance(made.output, dict)
    assert made.output["value"] == pytest.approx(22.58, abs=0.005)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ({"tool": "unit_convert", "value": 1, "unit": "kg", "to": "m"}, "dimension"),
        ({"tool": "apply_law", "law": "perpetual", "knowns": [], "unknown": "x"}, "arguments"),
        ({"tool": "wolfram", "query": "?"}, "unavailable"),
        (
            {"tool": "linear_algebra", "operation": "solve", "matrix": [[1, 1], [1, 1]], "vector": [1, 2]},
            "inconsistent",
        ),
        (
            {
                "tool": "optimise",
                "sense": "min",
                "variables": [{"name": "x"}],
                "objective": [{"variable": "x", "coefficient": 1}],
                "constraints": [{"terms": [{"variable": "x", "coefficient": 1}], "relation": "<=", "bound": -1}],
            },
            "empty",
        ),
        (
            {
                "tool": "solve_equations",
                "equations": ["m*c*dT = P"],
                "knowns": [
                    {"name": "m", "value": 1, "unit": "kg"},
                    {"name": "c", "value": 4, "unit": "kJ/(kg*K)"},
                    {"name": "dT", "value": 5, "unit": "K"},
                ],
                "unknowns": [{"name": "P", "unit": "kW"}],
            },
            "dimension",
        ),
        (
            {
                "tool": "solve_equations",
                "equations": ["__import__('os').getcwd() = x"],
                "knowns": [],
                "unknowns": [{"name": "x"}],
            },
            "arguments",
        ),
    ],
)
async def test_a_call_that_cannot_be_right_is_a_failure_with_its_kind(
    call: dict[str, JsonValue], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WOLFRAM_ALPHA_APPID", raising=False)
    sandbox = Recorder()
    made = await MathExpert(ScriptedLlm({"math": {"call": call, "why": ""}}), sandbox).work(Work(task="t"))
    assert isinstance(made, StepFailure)
    assert made.kind == kind, made
    assert sandbox.ran == []


async def test_equations_reach_the_sandbox_as_data_and_come_back_with_units() -> None:
    sandbox = Recorder(SandboxOutcome(value=[285.0]))
    call = {
        "tool": "solve_equations",
        "equations": ["T2 - T1 = dT"],
        "knowns": [{"name": "T1", "value": 7, "unit": "degC"}, {"name": "dT", "value": 5, "unit": "K"}],
        "unknowns": [{"name": "T2", "unit": "degC"}],
    }
    made = await MathExpert(ScriptedLlm({"math": {"call": call, "why": ""}}), sandbox).work(Work(task="t"))
    assert isinstance(made, ExpertResult)
    assert made.output == {"value": pytest.approx(11.85), "unit": "degC"}
    assert "T2" not in sandbox.ran[0].code
    assert sandbox.ran[0].inputs["knowns"] == {"T1": pytest.approx(280.15), "dT": 5.0}
