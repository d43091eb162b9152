"""`soprag research` on the mini web and on the embedded library, with rules and with a chat model on the wire."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result

from soprag.agents.archivist import Archivist
from soprag.apps.cli.main import soprag
from soprag.apps.cli.research import ResearchCall
from soprag.apps.compose import research, services
from soprag.apps.compose.settings import open_settings
from soprag.benchmarks.miniweb.web import MiniWeb
from soprag.graphs.deepsearch import create_researcher
from soprag.graphs.deepsearch.context import DeepSearchContext, OpenedResearch
from soprag.graphs.deepsearch.state import DeepSearchInput
from soprag.tools.errors import ApprovalNeeded, ConfigError, NothingFound, UsageError
from soprag.tools.markdown.inline import plain
from soprag.tools.parsing import ParsedDocument
from soprag.tools.publishing.research import ResearchReport
from tests import operator
from tests.loopback import Loopback
from tests.research import PlainParser
from tests.words import WordEmbedder

QUESTION = "What is {topic}, and which patents and studies are there on it?"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all, and so one parser."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "SERPAPI_API_KEY", "SERPAPI_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(cache))
    monkeypatch.setattr(services, "open_embedder", lambda settings: WordEmbedder())
    return tmp_path


@pytest.fixture(scope="module")
def web() -> Iterator[MiniWeb]:
    with MiniWeb.open(seed=5, size=8, count=1) as web:
        yield web


def check_citations(run: Path, report: ResearchReport) -> None:
    """Every sentence has a citation, and each opens the stored source at the words it quotes."""
    files = {one.number: run / "report" / one.file for one in report.sources}
    page = (run / "report" / "report.html").read_text()
    statements = [said for part in report.parts for said in part.statements]
    assert statements and all(said.citations for said in statements)
    for cite in (cite for said in statements for cite in said.citations):
        lines = files[cite.source].read_text().split("\n")[cite.lines.start - 1 : cite.lines.end]
        cells = [part.rpartition(": ")[2] for part in cite.quote.split("; ")]  # of a row; its names stand in the head
        cited = " ".join(plain(line) for line in lines)
        assert " ".join(cite.quote.split()) in " ".join(cited.split()) or all(cell in cited for cell in cells)
        assert f'id="s{cite.source}-{cite.lines.start}-{cite.lines.end}"' in page


async def on(web: MiniWeb, folder: Path, **options: dict[str, Any]) -> ResearchReport:
    """Research on the mini web, as the command does it, but with its names resolved by us."""
    web.restart()
    question = QUESTION.format(topic=next(iter(web.truth.topics.values())))
    search = {"engine": "serpapi", "base_url": web.endpoint.url, "cache_hours": 0.0}
    fetching = {"allow": ["127.0.0.0/8"], "delay": 0.0}
    settings = open_settings("offline", {"search": search, "web": fetching, **options})
    run = research.start_research(question, "offline", settings, folder)
    async with research.open_research(run, settings, resolver=web.resolve) as study:
        graph = create_researcher(context=DeepSearchContext(runs=OpenedResearch(study)))
        result = await graph.ainvoke(DeepSearchInput(question=question, run=str(run.path)))
    return cast("ResearchReport", result["report"])


@pytest.mark.slow
async def test_a_report_from_the_web_by_rules(here: Path, web: MiniWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPAPI_API_KEY", web.endpoint.key)
    report = await on(web, here / "run")
    check_citations(here / "run", report)
    assert any(one.read == "page" for one in report.sources)
    assert web.endpoint.spent <= 20 and not web.canary.log.counts
    key = web.endpoint.key.encode()
    assert not [file for file in (here / "run").rglob("*") if file.is_file() and key in file.read_bytes()]


@pytest.mark.slow
async def test_a_report_from_the_web_by_a_chat_model(here: Path, web: MiniWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPAPI_API_KEY", web.endpoint.key)
    with Loopback(answer=operator.answer) as server:
        llm = {"model": "openai:operator", "base_url": server.url, "cache": False}
        report = await on(web, here / "run", llm=llm, research={"judges": ["rules", "model"]})
        asked = {operator.task_of(one.body) for one in server.requests}
    check_citations(here / "run", report)
    assert asked == {"plan_research", "phrase_search", "summarise_lines", "write_report", "judge_report"}
    assert {one.judge for one in report.judgements} == {"rules", "openai:operator"}
    assert report.ledger.total.tokens_in > 0


Run = Callable[..., Result]


@pytest.fixture
def soprag_research(here: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command; every document says the same, so that none has to be parsed."""
    document = "# Biocide dosing\n\nThe biocide dosing of a cooling tower is done twice a week by the dosing pump.\n"

    async def parse(self: Archivist, source: Path | bytes, name: str, tell: object = None) -> ParsedDocument:
        return await PlainParser().parse(document.encode(), name)

    monkeypatch.setattr(Archivist, "parse", parse)
    return lambda *words: CliRunner().invoke(soprag, ["research", *words], catch_exceptions=True)


LIBRARY = "How is the biocide dosing of a cooling tower done?"


@pytest.mark.slow
def test_without_an_engine_the_library_is_searched_and_the_report_says_so(soprag_research: Run, here: Path) -> None:
    done = soprag_research(LIBRARY, "--out", "run", "--quiet")
    assert done.exit_code == 0, done.exception
    assert "No web search was made: the example library was searched." in done.stdout
    report = ResearchReport.model_validate_json((here / "run" / "report" / "report.json").read_text())
    check_citations(here / "run", report)
    assert report.sources[0].url.startswith("index:")
    again = soprag_research("--resume", "run", "--json")
    assert json.loads(again.stdout)["data"]["parts"] == report.model_dump(mode="json")["parts"]


@pytest.mark.slow
def test_the_documents_of_the_library_are_read_and_cited(here: Path) -> None:
    done = CliRunner().invoke(soprag, ["research", LIBRARY, "--out", "run", "--quiet"], catch_exceptions=True)
    assert done.exit_code == 0, done.exception
    report = ResearchReport.model_validate_json((here / "run" / "report" / "report.json").read_text())
    check_citations(here / "run", report)
    assert any("biocide" in said.text for part in report.parts for said in part.statements)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Ask a question"),
        (("Why?", "--approve"), "name it with --resume"),
        (("Why?", "--budget", "credits=many"), "not 'credits=many'"),
        (("--resume", "nowhere"), "There is no research 'nowhere'"),
        (("--resume",), "There is no research 'latest'"),
    ],
)
def test_wrong_calls_are_told_what_is_wrong(soprag_research: Run, words: tuple[str, ...], said: str) -> None:
    failed = soprag_research(*words).exception
    assert isinstance(failed, UsageError) and said in str(failed)


@pytest.mark.parametrize(
    ("words", "said"), [(("--search", "serpapi"), "needs a key"), (("--judge", "reward"), "reward_url")]
)
def test_what_is_missing_is_said_before_there_is_a_folder(
    soprag_research: Run, here: Path, words: tuple[str, ...], said: str
) -> None:
    failed = soprag_research(LIBRARY, "--out", "run", *words).exception
    assert isinstance(failed, ConfigError) and said in str(failed)
    assert not (here / "run").exists()


def test_nothing_found_is_its_own_error(soprag_research: Run) -> None:
    assert isinstance(soprag_research("quokka xylophone zymurgy", "--quiet").exception, NothingFound)


def test_a_person_who_cannot_be_asked_is_waited_for(soprag_research: Run, here: Path) -> None:
    waiting = soprag_research(LIBRARY, "--judge", "human", "--out", "run", "--quiet").exception
    assert isinstance(waiting, ApprovalNeeded) and "--approve" in str(waiting)
    assert not (here / "run" / "report").exists()
    done = soprag_research("--resume", "run", "--approve", "--quiet", "--json")
    assert done.exit_code == 0, done.exception
    assert json.loads(done.stdout)["data"]["judgements"][0]["approved"] is True


def test_only_what_may_change_is_changed_on_resume(soprag_research: Run) -> None:
    soprag_research(LIBRARY, "--out", "run", "--quiet")
    assert "was begun with llm.model 'rules'" in str(
        soprag_research("--resume", "run", "--model", "openai:x").exception
    )
    assert "leave the question out" in str(soprag_research("Another question?", "--resume", "run").exception)
    assert soprag_research("--resume", "run", "--budget", "credits=9", "--quiet").exit_code == 0


def test_budgets_are_read() -> None:
    call = ResearchCall(budgets=("credits=5", "bytes=1_000_000", "seconds=1.5"))
    assert call.settings["budget"] == {"credits": 5, "bytes": 1_000_000, "seconds": 1.5}
