"""One call for any document; here the plain path: text as it is, everything else through MinerU's flash tier."""

import asyncio
import importlib.util
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from soprag.benchmarks.quality.hostile_files import archive
from soprag.configs.settings import ParsingSettings
from soprag.tools.errors import DocumentError
from soprag.tools.parsing import Parser, pool
from tests.tools.parsing.files import pdf

DOCUMENT = "<h1>SOP-7 Pump start</h1><ol><li>Open valve V-1.</li><li>Start pump P-101.</li></ol>"


def test_markdown_and_text_are_kept_as_they_are(parser: Parser) -> None:
    source = "# Title\n\n1. Step\n"
    document = parser.parse_now(source.encode(), "a.md")
    assert (document.markdown, document.engine) == (source, "text")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_text_in_other_encodings_is_read(parser: Parser, encoding: str) -> None:
    text = "Prüfen: Ventil V-1 öffnen, 5 °C einstellen. " * 5
    assert parser.parse_now(text.encode(encoding), "a.txt").markdown == text


def test_control_characters_do_not_get_through(parser: Parser) -> None:
    document = parser.parse_now(b"Press \x1b[31mSTOP\x07 now\r\n" + b"and wait. " * 300, "a.txt")
    assert document.markdown.startswith("Press [31mSTOP now\nand wait.")
    assert document.warnings == ("2 control or hidden characters were removed",)


def test_a_pdf_keeps_its_steps_and_several_are_parsed_at_once(parser: Parser) -> None:
    async def run() -> list[str]:
        files = [pdf(f"SOP-{n} Pump start\n1. Open valve V-{n}.\n2. Start pump P-{n}.") for n in range(4)]
        return [one.markdown for one in await asyncio.gather(*(parser.parse(file, "a.pdf") for file in files))]

    for number, markdown in enumerate(asyncio.run(run())):
        assert f"1. Open valve V-{number}." in markdown
        assert f"2. Start pump P-{number}." in markdown


def test_the_content_decides_and_not_the_name(parser: Parser) -> None:
    assert "1. Open valve V-1." in parser.parse_now(DOCUMENT.encode(), "really.pdf").markdown


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"  \n ", "is empty"),
        (bytes(range(256)) * 20, "binary"),
        (b"MZ\x90\x00" + bytes(2000), "binary"),
        (b"PK\x03\x04 cut off", "damaged or cut off"),
        (archive({"a.txt": b"a"}), "is an archive"),
        (archive({"word/document.xml": b"<a/>", "word/vbaProject.bin": b"x"}), "macros"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (b"%PDF-1.7\nnothing more", "damaged or cut off"),
    ],
)
def test_unusable_files_are_refused_with_one_clear_line(parser: Parser, data: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message) as caught:
        parser.parse_now(data, "manual.pdf")
    assert "'manual.pdf'" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_cancelling_kills_the_work_and_the_parser_goes_on(settings: ParsingSettings) -> None:
    async def run(parser: Parser) -> str:
        work = asyncio.create_task(parser.parse(pdf("\n".join(["1. Step of many."] * 30)), "a.pdf"))
        await asyncio.sleep(0.3)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        return (await parser.parse(DOCUMENT.encode(), "a.html")).markdown

    with Parser(settings) as parser:
        assert "Start pump P-101." in asyncio.run(run(parser))


@pytest.mark.slow
def test_a_script_without_a_main_guard_can_parse_a_pdf(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("1. Open valve V-1."))
    script = """
        from pathlib import Path
        from soprag.configs.settings import load
        from soprag.tools.parsing import parse
        print(parse(Path("a.pdf"), load().parsing).markdown)
    """
    root = Path(__file__).parents[3]
    run = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(
        run, check=True, cwd=tmp_path, env={"PYTHONPATH": str(root)}, stdout=subprocess.PIPE, text=True
    )
    assert done.stdout.strip() == "1. Open valve V-1."


def test_parsers_are_compiled_once_and_only_where_python_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "reads_plans" / "__init__.py"
    source.parent.mkdir()
    source.write_text("PAGES = 1\n")
    compiled = Path(importlib.util.cache_from_source(str(source)))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(pool, "_COMPILED", ("reads_plans", "not_installed"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    pool.compile_parsers()
    assert not compiled.exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    pool.compile_parsers()
    assert compiled.is_file()
    monkeypatch.delattr(subprocess, "run")  # nothing is left to do
    pool.compile_parsers()
