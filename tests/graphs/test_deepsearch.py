"""The research graph on a fake web: order, parallel branches, failures, budgets, judges, people, going on."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from soprag.agents.deepsearch.judge import Judge
from soprag.agents.deepsearch.writer import ReportMaterial
from soprag.graphs.deepsearch import create_researcher
from soprag.graphs.deepsearch.context import DeepSearchContext, OpenedResearch, ResearchContext
from soprag.graphs.deepsearch.state import DeepSearchInput
from soprag.tools.errors import CreditsSpent, NothingFound, SearchError
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.publishing.research import ResearchReport
from soprag.tools.research.records import Judgement, SubtaskEvidence, SubtaskOutcome, SubtaskPlan, Version
from soprag.tools.rules.adapter import RulesLlm
from tests.research import PLENTY, FakeWeb, make_study, subtask
from tests.scripting import scripted

ASKED = "Why do pump bearings fail, and how is bearing failure noticed and prevented?"
PAGES = {
    "https://a.test/causes": "# Causes\n\nPump bearings fail by poor lubrication and by misalignment of the shaft.\n",
    "https://b.test/signs": "# Signs\n\nBearing failure is noticed by vibration above 7 mm/s and by its heat.\n",
    "https://c.test/remedies": "# Remedies\n\nBearing failure is prevented by regular greasing every 2000 hours.\n",
}
DIAMOND = [
    subtask("top", "pump bearings causes"),
    subtask("left", "bearing failure vibration", "top"),
    subtask("right", "bearing failure greasing", "top"),
    subtask("end", "bearing failure noticed prevented", "left", "right"),
]


def planned(*drafts: dict[str, Any]) -> ScriptedLlm:
    return scripted({"plan_research": [{"subtasks": list(drafts)}]})


async def run(study: ResearchContext) -> ResearchReport:
    graph = create_researcher(context=DeepSearchContext(runs=OpenedResearch(study)))
    result = await graph.ainvoke(DeepSearchInput(question=study.question, run=str(study.run.path)))
    return cast("ResearchReport", result["report"])


def outcomes(study: ResearchContext) -> dict[str, str]:
    return {one.subtask: one.status for one in study.run.read_all("outcomes", SubtaskOutcome)}


def sentences(report: ResearchReport) -> list[str]:
    return [one.text for part in report.parts for one in part.statements]


class ScriptedJudge:
    """Gives the scores of its list in order, with feedback that never ends."""

    def __init__(self, *scores: float, missing: tuple[str, ...] = ()) -> None:
        self.scores = list(scores)
        self.missing = missing

    async def judge(
        self, material: ReportMaterial, version: Version, outcomes: tuple[SubtaskOutcome, ...]
    ) -> Judgement:
        return Judgement(judge="scripted", score=self.scores.pop(0), feedback=("More.",), missing=self.missing)


def rewriting(*texts: str) -> ScriptedLlm:
    """A writer that says the same facts in other words each time."""

    def draft(text: str) -> Any:
        return lambda ask: {"summary": [{"text": text, "facts": [ask.facts[0].id]}], "sections": []}

    drafts = [{"subtasks": [subtask("one", "pump bearings causes")]}]
    return scripted({"plan_research": drafts, "write_report": [draft(text) for text in texts]})


async def test_a_report_cites_the_lines_of_its_sources(tmp_path: Path) -> None:
    study = make_study(tmp_path / "run", ASKED, FakeWeb(PAGES))
    report = await run(study)
    assert report.complete and "2000 hours" in " ".join(sentences(report))
    files = {one.number: tmp_path / "run" / "report" / one.file for one in report.sources}
    for part in report.parts:
        for said in part.statements:
            for cite in said.citations:
                lines = files[cite.source].read_text().split("\n")[cite.lines.start - 1 : cite.lines.end]
                assert cite.quote in "\n".join(lines)


async def test_a_diamond_runs_in_order_and_its_sides_at_the_same_time(tmp_path: Path) -> None:
    sides, waited = asyncio.Barrier(2), set[str]()

    async def meet(query: str) -> None:
        side = next((word for word in ("vibration", "greasing") if word in query), "")
        if side and side not in waited:
            waited.add(side)
            await asyncio.wait_for(sides.wait(), 5)  # one alone would wait here for ever

    web = FakeWeb(PAGES, meet=meet)
    study = make_study(tmp_path / "run", ASKED, web, llm=planned(*DIAMOND), versions=1)
    assert (await run(study)).complete
    words = ("causes", "vibration", "greasing", "noticed")
    places = {word: min(at for at, query in enumerate(web.queries) if word in query.text) for word in words}
    assert places["causes"] < min(places["vibration"], places["greasing"])
    assert places["noticed"] > max(places["vibration"], places["greasing"])


async def test_a_dependent_subtask_is_told_what_was_found_before(tmp_path: Path) -> None:
    llm = planned(subtask("first", "pump bearings causes"), subtask("then", "bearing failure prevented", "first"))
    await run(make_study(tmp_path / "run", ASKED, FakeWeb(PAGES), llm=llm, versions=1))
    told = {ask.query: ask.context for task, ask in llm.requests if task == "phrase_search"}
    assert "misalignment" in told["bearing failure prevented"]
    assert told["pump bearings causes"] == ""


async def test_more_agents_than_allowed_are_never_under_way(tmp_path: Path) -> None:
    under_way = peak = 0

    async def meet(query: str) -> None:
        nonlocal under_way, peak
        under_way += 1
        peak = max(peak, under_way)
        await asyncio.sleep(0.02)
        under_way -= 1

    drafts = [subtask(f"s{number}", f"bearing failure number {number}") for number in range(6)]
    await run(
        make_study(tmp_path / "run", ASKED, FakeWeb(PAGES, meet=meet), llm=planned(*drafts), concurrency=2, versions=1)
    )
    assert peak == 2


async def test_a_failed_branch_costs_only_what_depends_on_it_and_the_report_says_so(tmp_path: Path) -> None:
    web = FakeWeb(PAGES, fails={"vibration": SearchError("The engine is down.")})
    study = make_study(tmp_path / "run", ASKED, web, llm=planned(*DIAMOND), versions=1)
    report = await run(study)
    assert outcomes(study) == {"top": "done", "left": "failed", "right": "done", "end": "skipped"}
    assert not report.complete
    assert any("'bearing failure vibration' failed: The engine is down." in notice for notice in report.notices)
    assert any("'bearing failure noticed prevented' was skipped" in notice for notice in report.notices)
    assert "The engine is down." in (tmp_path / "run" / "report" / "report.html").read_text()


async def test_a_crash_in_one_agent_is_a_failed_branch(tmp_path: Path) -> None:
    web = FakeWeb(PAGES, fails={"vibration": ZeroDivisionError("oops")})
    study = make_study(tmp_path / "run", ASKED, web, llm=planned(*DIAMOND[:2]), versions=1)
    await run(study)
    assert outcomes(study) == {"top": "done", "left": "failed"}


async def test_credits_that_run_out_give_a_partial_report_that_says_so_and_more_credits_complete_it(
    tmp_path: Path,
) -> None:
    drafts = [subtask("one", "pump bearings causes"), subtask("two", "bearing failure greasing", "one")]
    few = PLENTY.model_copy(update={"credits": 1})
    study = make_study(tmp_path / "run", ASKED, FakeWeb(PAGES), llm=planned(*drafts), limits=few, versions=1)
    report = await run(study)
    assert outcomes(study) == {"one": "done", "two": "budget"}
    assert not report.complete and any("budget of 1 credits" in notice for notice in report.notices)
    web = FakeWeb(PAGES)
    again = await run(make_study(tmp_path / "run", ASKED, web, llm=planned(*drafts), versions=1))
    assert again.complete and len(again.sources) > len(report.sources)
    assert all("causes" not in query.text for query in web.queries)  # paid for before


async def test_tokens_that_run_out_leave_the_rest_to_the_rules(tmp_path: Path) -> None:
    none = PLENTY.model_copy(update={"tokens": 0})
    llm = planned(*DIAMOND)
    report = await run(make_study(tmp_path / "run", ASKED, FakeWeb(PAGES), llm=llm, limits=none))
    assert llm.requests == []
    assert sentences(report) and any("answered by rules" in notice for notice in report.notices)


async def test_the_loop_ends_at_n_max_and_keeps_the_best_version(tmp_path: Path) -> None:
    texts = [f"Pump bearings fail by {words}." for words in ("poor lubrication", "misalignment", "lubrication")]
    judges: tuple[Judge, ...] = (ScriptedJudge(1.0, 3.0, 2.0),)
    study = make_study(tmp_path / "run", ASKED, FakeWeb(PAGES), llm=rewriting(*texts), judges=judges, versions=3)
    report = await run(study)
    assert (report.version, report.versions, report.score) == (2, 3, 3.0)
    assert sentences(report) == ["Pump bearings fail by misalignment."]


async def test_a_good_version_ends_the_loop_and_equal_scores_keep_the_earlier(tmp_path: Path) -> None:
    texts = [f"Pump bearings fail by {words}." for words in ("poor lubrication", "misalignment")]
    good = make_study(tmp_path / "a", ASKED, FakeWeb(PAGES), llm=rewriting(*texts), judges=(ScriptedJudge(3.9),))
    assert (await run(good)).versions == 1
    even = make_study(
        tmp_path / "b", ASKED, FakeWeb(PAGES), llm=rewriting(*texts), judges=(ScriptedJudge(2, 2),), versions=2
    )
    report = await run(even)
    assert (report.version, report.versions) == (1, 2)


async def test_a_version_like_the_one_before_ends_the_loop(tmp_path: Path) -> None:
    judges = (ScriptedJudge(1.0, 1.0, 1.0),)
    report = await run(make_study(tmp_path / "run", ASKED, FakeWeb(PAGES), judges=judges, versions=3))
    assert report.versions == 2


async def test_feedback_adds_subtasks_and_only_those_run(tmp_path: Path) -> None:
    web = FakeWeb(PAGES)
    judges = (ScriptedJudge(1.0, 4.0, missing=("bearing failure greasing hours", "Pump bearings causes")),)
    study = make_study(tmp_path / "run", ASKED, web, llm=planned(subtask("one", "pump bearings causes")), judges=judges)
    report = await run(study)
    plan = study.run.read("plan", "plan", SubtaskPlan)
    assert [(one.id, one.round) for one in plan.subtasks] == [("one", 0), ("more-1-1", 1)]
    assert sum("causes" in query.text for query in web.queries) == 1
    assert report.version == 2 and "2000 hours" in " ".join(sentences(report))


async def test_a_person_is_asked_in_the_usual_form_and_a_no_is_worked_on(tmp_path: Path) -> None:
    llm = planned(subtask("one", "pump bearings causes"))
    study = make_study(tmp_path / "run", ASKED, FakeWeb(PAGES), llm=llm, human=True, versions=3)
    graph = create_researcher(context=DeepSearchContext(runs=OpenedResearch(study)), checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    await graph.ainvoke(DeepSearchInput(question=ASKED, run=str(study.run.path)), config)
    waiting = (await graph.aget_state(config)).interrupts
    assert waiting[0].value["review_configs"] == [
        {"action_name": "accept_report", "allowed_decisions": ["approve", "reject"]}
    ]
    assert "lubrication" in waiting[0].value["action_requests"][0]["args"]["report"]
    no = {"decisions": [{"type": "reject", "message": "bearing failure greasing hours"}]}
    await graph.ainvoke(Command(resume=no), config)
    assert (await graph.aget_state(config)).interrupts[0].value["action_requests"][0]["args"]["version"] == 2
    result = await graph.ainvoke(Command(resume={"decisions": [{"type": "approve"}]}), config)
    report = cast("ResearchReport", result["report"])
    assert report.version == 2 and report.judgements[-1].approved
    assert "2000 hours" in " ".join(sentences(report))


async def test_an_answer_that_is_none_is_not_taken(tmp_path: Path) -> None:
    study = make_study(tmp_path / "run", ASKED, FakeWeb(PAGES), human=True)
    graph = create_researcher(context=DeepSearchContext(runs=OpenedResearch(study)), checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    await graph.ainvoke(DeepSearchInput(question=ASKED, run=str(study.run.path)), config)
    with pytest.raises(ValueError, match="decisions"):
        await graph.ainvoke(Command(resume={"decisions": [{"type": "maybe"}]}), config)
    assert (await graph.aget_state(config)).interrupts


class Stop(BaseException):
    """The process ends here."""


async def test_a_run_that_was_cut_off_goes_on_without_a_search_or_page_twice(tmp_path: Path) -> None:
    async def stop(query: str) -> None:
        if "noticed" in query:
            raise Stop

    first, second = FakeWeb(PAGES, meet=stop), FakeWeb(PAGES)
    llm = planned(*DIAMOND)
    with pytest.raises(Stop):
        await run(make_study(tmp_path / "run", ASKED, first, llm=llm, versions=1))
    report = await run(make_study(tmp_path / "run", ASKED, second, llm=llm, versions=1))
    assert report.complete
    done = {query.text for query in first.queries if "noticed" not in query.text}
    assert not done & {query.text for query in second.queries}
    assert len(first.fetched + second.fetched) == len(set(first.fetched + second.fetched))
    assert sum(task == "plan_research" for task, _ in llm.requests) == 1


async def test_nothing_found_says_so_with_the_reasons(tmp_path: Path) -> None:
    study = make_study(tmp_path / "run", "What is known about violins?", FakeWeb(PAGES))
    with pytest.raises(NothingFound, match="violins"):
        await run(study)


async def test_when_nobody_could_look_that_is_the_error(tmp_path: Path) -> None:
    web = FakeWeb(PAGES, fails={"": CreditsSpent("The searches of the plan are used up.")})
    with pytest.raises(SearchError, match="searches of the plan are used up"):
        await run(make_study(tmp_path / "run", ASKED, web))


async def test_a_page_that_cannot_be_read_is_replaced_by_what_the_engine_showed(tmp_path: Path) -> None:
    class Gone(FakeWeb):
        async def fetch(self, url: str) -> Any:
            return await FakeWeb({}).fetch(url)

    report = await run(make_study(tmp_path / "run", ASKED, Gone(PAGES), llm=RulesLlm(), versions=1))
    assert {one.read for one in report.sources} == {"search result"}
    assert all("was not read" in one.note for one in report.sources)


async def test_a_claim_its_lines_do_not_carry_is_left_out(tmp_path: Path) -> None:
    made_up = {"claims": [
        {"text": "Pump bearings fail by poor lubrication after 500 hours.", "lines": ["L1"]},
        {"text": "Pump bearings do not fail by poor lubrication.", "lines": ["L1"]},
        {"text": "Pump bearings fail by poor lubrication.", "lines": ["L99"]},
        {"text": "Poor lubrication makes pump bearings fail.", "lines": ["L1"]},
    ]}  # fmt: skip
    llm = scripted(
        {"plan_research": [{"subtasks": [subtask("one", "pump bearings causes")]}], "summarise_lines": [made_up]}
    )
    study = make_study(tmp_path / "run", ASKED, FakeWeb(PAGES), llm=llm, versions=1, pages=1)
    report = await run(study)
    assert set(sentences(report)) == {"Poor lubrication makes pump bearings fail."}
    assert "3 statements were left out" in study.run.read_all("evidence", SubtaskEvidence)[0].notes[-1]
