"""Agreement of the rule judge of research reports with a reader who judged the same reports.

    python -m soprag.benchmarks.quality.research_judge tests/benchmarks/research_verdicts.jsonl

The file holds 59 reports on the project's own documents with a verdict: whether every part of the question is answered
by evidence about it. Evidence about something else beside the answer fails a part; a part said to be open is not
answered. One reader, who knew the version, wrote the verdicts from the texts without the marks: 19 earlier ones, then
20 questions twice, before (`B`) and after (`A`) a change of the evidence. The judge was corrected on the first 19 and
on `B`; on `A` it was only measured.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from soprag.agents.deepsearch.judge import score
from soprag.configs.settings import load
from soprag.tools.research.records import AXES
from soprag.tools.rules.research import judge
from soprag.tools.tasks.deepsearch import AnsweredSubtask, CitedSentence, JudgeAsk


def read_reports(file: Path) -> list[dict[str, Any]]:
    """The reports of `file` with their verdicts."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def judged(row: dict[str, Any]) -> float:
    """The score of the rule judge, 0 to 4, for a report."""
    marks = judge(
        JudgeAsk(
            question=row["question"],
            subtasks=[AnsweredSubtask.model_validate(subtask) for subtask in row["subtasks"]],
            report="",
            sentences=[
                CitedSentence.model_validate({"quotes": [sentence["text"]], **sentence})
                for sentence in row["sentences"]
            ],
        )
    )
    return score({axis: float(getattr(marks, axis)) for axis in AXES}, load("offline", environment={}).research.weights)


def agreement(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """How often the judge and the reader agree, with the reports on which they do not."""
    good_enough = load("offline", environment={}).research.good_enough
    passed = {row["id"]: judged(row) >= good_enough for row in rows}
    different = [row["id"] for row in rows if passed[row["id"]] != row["answered"]]
    right = len(rows) - len(different)
    return {"reports": len(rows), "agree": right, "share": round(right / max(len(rows), 1), 3), "different": different}


def main() -> None:
    """Print the agreement of the judge with the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="the verdicts, one JSON object a line")
    print(json.dumps(agreement(read_reports(parser.parse_args().file))))  # noqa: T201 - a bench


if __name__ == "__main__":
    main()
