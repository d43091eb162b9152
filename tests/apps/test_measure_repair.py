"""`soprag measure repair` runs real programs in the real sandbox, so it is slow."""

import pytest

from soprag.apps.cli.measure_calculation import run_repair
from soprag.apps.compose.settings import open_settings
from soprag.benchmarks.quality.faults import FAULTS, injected


def test_every_fault_changes_the_first_version_of_exactly_one_program() -> None:
    chains = list(injected(2))
    assert {chain.fault for chain in chains} == set(FAULTS) - {"empty"}
    for chain in chains:
        task, written = next(iter(chain.first.items()))
        right = next(part.code for part in chain.parts if part.task == task)
        assert len(chain.first) == 1 and written != right, chain.name


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_reflection_mends_what_trying_again_does_not() -> None:
    report = run_repair(open_settings("offline", {}), 1)
    mended = {arm: sum(counts.values()) for arm, counts in report.mended.items()}
    assert mended["without"] < mended["retry"] < mended["reflection"] == sum(report.runs.values())
