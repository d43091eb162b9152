"""Artefacts are whole or absent, and damage is reported."""

import errno
from pathlib import Path

import pytest

from soprag.tools.errors import StorageError
from soprag.tools.store.run_folder import RunFolder, write_whole
from soprag.tools.store.run_records import Phrases


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    run.write("search", "phrases", Phrases(phrases=["pump"]))
    assert run.has("search", "phrases")
    assert run.read("search", "phrases", Phrases).phrases == ["pump"]
    assert run.keys("search") == ["phrases"]


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.json"
    write_whole(file, b"old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StorageError, match="free some space"):
        write_whole(file, b"new")
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_damaged_artefact_is_named(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "phrases.json").write_text('{"phrases": [')
    with pytest.raises(StorageError, match=r"phrases\.json' is damaged"):
        run.read("search", "phrases", Phrases)


def test_hidden_parts_of_an_interrupted_write_are_no_items(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    (tmp_path / "sops").mkdir()
    (tmp_path / "sops" / ".x1.part").write_text("half")
    assert run.keys("sops") == []
