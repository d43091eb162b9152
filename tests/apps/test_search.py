"""`soprag search` and `soprag calibrate` from the outside."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from soprag.apps.cli.main import soprag
from soprag.apps.compose import services
from soprag.tools.errors import UsageError
from tests.tools.retriever.words import BODIES, WordReader, opened

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(services, "open_embedder", lambda settings: WordReader(64))
    return lambda *words: CliRunner().invoke(soprag, [*words], catch_exceptions=True)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    retriever = opened(tmp_path / "index")
    retriever.index.close()
    return tmp_path / "index"


def test_a_search_prints_a_line_per_procedure(run: Run, index: Path) -> None:
    lines = run("search", "reset the breaker of the motor", "-k", "2").stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(" 1. Restart the coolant pump P-101  confidence ")


def test_explain_says_which_step_and_where(run: Run, index: Path) -> None:
    text = run("search", "reset the breaker of the motor", "--explain").stdout
    assert "Reset the breaker of the motor. (line 10)" in text
    assert "Router: " in text


def test_json_carries_the_reasons(run: Run, index: Path) -> None:
    answer = json.loads(run("search", "reset the breaker", "--json").stdout)
    hit = answer["data"]["hits"][0]
    assert (answer["schema_version"], answer["command"], hit["sop"]) == (1, "search", "pump")
    assert {"card", "entity", "causal", "flow", "lexical", "purpose"} == hit["parts"].keys()


def test_where_nothing_fits_the_nearest_are_shown_and_the_exit_code_is_4(run: Run, index: Path) -> None:
    result = run("search", "quarterly tax return of the canteen")
    assert result.stdout.startswith("Nothing fits. The nearest")
    assert result.exit_code == 4


def test_text_of_documents_cannot_move_the_cursor(run: Run, tmp_path: Path) -> None:
    from tests.tools.retriever.words import written

    opened(tmp_path / "index", written({"evil": "# Clear\x1b[2J the screen\n\n1. Ring\x07 the bell.\n"})).index.close()
    assert not {"\x1b", "\x07"} & set(run("search", "ring the bell", "--explain").stdout)


@pytest.mark.parametrize("words", [("search", ""), ("search", "pump", "--index", "nowhere")])
def test_wrong_usage_is_told(run: Run, index: Path, words: tuple[str, ...]) -> None:
    assert isinstance(run(*words).exception, UsageError)


def test_calibration_reports_and_writes_a_profile_that_search_takes(run: Run, index: Path, tmp_path: Path) -> None:
    write_benchmark(tmp_path / "benchmark")
    result = run("calibrate", "--benchmark", "benchmark", "--out", "plant.toml")
    assert result.exception is None, result.exception
    assert "MRR" in result.stdout
    profile = tomllib.loads((tmp_path / "plant.toml").read_text())["retriever"]
    assert profile.keys() == {"card", "alpha", "prior", "temperature", "abstain"}
    found = run("search", "reset the breaker of the motor", "--profile", "plant.toml").stdout
    assert "Restart the coolant pump P-101" in found


def write_benchmark(folder: Path) -> None:
    (folder / "qrels").mkdir(parents=True)
    bodies = {**BODIES, "fan": "# Stop the fan\n\n1. Press stop.\n2. Lock the breaker.\n"}
    rows = [{"_id": id, "title": body.split("\n")[0][2:], "text": body} for id, body in bodies.items()]
    asked = {id: body.split("\n")[0][2:] for id, body in bodies.items()}
    write(folder / "corpus.jsonl", rows)
    write(folder / "queries.jsonl", [{"_id": f"q-{id}", "text": text} for id, text in asked.items()])
    lines = ["query-id\tcorpus-id\tscore", *(f"q-{id}\t{id}\t1" for id in asked)]
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines) + "\n")


def write(file: Path, rows: list[dict[str, str]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
