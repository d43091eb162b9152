"""A model that writes programs is shown the functions of the libraries that fit its task."""

import asyncio

import pytest

from soprag.agents.experts.code import CodeExpert
from soprag.tools.knowledge.toolbox_skeletons import PACKAGES, describe_functions, library_skeletons
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.protocols import Work
from soprag.tools.sandbox import Program, SandboxOutcome
from soprag.tools.tasks.calculate import CodeAsk

pytest.importorskip("fluids")
pytest.importorskip("ht")


@pytest.mark.parametrize(
    ("task", "function"),
    [
        ("friction factor of a pipe at a Reynolds number of 50000", "fluids.friction.friction_factor"),
        ("log mean temperature difference of a countercurrent exchanger", "ht.core.LMTD"),
        ("pressure drop across a packed bed of spheres by Ergun", "fluids.packed_bed.Ergun"),
        ("terminal velocity of a sand grain that settles in water", "fluids.drag.v_terminal"),
    ],
)
def test_a_task_finds_the_function_that_solves_it(task: str, function: str) -> None:
    calls = [found.call.partition("(")[0] for found in library_skeletons(PACKAGES).find(task)]
    assert function in calls


def test_a_skeleton_says_how_it_is_called_and_in_which_units() -> None:
    text = describe_functions("relative roughness of a pipe wall from its diameter", PACKAGES)
    assert "fluids.core.relative_roughness(D: float" in text
    assert "D: Diameter of pipe, [m]" in text and "returns eD" in text and '"""' not in text


def test_libraries_that_a_program_cannot_import_are_not_shown() -> None:
    assert describe_functions("friction factor of a pipe", ("sympy",)) == ""


def test_the_model_calls_a_function_that_only_its_skeleton_told_it_of() -> None:
    def write(ask: CodeAsk) -> dict[str, str]:
        assert "fluids.friction.friction_factor(Re: float" in ask.libraries
        return {"code": "import fluids\nanswer = fluids.friction.friction_factor(5e4, 4e-4)", "why": "its skeleton"}

    class Here:
        libraries, tools = PACKAGES, ()

        async def run(self, program: Program) -> SandboxOutcome:
            values: dict[str, float] = {}
            exec(program.code, values)
            return SandboxOutcome(value=values["answer"])

    expert = CodeExpert(ScriptedLlm(script={"code": write}), Here(), describe_functions)  # type: ignore[arg-type]
    result = asyncio.run(expert.work(Work(task="friction factor of a pipe, Reynolds number 5e4, roughness 4e-4")))
    assert getattr(result, "output", None) == pytest.approx(0.0218, abs=0.0005)
