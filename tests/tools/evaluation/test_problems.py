"""Problems are scored with their units, and the problems of the examples are what their generator writes."""

import json
from pathlib import Path

import pytest

from soprag.benchmarks.quality.answer_matching import symbol
from soprag.benchmarks.quality.problems import Problem, judge, read_problems
from soprag.benchmarks.quality.replayed_answers import play
from soprag.examples import build_problems
from soprag.tools.errors import UsageError
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult
from soprag.tools.units.quantity import Quantity

ONE = Problem(id="p", topic="t", question="?", answer=2.0, unit="bar", rel_tol=0.01)


@pytest.mark.parametrize(
    ("output", "right"),
    [
        ({"value": 200, "unit": "kPa"}, True),
        ({"value": 2.01, "unit": "bar"}, True),
        ({"value": 2.1, "unit": "bar"}, False),
        ({"value": 2.0, "unit": "kg"}, False),
        (2.0, False),
        ({"value": 2, "unit": "bar", "values": {"x": {"value": 9, "unit": "m"}}}, True),
        (None, False),
        ("2 bar", False),
    ],
)
def test_a_value_counts_only_with_its_unit(output: object, right: bool) -> None:
    assert judge(ONE, ExpertResult(output=output, text="")).right is right  # type: ignore[arg-type]


def test_several_values_are_found_by_their_names() -> None:
    answers = {"h_f_kJ_kg": Quantity(value=10, unit="kJ/kg"), "T_sat_C": Quantity(value=100, unit="C")}
    problem = ONE.model_copy(update={"answers": answers})
    output = {"enthalpy": {"value": 10, "unit": "kJ/kg"}, "T_sat": {"value": 373.15, "unit": "K"}}
    assert judge(problem, ExpertResult(output=output, text="")).right
    verdict = judge(problem, ExpertResult(output={"h": output["enthalpy"]}, text=""))
    assert (verdict.right, verdict.parts, verdict.parts_right) == (False, 2, 1)


def test_a_failure_is_no_answer() -> None:
    verdict = judge(ONE, StepFailure(kind="dimension", message="m and s"))
    assert (verdict.right, verdict.failure) == (False, "dimension")


@pytest.mark.parametrize(
    ("one", "other"), [("h_1", "h₁"), ("s_gen", "sgen"), ("T_sat_C", "T"), ("rho_kg_m3", "density")]
)
def test_one_value_has_one_name(one: str, other: str) -> None:
    assert symbol(one) == symbol(other)


def test_the_problems_are_what_the_generator_writes() -> None:
    assert build_problems.FILE.read_text(encoding="utf-8") == build_problems.text()


def test_every_kept_answer_fits_its_task() -> None:
    from soprag.tools.tasks.calculate import CodeDraft, MathChoice

    kept = json.loads((build_problems.FILE.parent / "answers.json").read_text(encoding="utf-8"))
    play(build_problems.FILE.parent / "answers.json", read_problems(build_problems.FILE))
    for task, form in (("code", CodeDraft), ("math", MathChoice)):
        for answer in kept[task].values():
            form.model_validate(answer)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "problems.jsonl"
    file.write_text('{"id": "a"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="line 1"):
        read_problems(file)
