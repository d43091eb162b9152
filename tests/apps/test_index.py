"""`soprag index` from the outside: add, update, remove, list, show, verify, and what goes wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from soprag.apps.cli.main import soprag
from soprag.apps.compose import services
from soprag.benchmarks.synthetic import HashEmbedder
from soprag.tools.errors import NothingFound, StorageError, UsageError
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.llm.trust import ModelTrust, TaskTrust, TrustingLlm
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.rules.views import extract
from soprag.tools.tasks.retriever import NumberedSop, ViewsAnswer

PUMP = "# Start pump P-101\n\nFor a full basin.\n\nCAUTION: Hot surface.\n\n1. Open valve V-1.\n2. Press start.\n"
FAN = "# Stop fan F-2\n\nThe fan vibrates when its bearing is worn.\n\n1. Press stop.\n2. Lock the breaker.\n"
NEW = "# Drain the sump\n\n1. Open the drain valve V-7.\n2. Wait for the sump to empty.\n3. Close it.\n"
NEWS = (
    "# Facilities newsletter, spring\n\nThe team met on 3 March 2026 and we were glad to welcome two colleagues. Our "
    "new chiller was delivered in February, and the roof was repaired. The summer party takes place on 12 June.\n"
)

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(services, "open_embedder", lambda settings: HashEmbedder(64))
    (tmp_path / "sops" / "fans").mkdir(parents=True)
    (tmp_path / "sops" / "pump.md").write_text(PUMP, encoding="utf-8")
    (tmp_path / "sops" / "fans" / "f-2.txt").write_text(FAN, encoding="utf-8")

    def call(*words: str) -> Result:
        return CliRunner().invoke(soprag, ["index", *words], catch_exceptions=True)

    return call


def data(result: Result) -> Any:
    assert result.exception is None, result.exception
    return json.loads(result.stdout)["data"]


def test_a_folder_is_added_once_and_then_costs_nothing(run: Run) -> None:
    assert data(run("add", "sops", "--json", "--quiet"))["counts"] == {"added": 2}
    assert data(run("add", "sops", "--json", "--quiet"))["counts"] == {"unchanged": 2}
    assert [sop["id"] for sop in data(run("list", "--json"))["sops"]] == ["fans/f-2", "pump"]
    fan, pump, _ = run("list").stdout.splitlines()
    assert fan.startswith("Stop fan F-2      v1  ") and fan.endswith("  fans/f-2")
    assert pump.startswith("Start pump P-101  v1  ") and pump.endswith("  pump")
    assert "nothing wrong" in run("verify").stdout


def test_a_text_that_is_no_procedure_is_left_out_with_the_reason_unless_it_is_to_be_kept(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "sops" / "newsletter.md").write_text(NEWS, encoding="utf-8")
    report = data(run("add", "sops", "--json", "--quiet"))
    assert report["counts"] == {"added": 2}
    assert len(report["unread"]) == 1
    assert "'newsletter.md' is no SOP: " in report["unread"][0]
    assert "--keep" in run("add", "sops", "--quiet").stdout
    assert data(run("add", "sops/newsletter.md", "--keep", "--json", "--quiet"))["counts"] == {"added": 1}


def _reader(is_sop: bool) -> ScriptedLlm:
    """A model that reads as the rules do, and says of a newsletter in doubt whether it is a procedure."""

    def read(ask: NumberedSop) -> ViewsAnswer:
        verdict = {"is_sop": is_sop or "newsletter" not in ask.title, "reason": "It only says what happened."}
        return extract(ask).model_copy(update=verdict)

    return ScriptedLlm({"extract": read}, RulesLlm(), name="test:scripted")


@pytest.mark.parametrize("is_sop", [True, False])
def test_a_file_in_doubt_is_read_and_judged_in_one_request(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_sop: bool
) -> None:
    (tmp_path / "sops" / "newsletter.md").write_text(NEWS, encoding="utf-8")
    model = _reader(is_sop)
    monkeypatch.setattr(services, "open_llm", lambda settings: model)
    report = data(run("add", "sops", "--json", "--quiet"))
    assert report["counts"] == {"added": 3 if is_sop else 2}
    assert report["unread"] == ([] if is_sop else ["'newsletter' is no SOP: It only says what happened."])
    assert [task for task, _ in model.requests] == ["extract"] * 3
    assert all(ask.doubt.startswith("It reads as ") for _, ask in model.requests)


def test_a_file_that_is_kept_is_in_no_doubt(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sops" / "newsletter.md").write_text(NEWS, encoding="utf-8")
    model = _reader(False)
    monkeypatch.setattr(services, "open_llm", lambda settings: model)
    assert data(run("add", "sops", "--keep", "--json", "--quiet"))["counts"] == {"added": 3}
    assert not any(ask.doubt for _, ask in model.requests)


def test_a_model_that_is_not_trusted_to_judge_documents_is_not_asked_whether_they_are_procedures(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sops" / "newsletter.md").write_text(NEWS, encoding="utf-8")
    model = _reader(True)
    trust = ModelTrust(model=model.name, tasks=[TaskTrust(task="audit", passed=False, reason="it keeps minutes")])
    monkeypatch.setattr(services, "open_llm", lambda settings: TrustingLlm(model, RulesLlm(), trust))
    report = data(run("add", "sops", "--json", "--quiet"))
    assert report["counts"] == {"added": 2}
    assert "'newsletter.md' is no SOP: It reads as" in report["unread"][0]
    assert not any(ask.doubt for _, ask in model.requests)


def test_what_was_kept_once_follows_its_source_without_another_verdict(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sops" / "newsletter.md").write_text(NEWS, encoding="utf-8")
    run("add", "sops", "--keep", "--quiet")
    (tmp_path / "sops" / "newsletter.md").write_text(NEWS + "\nWe wish you a good summer.\n", encoding="utf-8")
    assert data(run("update", "--json", "--quiet"))["counts"] == {"unchanged": 2, "updated": 1}


def test_update_follows_the_source(run: Run, tmp_path: Path) -> None:
    run("add", "sops", "--quiet")
    (tmp_path / "sops" / "pump.md").write_text(PUMP + "3. Log it.\n", encoding="utf-8")
    (tmp_path / "sops" / "new.md").write_text(NEW, encoding="utf-8")
    (tmp_path / "sops" / "fans" / "f-2.txt").unlink()
    assert data(run("update", "--json", "--quiet"))["counts"] == {"updated": 1, "added": 1, "removed": 1}
    shown = data(run("show", "pump", "--json"))
    assert [event["event"] for event in shown["history"]] == ["added", "updated"]


def test_a_file_that_cannot_be_read_today_keeps_its_procedure(run: Run, tmp_path: Path) -> None:
    run("add", "sops", "--quiet")
    (tmp_path / "sops" / "pump.md").write_bytes(b"\xff\xfe\x00")
    report = data(run("update", "--json", "--quiet"))
    assert report["counts"] == {"unchanged": 1}
    assert "UTF-8" in report["unread"][0]
    assert run("show", "pump").exception is None


def test_show_prints_steps_and_warnings_word_for_word(run: Run) -> None:
    run("add", "sops", "--quiet")
    page = run("show", "pump").stdout
    for words in ("Start pump P-101", "Hot surface.", "Open valve V-1.", "Press start.", "added"):
        assert words in page


def test_procedures_are_removed_by_id_and_by_source(run: Run) -> None:
    run("add", "sops", "--quiet")
    assert data(run("remove", "pump", "--json"))["counts"] == {"removed": 1}
    assert data(run("remove", "--source", "sops", "--json"))["size"] == 0
    assert isinstance(run("remove", "pump").exception, UsageError)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["add", "nowhere"], UsageError),
        (["list", "--index", "nowhere"], UsageError),
        (["show", "pump", "--index", "nowhere"], UsageError),
        (["update"], UsageError),
    ],
)
def test_a_wrong_call_says_what_to_do(run: Run, words: list[str], error: type[Exception]) -> None:
    assert isinstance(run(*words).exception, error)


def test_a_source_without_procedures_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "a.md").write_text("\n", encoding="utf-8")
    fault = run("add", "empty", "--quiet").exception
    assert isinstance(fault, NothingFound)
    assert "a.md" in str(fault)


def test_verify_fails_on_a_damaged_index(run: Run, tmp_path: Path) -> None:
    run("add", "sops", "--quiet")
    import sqlite3

    with sqlite3.connect(tmp_path / "index" / "index.sqlite") as database:
        database.execute("DELETE FROM gist")
    database.close()
    fault = run("verify").exception
    assert isinstance(fault, StorageError)
    assert "without gist" in str(fault)
