"""The Archivist: bytes of a document to Markdown that keeps its structure."""

from pathlib import Path

import pytest

from agents.archivist import Archivist
from configs.settings import load
from tools.errors import DocumentError
from tools.evaluation.hostile_files import paragraph, word


@pytest.fixture
def archivist(tmp_path: Path) -> Archivist:
    return Archivist(load(options={"parsing": {"workers": 1}}, environment={}).parsing, tmp_path / "cache")


async def test_a_document_becomes_markdown_and_is_not_parsed_twice(archivist: Archivist, tmp_path: Path) -> None:
    path = tmp_path / "7f3a.docx"
    path.write_bytes(word(paragraph("Open valve V-1.") + paragraph("Start pump P-101.")))
    first = await archivist.parse(path, "start-up.docx")
    assert first.markdown == "Open valve V-1.\n\nStart pump P-101.\n"
    assert first.trail[-1].outcome == "accepted"
    (kept,) = (tmp_path / "cache").rglob("*.json")
    kept.write_text(kept.read_text().replace("Start pump", "Stop pump"))
    assert "Stop pump" in (await archivist.parse(path, "copy.docx")).markdown


async def test_a_damaged_entry_of_the_cache_is_made_anew(archivist: Archivist, tmp_path: Path) -> None:
    data = word(paragraph("Open valve V-2."))
    await archivist.parse(data, "a.docx")
    (kept,) = (tmp_path / "cache").rglob("*.json")
    kept.write_text("{")
    assert "V-2" in (await archivist.parse(data, "a.docx")).markdown


async def test_a_file_without_content_is_named_in_the_error(archivist: Archivist) -> None:
    with pytest.raises(DocumentError, match=r"'empty\.docx' is empty"):
        await archivist.parse(b"", "empty.docx")
