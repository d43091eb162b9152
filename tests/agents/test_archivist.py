"""The Archivist: bytes of a document to Markdown that keeps its structure and says what its pictures show."""

import base64
import contextlib
import io
import random
import sqlite3
from pathlib import Path

import pytest
from PIL import Image as Pillow

from soprag.agents.archivist import Archivist
from soprag.benchmarks.quality.hostile_files import paragraph, word
from soprag.configs.settings import load
from soprag.tools.errors import DocumentError
from soprag.tools.llm import open_llm
from soprag.tools.rules.adapter import RulesLlm
from tests.loopback import Loopback, fails, says


@pytest.fixture
def archivist(tmp_path: Path) -> Archivist:
    return Archivist(load(options={"parsing": {"workers": 1}}, environment={}).parsing, tmp_path / "cache")


def change(folder: Path, value: str) -> None:
    """Write another value, an SQL expression, over what the cache holds."""
    with contextlib.closing(sqlite3.connect(folder / "cache" / "parsing.sqlite")) as database, database:
        assert database.execute(f"UPDATE entries SET value = {value}").rowcount == 1


async def test_a_document_becomes_markdown_and_is_not_parsed_twice(archivist: Archivist, tmp_path: Path) -> None:
    path = tmp_path / "7f3a.docx"
    path.write_bytes(word(paragraph("Open valve V-1.") + paragraph("Start pump P-101.")))
    first = await archivist.parse(path, "start-up.docx")
    assert first.markdown == "Open valve V-1.\n\nStart pump P-101.\n"
    assert first.trail[-1].outcome == "accepted"
    change(tmp_path, "CAST(replace(CAST(value AS TEXT), 'Start pump', 'Stop pump') AS BLOB)")
    assert "Stop pump" in (await archivist.parse(path, "copy.docx")).markdown


async def test_a_damaged_entry_of_the_cache_is_made_anew(archivist: Archivist, tmp_path: Path) -> None:
    data = word(paragraph("Open valve V-2."))
    await archivist.parse(data, "a.docx")
    change(tmp_path, "CAST('{' AS BLOB)")
    assert "V-2" in (await archivist.parse(data, "a.docx")).markdown


async def test_a_file_without_content_is_named_in_the_error(archivist: Archivist) -> None:
    with pytest.raises(DocumentError, match=r"'empty\.docx' is empty"):
        await archivist.parse(b"", "empty.docx")


def drawing(seed: int) -> str:
    dice, out = random.Random(seed), io.BytesIO()
    Pillow.frombytes("RGB", (60, 60), dice.randbytes(60 * 60 * 3)).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def page(*drawings: str) -> bytes:
    pictures = "".join(f"<p><img src='data:image/png;base64,{one}'></p>" for one in drawings)
    return f"<h1>SOP-1</h1><p>Open valve V-1.</p>{pictures}<p>Start pump P-101.</p>".encode()


def seeing(server: Loopback, folder: Path, described: int = 2) -> Archivist:
    """An Archivist whose chat model is that server."""
    llm = {"model": "openai:eyes", "base_url": server.url}
    chosen = load("offline", {"llm": llm, "parsing": {"workers": 1, "described": described}}, {})
    return Archivist(chosen.parsing, folder, open_llm(chosen.llm, {}, folder, RulesLlm))


@pytest.mark.slow
async def test_a_chat_model_that_sees_says_what_a_picture_shows_and_is_asked_once(tmp_path: Path) -> None:
    with Loopback(says({"caption": "Valve V-1 is left of pump P-101."})) as server:
        first = await seeing(server, tmp_path).parse(page(drawing(1)), "a.html")
        again = await seeing(server, tmp_path).parse(page(drawing(1)), "b.html")
        assert server.count == 1
        text, picture = server.requests[0].messages[1]["content"]
    assert picture["image_url"]["url"] == f"data:image/png;base64,{base64.b64encode(first.images[0].data).decode()}"
    assert "Open valve V-1." in text["text"] and "[the picture]" in text["text"]
    assert picture["image_url"]["url"][30:80] not in text["text"]
    assert f"![Valve V-1 is left of pump P-101.]({first.images[0].name})" in first.markdown
    assert first.images[0].caption == "Valve V-1 is left of pump P-101."
    assert again.markdown == first.markdown


@pytest.mark.slow
async def test_a_picture_the_model_does_not_answer_for_costs_neither_the_document_nor_the_others(
    tmp_path: Path,
) -> None:
    with Loopback(fails(400, "no images"), says({"caption": "A pump."})) as server:
        document = await seeing(server, tmp_path).parse(page(drawing(1), drawing(2)), "a.html")
    assert sorted(one.caption for one in document.images) == ["", "A pump."]
    assert "Start pump P-101." in document.markdown
    assert document.warnings[-1].startswith("1 of 2 pictures were not described") and "400" in document.warnings[-1]


@pytest.mark.slow
@pytest.mark.parametrize("described", [0, 2])
async def test_no_more_pictures_are_shown_than_the_settings_allow(tmp_path: Path, described: int) -> None:
    with Loopback(answer=lambda _: {"caption": ""}) as server:
        document = await seeing(server, tmp_path, described).parse(page(*map(drawing, range(4))), "a.html")
        assert server.count == described
    assert "![](images/" in document.markdown and len(document.images) == 4
