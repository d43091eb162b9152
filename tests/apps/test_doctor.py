"""`soprag doctor` says what is ready, and fails when something needed is not."""

from pathlib import Path

import pytest

from soprag.apps.cli import doctor
from soprag.apps.cli.doctor import diagnose


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SOPRAG_RUN__FOLDER", str(tmp_path / "runs"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_the_offline_profile_is_healthy_here() -> None:
    diagnosis = diagnose("offline")
    assert diagnosis.healthy, diagnosis.text()
    assert "MiniLM, weights verified" in diagnosis.text()


def test_a_missing_key_is_named() -> None:
    diagnosis = diagnose("openai")
    assert not diagnosis.healthy
    assert "MISSING" in diagnosis.text() and "OPENAI_API_KEY is not set" in diagnosis.text()


def test_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-1234567890")
    assert "very-secret" not in diagnose("openai").text()


def test_it_says_which_index_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "the example library stands in" in diagnose("offline").text()
    diagnosis = diagnose("offline", "plant-2")
    assert not diagnosis.healthy
    assert "There is no index in 'plant-2'" in diagnosis.text()


def test_a_damaged_index_is_named(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "index.sqlite").write_bytes(b"not a database" * 100)
    diagnosis = diagnose("offline", str(tmp_path / "index"))
    assert not diagnosis.healthy
    assert "MISSING  index" in diagnosis.text()


def test_missing_extras_are_no_fault_but_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda module: None)
    diagnosis = diagnose("offline")
    assert diagnosis.healthy
    assert "soprag[engineering]" in diagnosis.text() and "soprag[evaluation]" in diagnosis.text()


def test_nothing_is_created_by_looking(tmp_path: Path) -> None:
    diagnose("offline")
    assert not (tmp_path / "runs").exists()
