"""Recorded answers of a model go through the filters behind every task: what survives, and what a request costs.

`RENEW_REPLAY=1 uv run pytest -n0 tests/replay` writes `snapshot.json` anew. After a change of a prompt or an input,
record its pairs again, or keep them where the change does not matter (docs/models.md):

    uv run python -m tests.replay.record --base-url URL --model PROVIDER:NAME
    uv run python -m tests.replay.record --accept
"""

import json
import os
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from soprag.tools.llm.answer_reading import read
from soprag.tools.llm.rendering import request_tokens
from tests.replay.cases import ReplayCase, cases
from tests.replay.outcomes import outcomes
from tests.replay.recording import RecordedPair, read_pairs, versions

SNAPSHOT = Path(__file__).parent / "snapshot.json"
PAIRS = read_pairs()
DRIFT = 0.05  # of the tokens of a request, such as by the description of a tool
OPEN_TASKS: frozenset[str] = frozenset()  # tasks whose pairs wait for their prompt to settle


@pytest.fixture(scope="module")
def recorded() -> list[ReplayCase]:
    """The cases with a recorded answer; all sources of the library are read for them."""
    return [case for case in cases() if case.id in PAIRS]


def summary(recorded: list[ReplayCase]) -> dict[str, Any]:
    """What the recorded answers of one task cost, and what of them survives."""
    results = [part for case in recorded for part in outcomes(case, answer_of(case, PAIRS[case.id]))]
    lost = Counter(reason for _, reason in results if reason)
    return {
        "pairs": len(recorded),
        "prompt tokens": sum(request_tokens(case.task, case.inputs) for case in recorded) // len(recorded),
        "answer tokens": sum(len(PAIRS[case.id].answer) for case in recorded) // 4 // len(recorded),
        "survive": sum(not reason for _, reason in results),
        "lost": dict(sorted(lost.items())),
    }


def answer_of(case: ReplayCase, pair: RecordedPair) -> Any:
    """The answer as the chat adapter reads it."""
    reading = read(case.task.answers, pair.answer)
    assert reading.answer is not None, f"{case.id}: {reading.error}"
    return reading.answer


def test_there_is_a_pair_for_every_case_and_no_other() -> None:
    made = {case.id: case.task.name for case in cases()}
    assert [name for name, task in made.items() if name not in PAIRS and task not in OPEN_TASKS] == []
    assert [name for name in PAIRS if name not in made] == []
    assert len(PAIRS) >= 150


def test_prompts_and_inputs_are_those_the_pairs_were_recorded_with(recorded: list[ReplayCase]) -> None:
    changed: dict[str, list[str]] = defaultdict(list)
    for case in recorded:
        prompt, inputs = versions(case)
        if PAIRS[case.id].prompt != prompt:
            changed[case.task.name].append("prompt")
        elif PAIRS[case.id].input != inputs:
            changed[case.task.name].append(case.id)
    summary = {task: sorted(set(changes)) for task, changes in changed.items()}
    assert summary == {}, "Record these tasks again, or accept the change (see above)."


def test_every_recorded_answer_is_read_whole(recorded: list[ReplayCase]) -> None:
    readings = {case.id: read(case.task.answers, PAIRS[case.id].answer) for case in recorded}
    assert [id for id, reading in readings.items() if reading.answer is None or reading.malformed] == []


def test_what_survives_and_what_it_costs_is_as_it_was(recorded: list[ReplayCase]) -> None:
    tasks = defaultdict(list)
    for case in recorded:
        tasks[case.task.name].append(case)
    today = {task: summary(tasks[task]) for task in sorted(tasks)}
    if os.environ.get("RENEW_REPLAY"):
        SNAPSHOT.write_text(json.dumps(today, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    kept = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    assert {task: results | {"prompt tokens": 0} for task, results in today.items()} == {
        task: results | {"prompt tokens": 0} for task, results in kept.items()
    }
    prompt_tokens = {task: results["prompt tokens"] for task, results in today.items()}
    assert prompt_tokens == pytest.approx({task: kept[task]["prompt tokens"] for task in kept}, rel=DRIFT)
