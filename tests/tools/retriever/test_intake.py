"""Where SOPs come from, and ids that outlive an edit."""

import json
from pathlib import Path

import pytest

from soprag.tools.errors import DocumentError, UsageError
from soprag.tools.retriever.index.loaders import kind_of, named, read_benchmark, read_text
from soprag.tools.sop import Sop, Span


def test_a_text_file_is_one_procedure_word_for_word(tmp_path: Path) -> None:
    file = tmp_path / "p-101.md"
    file.write_bytes("\ufeffintro\r\n\r\n## Start pump P-101 ##\r\n1. Open V-1\r\n".encode())
    sop = read_text(file.read_bytes(), "pumps/p-101.md", 1000)
    assert (sop.id, sop.title) == ("pumps/p-101", "Start pump P-101")
    assert sop.body == "intro\n\n## Start pump P-101 ##\n1. Open V-1\n"
    file.write_text("Open the valve.", encoding="utf-8")
    assert read_text(file.read_bytes(), "pumps/p-101.md", 1000).title == "p 101"


@pytest.mark.parametrize(
    ("data", "said"), [(b" \n", "empty"), (b"\xff\xfe\x00x", "UTF-8"), (b"x" * 1001, "max_characters is 1,000")]
)
def test_a_file_without_text_says_why(data: bytes, said: str) -> None:
    with pytest.raises(DocumentError, match=said):
        read_text(data, "a.md", 1000)


def test_procedures_of_one_file_are_named_by_title_and_not_by_line() -> None:
    def cut(title: str, start: int) -> Sop:
        return Sop(id="x", title=title, text="b", document="d", span=Span(start=start, end=start))

    ids = [sop.id for sop in named([cut("Start-up", 1), cut("Shut down", 9), cut("Start up", 20)], "m/manual.pdf")]
    assert ids == ["m/manual.pdf#start-up", "m/manual.pdf#shut-down", "m/manual.pdf#start-up-20"]
    assert [sop.id for sop in named([cut("Start-up", 1)], "m/manual.pdf")] == ["m/manual.pdf"]


def test_a_benchmark_is_read_and_a_bad_line_is_named(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"_id": "a", "title": "", "text": "one\ntwo"}) + "\n\n", encoding="utf-8")
    assert kind_of(tmp_path) == "benchmark"
    (sop,) = read_benchmark(tmp_path)
    assert (sop.id, sop.title, sop.span) == ("a", "a", Span(start=1, end=2))
    corpus.write_text('{"_id": "a", "text": "x"}\n{"text": "x"}\n', encoding="utf-8")
    with pytest.raises(DocumentError, match="Line 2"):
        read_benchmark(tmp_path)
    with pytest.raises(UsageError, match="no file or folder"):
        kind_of(tmp_path / "nowhere")
