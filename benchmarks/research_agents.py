"""Research with one agent and with five, on the same questions and the same web: the five axes of paper 001.

    uv run python -m soprag.benchmarks.research_agents --webs ../shared/webs --out FOLDER

A web of the folder is served, every question of `research_questions.txt` is put to `soprag research` twice, and the
marks of the rule judge are averaged. A line is printed when a report begins and when it ends; one that takes longer
than `--seconds` counts as none. FOLDER gets the runs, `answers.jsonl`, which a second run goes on from, `table.md`, and
the paper's figures in form: 5 (axes by system), 7 (box plots) and 8 (histograms) of the cosine between the two reports
of a question and between reports of different questions; they are drawn from what there is with `--limit 0`.
"""

import argparse
import asyncio
import json
import os
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from soprag.apps.compose import research as studies
from soprag.apps.compose import services
from soprag.apps.compose.settings import open_settings
from soprag.benchmarks.charts import bars, boxes, histogram
from soprag.benchmarks.web_cells import NETWORK, ROOT, Served, serving
from soprag.configs.settings import Settings
from soprag.graphs.deepsearch import create_researcher
from soprag.graphs.deepsearch.context import DeepSearchContext, OpenedResearch
from soprag.graphs.deepsearch.state import DeepSearchInput
from soprag.tools.errors import SopragError
from soprag.tools.publishing.research import ResearchReport
from soprag.tools.research.records import AGENTS, AXES

SYSTEMS: dict[str, tuple[str, ...]] = {"one agent": ("web",), "five agents": AGENTS}
Row = dict[str, Any]


def settings_for(web: Served, agents: tuple[str, ...], cache: Path, versions: int) -> Settings:
    """The default settings with these agents, on a web that is one machine."""
    return open_settings("offline", {
        "search": {"engine": "serpapi", "base_url": f"http://127.0.0.1:{web.port + 1}"},
        "web": {"allow": [NETWORK], "delay": 0.01, "deadline": 8.0, "read_timeout": 4.0},
        "research": {"agents": list(agents), "versions": versions},
        "run": {"cache": str(cache)},
    })  # fmt: skip


async def answered(question: str, settings: Settings, folder: Path, seconds: float) -> Row:
    """The marks and the text of one report; without a report all marks are 0."""
    shutil.rmtree(folder, ignore_errors=True)  # of a run that was interrupted
    run = studies.start_research(question, "offline", settings, folder)
    try:
        async with asyncio.timeout(seconds), studies.open_research(run, settings) as study:
            graph = create_researcher(context=DeepSearchContext(runs=OpenedResearch(study)))
            result = await graph.ainvoke(DeepSearchInput(question=question, run=str(run.path)))
    except (SopragError, TimeoutError) as error:
        failure = str(error) or f"No report within {seconds:g} seconds."
        return {"axes": dict.fromkeys(AXES, 0.0), "score": 0.0, "text": "", "open": -1, "failure": failure}
    report: ResearchReport = result["report"]
    text = "\n".join(statement.text for part in report.parts for statement in part.statements)
    used = sorted({agent for branch in report.branches for agent in branch.agents})
    return {"axes": report.judgements[0].axes, "score": report.score, "text": text, "agents": used,
            "open": len(report.unanswered), "sources": len(report.sources)}  # fmt: skip


def collect(options: argparse.Namespace) -> list[Row]:
    """The rows of all systems and questions, those of an earlier run from its file."""
    file = options.out / "answers.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    done = {(row["system"], row["question"]) for row in rows}
    questions = options.questions.read_text(encoding="utf-8").splitlines()[: options.limit]
    missing = [(number, name, question) for number, question in enumerate(questions, 1) for name in SYSTEMS
               if (name, question) not in done]  # fmt: skip
    if not missing:
        return rows
    sources = ["--set", f"examples={ROOT / 'examples' / 'sources'}"]
    with serving(options.webs.resolve(), options.layout, options.seed, sources, options.out / "web") as web:
        for number, system, question in missing:
            _say(f"{number:2}/{len(questions)} {system:12} {question}")
            settings = settings_for(web, SYSTEMS[system], options.out / "cache", options.versions)
            folder, began = options.out / "runs" / f"{number}-{system.replace(' ', '-')}", time.monotonic()
            row = {"system": system, "question": question,
                   **asyncio.run(answered(question, settings, folder, options.seconds))}  # fmt: skip
            rows.append(row)
            with file.open("a", encoding="utf-8") as log:
                log.write(json.dumps(row) + "\n")
            _say(f"      {row['score']:.2f} of 4 in {time.monotonic() - began:.0f} s {row.get('failure', '')}")
    return rows


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def table(rows: list[Row]) -> str:
    """The means of every system, in Markdown."""
    lines = [f"| system | questions | {' | '.join(AXES)} | score | open parts |", "|---" * (len(AXES) + 4) + "|"]
    for system in SYSTEMS:
        own = [row for row in rows if row["system"] == system]
        means = [statistics.mean(row["axes"].get(axis, 0.0) for row in own) for axis in AXES]
        figures = " | ".join(f"{mean:.2f}" for mean in (*means, statistics.mean(row["score"] for row in own)))
        lines.append(f"| {system} | {len(own)} | {figures} | {sum(max(row['open'], 0) for row in own)} |")
    return "\n".join(lines) + "\n"


def cosines(rows: list[Row], settings: Settings) -> dict[str, list[float]]:
    """The cosine between the two reports of each question, and between reports of different questions."""
    texts = {(row["question"], row["system"]): row["text"] for row in rows if row["text"]}
    both = [question for question in dict.fromkeys(question for question, _ in texts) if all(
        (question, system) in texts for system in SYSTEMS)]  # fmt: skip
    embedder = services.open_embedder(settings)
    one, five = (embedder.embed([texts[question, system][:4000] for question in both]) for system in SYSTEMS)
    same = [float(first @ second) for first, second in zip(one, five, strict=True)]
    other = [float(first @ second) for i, first in enumerate(one) for j, second in enumerate(five) if i != j]
    return {"same question": same, "other questions": other}


def main() -> None:
    """Ask, print the table, and draw the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--webs", type=Path, default=ROOT.parent / "shared" / "webs", help="folder with webs.py")
    parser.add_argument("--layout", default="all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--questions", type=Path, default=ROOT / "benchmarks" / "research_questions.txt")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="ask only the first questions")
    parser.add_argument("--versions", type=int, default=1, help="most versions of one report")
    parser.add_argument("--seconds", type=float, default=300.0, help="most time for one report")
    options = parser.parse_args()
    options.out = options.out.resolve()
    (options.out / "web").mkdir(parents=True, exist_ok=True)
    os.environ["SERPAPI_API_KEY"] = "test-key"
    rows = collect(options)
    means = {system: [statistics.mean(row["axes"].get(axis, 0.0) for row in rows if row["system"] == system)
             for axis in AXES] for system in SYSTEMS}  # fmt: skip
    near = cosines(rows, open_settings("offline", {"run": {"cache": str(options.out / "cache")}}))
    (options.out / "table.md").write_text(table(rows), encoding="utf-8")
    (options.out / "figure5.svg").write_text(bars(means, list(AXES), 4.0, "mark (0 to 4)"), encoding="utf-8")
    (options.out / "figure7.svg").write_text(boxes(near, "cosine"), encoding="utf-8")
    (options.out / "figure8.svg").write_text(histogram(near, "cosine"), encoding="utf-8")
    sys.stdout.write(table(rows))


if __name__ == "__main__":
    main()
