"""The review of questions at a terminal: what keys do, that nothing is decided by chance, and kill -9."""

import json
import os
import sys
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from soprag.apps.terminal.question_review import OpenedRun, ReviewDesk
from soprag.graphs.review import ReviewContext, create_question_review
from soprag.tools.publishing import ReviewSummary
from soprag.tools.store.run_folder import RunFolder
from tests.apps.terminal.desk import Tape
from tests.apps.terminal.review_scenario import two_reviews
from tests.apps.terminal.terminals import HAS_TMUX, Tmux
from tests.reviewed_run import finished_run

SOPRAG = (sys.executable, "-c", "from soprag.apps.cli.main import main; main()")


async def review(run: RunFolder, *typed: str | type[BaseException]) -> tuple[Tape, ReviewSummary]:
    tape = Tape(typed)
    context = ReviewContext(reviewer="ana", runs=OpenedRun(run))
    graph = create_question_review(context=context, checkpointer=InMemorySaver())
    return tape, await ReviewDesk(graph, run, tape, tape).review()


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return finished_run(tmp_path / "run")


async def test_enter_a_word_that_is_none_and_a_rejection_without_reason_decide_nothing(run: RunFolder) -> None:
    tape, summary = await review(run, "", "perhaps", "r", "", "q")
    assert (summary.open, summary.published) == (6, 6)
    assert "Type one of the letters" in tape.text
    assert tape.text.count("question 1 of 6") == 1


async def test_keys_decide_and_the_procedure_is_shown_with_the_evidence_marked(run: RunFolder) -> None:
    tape, summary = await review(run, "v", "a", "e", "Feed pump stopped?", "", "R", "unclear", KeyboardInterrupt)
    assert (summary.accepted, summary.edited, summary.rejected, summary.open) == (1, 1, 1, 3)
    assert "-> 3. Clean the feed strainer and close its cover." in tape.text
    assert tape.text.count("=== Restart of the feed pump P-100 after a trip ===") == 1
    assert tape.defaults.count("How is the feed pump started again?") == 1


async def test_the_end_of_the_input_leaves_and_keeps_what_was_decided(run: RunFolder) -> None:
    _, first = await review(run, "a", "a")
    assert first.open == 4 and "soprag review" in first.text()
    _, second = await review(run, *"aaaa")
    assert (second.accepted, second.open) == (6, 0) and "go on" not in second.text()


@pytest.mark.slow
@pytest.mark.skipif(not HAS_TMUX, reason="there is no tmux on this machine")
def test_two_reviews_in_tmux_one_of_them_killed(tmp_path: Path) -> None:
    run = finished_run(tmp_path / "run")
    env = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    before, after, other = two_reviews(lambda name: Tmux([*SOPRAG, "review", "run", "--reviewer", name], tmp_path, env))
    assert "4 decided" in before and "4 decided" in after
    assert "ana: 2 accepted, 1 edited, 1 rejected, 2 open, of 6 questions." in after
    assert "ana and bob: 4 questions, the same decision on 75%, Cohen's kappa 0.56" in " ".join(other.split())
    queries = [json.loads(line) for line in (run.path / "benchmark" / "queries.jsonl").read_text().splitlines()]
    assert len(queries) == 5
    assert [review["decision"] for review in queries[1]["metadata"]["reviews"]] == ["edit", "accept"]
