"""Agreement of the rule judge of research reports with a reader who judged the same reports.

    python -m soprag.benchmarks.quality.research_judge tests/benchmarks/research_verdicts.jsonl

The file holds 40 verdicts: whether every part of the question is answered by evidence about
it. One reader wrote them from the text of the reports, 16 of the version before whole procedures were copied and 24 of
later ones, before the marks of the judge that is measured were computed; the judge was then corrected on them, so the
figure is one of fit. The reports on the project's own documents are kept whole and judged anew here (`sentences`); the
others, on texts of other licences, are kept as verdicts only.
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


def kept_reports(file: Path) -> list[dict[str, Any]]:
    """The rows of `file` that hold a whole report."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if "sentences" in row]


def judged(row: dict[str, Any]) -> float:
    """The score of the rule judge, 0 to 4, for a kept report."""
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
    """Print the agreement on the reports that are kept whole."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="the verdicts, one JSON object a line")
    print(json.dumps(agreement(kept_reports(parser.parse_args().file))))  # noqa: T201 - a bench


if __name__ == "__main__":
    main()
