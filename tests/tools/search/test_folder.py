"""A local folder: everything visible is found, and what cannot be read is said."""

import os
from pathlib import Path

import pytest

from soprag.tools.errors import DocumentError, NothingFound, UsageError
from soprag.tools.search.folder import FolderSource


def names(folder: Path) -> list[str]:
    return [found.provenance.location for found in FolderSource(folder, 1000).find([])]


def test_all_visible_files_are_found_in_order(tmp_path: Path) -> None:
    for name in ("b.md", "a.pdf", ".hidden", "sub/c.docx", ".git/config"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert names(tmp_path) == ["a.pdf", "b.md", "sub/c.docx"]


def test_an_empty_folder_is_nothing_found(tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="holds no file"):
        names(tmp_path)


def test_a_missing_folder_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder"):
        FolderSource(tmp_path / "none", 1000)


def test_a_file_over_the_limit_is_refused_with_both_numbers(tmp_path: Path) -> None:
    (tmp_path / "big.pdf").write_bytes(b"x" * 1001)
    source = FolderSource(tmp_path, 1000)
    with pytest.raises(DocumentError, match=r"1,001 bytes; the limit collect\.max_bytes is 1,000"):
        source.read(source.find([])[0])


def test_a_pipe_is_refused_and_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    source = FolderSource(tmp_path, 1000)
    with pytest.raises(DocumentError, match="no ordinary file"):
        source.read(source.find([])[0])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_inside_fails_alone(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "locked").mkdir(mode=0)
    source = FolderSource(tmp_path, 1000)
    found = source.find([])
    assert source.read(found[0]) == b"x"
    with pytest.raises(DocumentError, match="locked"):
        source.read(found[1])


def test_a_link_out_of_the_folder_is_named_and_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "source", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (folder / "a.md").write_text("x")
    (folder / "inside.md").symlink_to("a.md")
    (folder / "file.md").symlink_to(outside / "secret.md")
    (folder / "folder").symlink_to(outside)
    (folder / "nowhere.md").symlink_to("nowhere")
    (folder / "loop.md").symlink_to("loop.md")
    source = FolderSource(folder, 1000)
    found = {candidate.name: candidate for candidate in source.find([])}
    assert sorted(found) == ["a.md", "file.md", "folder", "inside.md", "loop.md", "nowhere.md"]
    assert source.read(found["inside.md"]) == b"x"
    for name in ("file.md", "folder"):
        with pytest.raises(DocumentError, match="symbolic link out of the source folder; it is not followed"):
            source.read(found[name])
    for name in ("nowhere.md", "loop.md"):
        with pytest.raises(DocumentError, match=f"Cannot read '{name}'"):
            source.read(found[name])


def test_runs_of_our_own_and_manifests_are_no_documents(tmp_path: Path) -> None:
    for name in ("a.md", "manifest.json", "runs/pumps-2026/run.json", "runs/pumps-2026/raw/b.md", "runs/c.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert names(tmp_path) == ["a.md", "runs/c.md"]
