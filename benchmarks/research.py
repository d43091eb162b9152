"""How long a piece of research takes against the critical path of its plan, when every call takes one second.

    python -m soprag.benchmarks.research [--seconds 1.0]

Every search, page and answer of the model is held back for so long. No run can be faster than its critical path: plan,
then the longest way through the graph of subtasks, then report and judgement. Prints wall time, path and ratio as JSON.
"""

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from soprag.graphs.deepsearch import create_researcher
from soprag.graphs.deepsearch.context import DeepSearchContext, OpenedResearch
from soprag.graphs.deepsearch.state import DeepSearchInput
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.research.dag import critical_path
from soprag.tools.research.records import SubtaskOutcome, SubtaskPlan
from tests.research import FakeWeb, make_study, subtask
from tests.scripting import scripted

SHAPES: dict[str, dict[str, tuple[str, ...]]] = {
    "eight at once": dict.fromkeys(("rust", "wear", "leak", "noise", "heat", "dust", "crack", "play"), ()),
    "diamond": {"rust": (), "wear": ("rust",), "leak": ("rust",), "noise": ("wear", "leak")},
    "one long, many short": {
        "rust": (), "wear": ("rust",), "leak": ("wear",), "noise": (), "heat": (), "dust": (), "crack": (), "play": (),
    },
}  # fmt: skip
PAGES = {
    f"https://{name}.test/page": f"# {name}\n\nA bearing with {name} is found by inspection and then replaced."
    for name in SHAPES["eight at once"]
}
CALLS = 4  # of one subtask: phrases, search, page, summary
AROUND = 3  # plan, report, judgement


def measure(name: str, seconds: float, folder: Path) -> dict[str, Any]:
    """Wall time, critical path and ratio of one plan."""
    question = f"What is known about bearing faults ({name})?"
    drafts = [subtask(id, f"{id} inspection", *needs) for id, needs in SHAPES[name].items()]
    llm = scripted({"plan_research": [{"subtasks": drafts}]}, delay=seconds)
    # One page for each subtask, so that none is spared a call by another that has read its page already.
    options: dict[str, Any] = {"versions": 1, "subtasks": 10, "concurrency": 16, "pages": 1}
    study = make_study(folder, question, FakeWeb(PAGES, delay=seconds), llm=llm, judges=_judges(llm), **options)
    graph = create_researcher(context=DeepSearchContext(runs=OpenedResearch(study)))
    began = time.monotonic()
    asyncio.run(graph.ainvoke(DeepSearchInput(question=question, run=str(folder))))
    wall = time.monotonic() - began
    plan = study.run.read("plan", "plan", SubtaskPlan)
    ended = {outcome.subtask: outcome.status for outcome in study.run.read_all("outcomes", SubtaskOutcome)}
    path = seconds * AROUND + critical_path(plan.subtasks, dict.fromkeys(ended, seconds * CALLS))
    apart = seconds * (AROUND + CALLS * len(ended))
    return {"plan": name, "wall": round(wall, 2), "critical_path": path, "one_after_another": apart,
            "ratio": round(wall / path, 3), "ended": ended}  # fmt: skip


def _judges(llm: ScriptedLlm) -> Any:  # noqa: ANN401 - the judges of a study
    from soprag.agents.deepsearch.judge import RubricJudge

    return (RubricJudge("scripted", llm, (1.0, 1.0, 1.0, 1.0, 1.0)),)


def main() -> None:
    """Measure every plan."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long every call takes")
    seconds = parser.parse_args().seconds
    for name in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure(name, seconds, Path(folder) / "run")), flush=True)  # noqa: T201 - a bench


if __name__ == "__main__":
    main()
