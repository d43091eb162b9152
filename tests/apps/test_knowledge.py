"""`soprag knowledge` from the command line, on an index in a temporary folder."""

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from soprag.apps.cli.knowledge import knowledge
from soprag.apps.compose import services
from soprag.apps.compose.knowledge import KnowledgeFiles
from soprag.benchmarks.synthetic import HashEmbedder
from soprag.configs.settings import load
from soprag.tools.errors import UsageError
from tests.tools.knowledge.plant import LAYOUT, PUMP, TANK, open_plant, sop


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(services, "open_embedder", lambda settings: HashEmbedder(64))
    opened, _ = open_plant(tmp_path / "index", sop("pump", PUMP), sop("tank", TANK))
    opened.close()
    return str(tmp_path / "index")


def run(*arguments: str) -> str:
    done = CliRunner().invoke(knowledge, [*arguments, "--quiet"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_documents_are_added_asked_updated_and_removed(index: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "layout.md").write_text(LAYOUT, encoding="utf-8")
    assert "2 added" in run("add", "--index", index)
    assert "1 documents would be read with 0 model calls" in run("add", str(notes), "--dry-run", "--index", index)
    assert "1 added" in run("add", str(notes), "--index", index)
    assert "1 unchanged" in run("add", str(notes), "--index", index)
    assert "HX-2" in run("path", "P-101", "R-5", "--index", index)
    replies = json.loads(run("ask", "which procedures touch valve V-7?", "--json", "--index", index))["data"]["replies"]
    assert {path["lines"][0]["document"] for path in replies[0]["paths"]} == {"pump", "tank"}
    assert "nothing wrong" in run("verify", "--index", index)
    (notes / "layout.md").unlink()
    (notes / "other.md").write_text("# Other\n\nThe fan F-1 cools the rack R-1.\n", encoding="utf-8")
    assert "1 removed" in run("update", "--index", index)
    assert "1 removed" in run("remove", "doc:notes/other.md", "--index", index)


@pytest.mark.parametrize(
    ("ending", "opening"), [("graphml", "<?xml"), ("nt", "<urn:"), ("cypher", "MERGE"), ("html", "<!doctype html>")]
)
def test_the_ending_of_the_file_says_the_format(index: str, tmp_path: Path, ending: str, opening: str) -> None:
    run("add", "--index", index)
    run("export", "--out", str(tmp_path / f"graph.{ending}"), "--index", index)
    assert (tmp_path / f"graph.{ending}").read_text(encoding="utf-8").startswith(opening)


def test_a_file_of_no_known_ending_needs_a_format(index: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give --format"):
        run("export", "--out", str(tmp_path / "graph.txt"), "--index", index)


def test_a_research_run_gives_its_report_and_its_sources(tmp_path: Path) -> None:
    report = tmp_path / "run" / "report"
    (report / "sources").mkdir(parents=True)
    (tmp_path / "run" / "run.json").write_text("{}", encoding="utf-8")
    (report / "report.md").write_text("# Why pumps trip\n\nPumps trip on low suction.\n", encoding="utf-8")
    (report / "sources" / "1-abc.md").write_text("# Source\n\nLow suction trips pumps.\n", encoding="utf-8")
    files = KnowledgeFiles(load(environment={}))
    documents = [asyncio.run(files.read(found)) for found in files.find(str(tmp_path / "run"))]
    assert [document.title for document in documents] == ["Why pumps trip", "Source"]
