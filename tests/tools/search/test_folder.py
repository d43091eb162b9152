"""A local folder: everything visible is found, and what cannot be read is said."""

import os
from pathlib import Path

import pytest

from tools.errors import DocumentError, NothingFound, UsageError
from tools.search.folder import FolderSource


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
