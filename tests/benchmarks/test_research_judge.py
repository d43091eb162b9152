"""The rule judge of research reports against a reader's verdicts."""

from pathlib import Path

import pytest

from soprag.benchmarks.quality.research_judge import agreement, read_reports

VERDICTS = Path(__file__).with_name("research_verdicts.jsonl")


@pytest.mark.slow
def test_the_rule_judge_agrees_with_the_reader_on_four_of_five_reports() -> None:
    assert agreement(read_reports(VERDICTS))["share"] >= 0.8
