"""Calculations in free language: what the rules compute is right, and what they cannot is looked for elsewhere."""

import asyncio
from pathlib import Path

import pytest

from soprag.agents.experts.math import MathExpert
from soprag.apps.compose import services
from soprag.benchmarks.quality.worded import WordedReport, measure_worded, read_worded
from soprag.configs.settings import load
from soprag.tools.errors import UsageError

FILE = Path(__file__).parents[2] / "examples" / "problems" / "worded.jsonl"


@pytest.fixture(scope="module")
def report() -> WordedReport:
    pytest.importorskip("CoolProp")
    rules = services.open_rules()
    expert = MathExpert(rules, services.open_sandbox(load("offline", environment={})))
    return asyncio.run(measure_worded(rules, expert, read_worded(FILE)))


@pytest.mark.slow
def test_nothing_is_computed_wrongly(report: WordedReport) -> None:
    assert len(report.results) == 60
    assert [result.question for result in report.results if result.outcome == "wrong"] == []


def test_most_of_what_can_be_computed_is(report: WordedReport) -> None:
    computable = [result for result in report.results if result.computable]
    assert sum(result.outcome == "right" for result in computable) >= 0.9 * len(computable)


def test_what_is_not_computed_is_looked_for_among_the_procedures(report: WordedReport) -> None:
    assert all(result.procedure for result in report.results if result.outcome == "passed on")


def test_a_malformed_row_is_named(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"id": "a"}\n')
    with pytest.raises(UsageError, match=r"rows\.jsonl"):
        read_worded(file)
