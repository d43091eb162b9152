"""Research killed at any moment goes on: the same report, no search paid for twice, no answer asked for twice."""

import subprocess
import sys
from pathlib import Path

import pytest

from soprag.benchmarks.miniweb.web import MiniWeb
from soprag.tools.publishing.research import ResearchReport
from tests import operator
from tests.killing import kill_when, questions
from tests.loopback import Loopback

SOPRAG = "from soprag.apps.cli.main import main; main()"

ROOT = Path(__file__).parents[2]
# The run is killed as soon as a file like this appears.
MOMENTS = ("plan/plan.json", "search/*.json", "evidence/*.json", "outcomes/*.json", "versions/1.json")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def start(cwd: Path, web: MiniWeb, server: Loopback, *more: str) -> "subprocess.Popen[bytes]":
    """The command with a chat model, against the search endpoint; its pages cannot be reached from there."""
    known = next(entry.title for entry in web.endpoint.index.entries if "/wiki/" in entry.url)
    question = f"What is a {known}, and which patents are there on it?"
    command = ["research", *([] if "--resume" in more else [question, "--out", "run"]), "--quiet", *more]
    begun = ["--search", "serpapi", "--model", "openai:operator", "--base-url", server.url]
    kept = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "SOPRAG_RUN__CACHE": str(cwd / "cache")}
    settings = {"SOPRAG_SEARCH__BASE_URL": web.endpoint.url, "SOPRAG_SEARCH__CACHE_HOURS": "0"}
    settings |= {"SOPRAG_WEB__ATTEMPTS": "1", "SOPRAG_LLM__CACHE": "false", "SOPRAG_RESEARCH__CONCURRENCY": "1"}
    keys = {"OPENAI_API_KEY": "sk-none", "SERPAPI_API_KEY": web.endpoint.key}
    return subprocess.Popen(
        [sys.executable, "-c", SOPRAG, *command, *([] if "--resume" in more else begun)],
        cwd=cwd, env=kept | settings | keys, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def test_killed_at_any_moment_the_report_is_the_same_and_nothing_is_paid_twice(tmp_path: Path) -> None:
    folders = [tmp_path / "whole", tmp_path / "killed"]
    reports, credits, answers = [], [], []
    for folder, moments in zip(folders, ((), MOMENTS), strict=True):
        folder.mkdir()
        with MiniWeb.open(seed=5, size=4, count=1, traps=False) as web, Loopback(answer=operator.answer) as server:
            for place, moment in enumerate(moments):
                kill_when(start(folder, web, server, *(["--resume", "run"] if place else [])), folder / "run", moment)
            assert start(folder, web, server, *(["--resume", "run"] if moments else [])).wait(100) == 0
            credits.append(len(web.endpoint.calls))
            answers.append(questions(server))
        report = ResearchReport.model_validate_json((folder / "run" / "report" / "report.json").read_text())
        reports.append([(part.heading, part.statements) for part in report.parts])
    assert reports[0] == reports[1]
    # One thing is under way at a time, so a kill can cost no more than the one that was on its way.
    assert credits[1] - credits[0] <= len(MOMENTS)
    assert sum(answers[1].values()) - sum(answers[0].values()) <= len(MOMENTS)
    assert max(answers[0].values()) == 1
