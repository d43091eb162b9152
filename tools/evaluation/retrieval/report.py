"""Writes an evaluation as JSON."""

from pathlib import Path

from tools.evaluation.retrieval.records import Evaluation
from tools.runs import write_whole


def write_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Write `evaluation.json`."""
    write_whole(folder / "evaluation.json", evaluation.model_dump_json(indent=1).encode())
