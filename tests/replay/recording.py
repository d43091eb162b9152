"""Recorded pairs of the replay suite: one line for each case, in one file for each task.

A pair is found by the name of its case, so that a change of wording does not lose it. It keeps the digest of the input
and the version of the prompt that it was recorded with, so that such a change is seen.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from soprag import prompts
from soprag.tools.sop import digest
from tests.replay.cases import ReplayCase

FOLDER = Path(__file__).parent / "pairs"


@dataclass(frozen=True)
class RecordedPair:
    """The answer to a case as a model wrote it, and what it was recorded with."""

    case: str
    prompt: str
    input: str
    answer: str


def versions(case: ReplayCase) -> tuple[str, str]:
    """The version of the prompt and the digest of the input of a case today; descriptions of tools do not count."""
    return prompts.version(case.task.name), digest(case.inputs.model_dump_json(exclude={"tools"}))[:12]


def read_pairs() -> dict[str, RecordedPair]:
    """Every recorded pair by the name of its case."""
    rows = [json.loads(row) for file in sorted(FOLDER.glob("*.jsonl")) for row in file.read_text("utf-8").splitlines()]
    return {row["case"]: RecordedPair(**row) for row in rows}


def write_pairs(pairs: Iterable[RecordedPair]) -> None:
    """Write the pairs, sorted, in place of all earlier ones."""
    files: dict[str, list[RecordedPair]] = {}
    for pair in sorted(pairs, key=lambda pair: pair.case):
        files.setdefault(pair.case.partition("/")[0], []).append(pair)
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.jsonl"):
        file.unlink()
    for task, recorded in files.items():
        rows = [json.dumps(vars(pair), ensure_ascii=False) for pair in recorded]
        (FOLDER / f"{task}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
