"""The review of questions as a graph: one interrupt for each question, and every decision a file at once."""

import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from soprag.apps.compose.served import ServedReviews
from soprag.graphs.review import ReviewContext, create_question_review
from soprag.tools.errors import UsageError
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Examined
from tests.reviewed_run import finished_run

CONFIG: Any = {"configurable": {"thread_id": "t"}}


class Reviewer:
    """A client of the graph that answers in LangChain's wire form."""

    def __init__(self, run: RunFolder, name: str = "ana") -> None:
        context = ReviewContext(reviewer=name, runs=ServedReviews(), now=lambda: "2026-01-01T00:00:00+00:00")
        self.run, self.graph = run, create_question_review(context=context, checkpointer=InMemorySaver())
        self.result: dict[str, Any] = {}

    async def begin(self) -> "Reviewer":
        self.result = await self.graph.ainvoke({"run": str(self.run.path)}, CONFIG)
        return self

    async def say(self, kind: str, message: str = "", **changes: str) -> None:
        decision: dict[str, Any] = {"type": kind, "message": message}
        if changes:
            decision["edited_action"] = {"name": "review_question", "args": changes}
        self.result = await self.graph.ainvoke(Command(resume={"decisions": [decision]}), CONFIG)

    @property
    def asked(self) -> dict[str, Any]:
        [waiting] = self.result["__interrupt__"]
        arguments: dict[str, Any] = waiting.value["action_requests"][0]["args"]
        return arguments


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return finished_run(tmp_path / "run")


def queries(run: RunFolder) -> list[dict[str, Any]]:
    lines = (run.path / "benchmark" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


async def test_all_decisions_reach_the_benchmark_with_who_made_them(run: RunFolder) -> None:
    reviewer = await Reviewer(run).begin()
    assert (reviewer.asked["number"], reviewer.asked["of"], reviewer.asked["decided"]) == (1, 6, 0)
    assert reviewer.asked["evidence"] in reviewer.asked["procedure"]
    await reviewer.say("approve")
    await reviewer.say("edit", question="How do I start the feed pump?", level="direct")
    await reviewer.say("reject", "nobody asks this")
    for _ in range(3):
        await reviewer.say("approve")
    review = reviewer.result["review"]
    assert (review.accepted, review.edited, review.rejected, review.open, review.published) == (4, 1, 1, 0, 5)
    published = queries(run)
    assert [query["_id"][-2:] for query in published] == ["q1", "q2", "q1", "q2", "q3"]
    assert published[1]["text"] == "How do I start the feed pump?"
    metadata = published[1]["metadata"]
    assert metadata["author"] == "rules:1" and metadata["drafted"] == "How is the feed pump started again?"
    assert metadata["reviews"][0]["reviewer"] == "ana" and metadata["reviews"][0]["decision"] == "edit"


async def test_a_rejection_needs_a_reason_and_an_edit_words(run: RunFolder) -> None:
    reviewer = await Reviewer(run).begin()
    await reviewer.say("reject")
    assert (reviewer.asked["number"], reviewer.asked["problem"]) == (1, "A rejection needs a reason.")
    await reviewer.say("edit", question=" ")
    assert "1 to 1000 characters" in reviewer.asked["problem"]
    await reviewer.say("edit", level="hard")
    assert "'hard' is no level" in reviewer.asked["problem"]
    await reviewer.say("respond", "what?")
    assert "Accept, edit or reject" in reviewer.asked["problem"]
    await reviewer.say("approve")
    assert (reviewer.asked["number"], reviewer.asked["problem"]) == (2, "")


async def test_one_goes_back_and_an_accepted_edit_stays(run: RunFolder) -> None:
    reviewer = await Reviewer(run).begin()
    await reviewer.say("edit", question="feed pump stopped")
    await reviewer.say("respond", "back")
    assert (reviewer.asked["question"], reviewer.asked["earlier"]) == ("feed pump stopped", "edit")
    await reviewer.say("approve")
    await reviewer.say("respond", "skip")
    assert reviewer.asked["number"] == 3
    await reviewer.say("respond", "finish")
    assert (reviewer.result["review"].edited, reviewer.result["review"].open) == (1, 5)
    assert queries(run)[0]["text"] == "feed pump stopped"


async def test_another_process_goes_on_with_the_first_open_question(run: RunFolder) -> None:
    first = await Reviewer(run).begin()
    await first.say("approve")
    await first.say("reject", "unclear")
    second = await Reviewer(run).begin()
    assert (second.asked["number"], second.asked["decided"]) == (3, 2)
    other = await Reviewer(run, "bob").begin()
    assert (other.asked["number"], other.asked["earlier"]) == (1, None)


async def test_two_reviewers_are_compared(run: RunFolder) -> None:
    for name, kinds in (("ana", "arara"), ("bob", "aaara")):
        reviewer = await Reviewer(run, name).begin()
        for kind in kinds:
            await reviewer.say("approve" if kind == "a" else "reject", "" if kind == "a" else "unclear")
        await reviewer.say("respond", "finish")
    [pair] = reviewer.result["review"].agreements
    assert (pair.questions, pair.same) == (5, 0.8)
    assert pair.kappa == pytest.approx((0.8 - 0.56) / (1 - 0.56))


async def test_a_run_without_questions_and_a_reviewer_without_a_name_are_refused(run: RunFolder) -> None:
    with pytest.raises(UsageError, match="no name of a reviewer"):
        await Reviewer(run, "?!").begin()
    for file in (run.path / "questions").iterdir():
        file.unlink()
    with pytest.raises(UsageError, match="no questions to review"):
        await Reviewer(run).begin()


async def test_a_reviewer_whose_name_looks_like_another_one_is_refused(run: RunFolder) -> None:
    await (await Reviewer(run, "ana").begin()).say("approve")
    with pytest.raises(UsageError, match="looks like the reviewer 'ana'"):
        await Reviewer(run, "\u0430na").begin()  # a Cyrillic a


async def test_a_decision_parses_only_the_files_that_are_new(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    reviewer = await Reviewer(run).begin()
    parsed: list[str] = []
    read = RunFolder.read

    def counted(folder: RunFolder, kind: str, key: str, model: Any) -> Any:
        parsed.append(key)
        return read(folder, kind, key, model)

    monkeypatch.setattr(RunFolder, "read", counted)
    first = reviewer.asked["id"]
    await reviewer.say("approve")
    assert parsed == [first]
    examined = run.read("questions", run.keys("questions")[0], Examined)
    changed = [question.model_copy(update={"text": "pump alarm"}) for question in examined.questions]
    run.write("questions", examined.sop, examined.model_copy(update={"questions": changed}))
    await reviewer.say("respond", "back")
    assert reviewer.asked["question"] == "pump alarm"
