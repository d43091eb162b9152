"""Files made to do harm: each has a typed outcome within its limits, nothing is fetched, and the next one is parsed."""

import contextlib
import http.server
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from soprag.benchmarks.quality.hostile_files import encrypted_pdf, far_cell, laughs, lying, paragraph, png, word
from soprag.configs.settings import ParsingSettings, load
from soprag.tools.errors import DocumentError
from soprag.tools.parsing import ParsedDocument, Parser
from soprag.tools.parsing.budget import TimeBudget
from soprag.tools.parsing.folders import make_folder, sweep
from tests.tools.parsing.files import pdf

charge = TimeBudget.charge
SECRET = "the-content-of-a-local-file"
MEMORY = 2048


@pytest.fixture(scope="module")
def settings() -> ParsingSettings:
    limits = {"memory": MEMORY, "timeout": 20.0, "workers": 1, "cache": False, "max_unpacked": 40_000_000}
    return load(options={"parsing": limits}, environment={}).parsing


@pytest.fixture(scope="module")
def parser(settings: ParsingSettings) -> Iterator[Parser]:
    with Parser(settings) as parser:
        yield parser


def outcome(parser: Parser, data: bytes, name: str) -> ParsedDocument | str:
    """The document, or the one line that says why there is none; the parser must work afterwards."""
    try:
        return parser.parse_now(data, name)
    except DocumentError as refusal:
        assert "\n" not in str(refusal)
        return str(refusal)
    finally:
        assert "Still here" in parser.parse_now(b"<h1>Still here</h1>", "b.html").markdown
        peak = parser.peak_memory()
        assert peak < MEMORY * 1.2
        print(f"{name}: peak {peak} MiB")  # noqa: T201 (pytest -s shows it)


REFUSED = {
    "bomb.docx": (lambda: word(b"", more={"word/media/a.bin": bytes(41_000_000)}), "max_unpacked"),
    "xml-bomb.docx": (lambda: word(paragraph("x") * 400_000), "max_ratio|max_part"),
    "lying.docx": (lambda: lying(paragraph("Step") * 100_000), "holds more than"),
    "many.docx": (lambda: word(b"", more={f"word/{n}.xml": b"" for n in range(2100)}), "max_members"),
    "picture.png": (lambda: png(30_000, 30_000), "max_pixels|cannot be opened"),
    "locked.pdf": (encrypted_pdf, "encrypted"),
    "macro.docm": (lambda: word(b"", more={"word/vbaProject.bin": b"x"}), "macros"),
    "cut.pdf": (lambda: pdf("1. Step.\n" * 400)[:700], "damaged|could not"),
    "cut.docx": (lambda: word(paragraph("Step"))[:300], "damaged"),
    "laughs.docx": (lambda: word(paragraph("&j;"), laughs()), "could not be turned"),
    "long.pdf": (lambda: pdf("Procedure\n" * 36 * 501), "501 pages"),
    "empty-pages.pdf": (lambda: pdf(" "), "scan|no text|could not"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_harmful_file_is_refused_in_one_line_and_the_batch_goes_on(parser: Parser, name: str) -> None:
    make, reason = REFUSED[name]
    begun = time.monotonic()
    result = outcome(parser, make(), name)
    assert isinstance(result, str), result
    assert any(part in result for part in reason.split("|")), result
    assert name in result
    assert time.monotonic() - begun < 45


def test_deep_nesting_does_not_bring_the_parser_down(parser: Parser) -> None:
    result = outcome(parser, b"<html><body>" + b"<div>" * 100_000 + b"Press STOP." + b"</div>" * 100_000, "deep.html")
    assert isinstance(result, str) or "Press STOP." in result.markdown


def test_a_cell_in_the_last_corner_of_a_sheet_costs_nothing(parser: Parser) -> None:
    result = outcome(parser, far_cell(), "far.xlsx")
    assert isinstance(result, ParsedDocument)
    assert "near" in result.markdown
    assert len(result.markdown) < 10_000


def test_a_file_of_the_host_is_not_read_for_a_document(parser: Parser, tmp_path: Path) -> None:
    target = tmp_path / "secret.txt"
    target.write_text(SECRET, encoding="utf-8")
    entity = f"<!DOCTYPE w [<!ENTITY x SYSTEM 'file://{target}'>]>".encode()
    for data, name in (
        (word(paragraph("before &x; after"), entity), "entity.docx"),
        (
            f"<html><p>Text</p><iframe src='file://{target}'></iframe><img src='{target}'></html>".encode(),
            "a.html",
        ),
    ):
        assert SECRET not in str(outcome(parser, data, name))


@contextlib.contextmanager
def listener() -> Iterator[tuple[str, list[str]]]:
    """A web server that notes whoever comes."""
    visits: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            visits.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *words: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", visits
    finally:
        server.shutdown()
        server.server_close()


def test_nothing_is_fetched_because_a_document_says_so(parser: Parser) -> None:
    with listener() as (url, visits):
        page = f"<html><link rel=stylesheet href='{url}/a.css'><p>Text</p><img src='{url}/b.png'></html>"
        entity = f"<!DOCTYPE w SYSTEM '{url}/c.dtd' [<!ENTITY x SYSTEM '{url}/d'>]>".encode()
        outcome(parser, page.encode(), "a.html")
        outcome(parser, word(paragraph("&x;"), entity), "b.docx")
    assert visits == []


def test_a_parser_process_has_no_network_no_keys_and_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    import json
    import subprocess
    import sys
    import tempfile

    from soprag.tools.parsing.pool import process_environment

    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy")
    script = """
import json, os, socket
from soprag.tools.parsing.isolation import confine
confine(1024)
try:
    socket.create_connection(("127.0.0.1", 9), 1); reached = "connected"
except PermissionError: reached = "no network"
except OSError as fault: reached = str(fault)
try:
    bytearray(3 * 2**30); memory = "unlimited"
except MemoryError: memory = "limited"
print(json.dumps([reached, memory, os.environ["HOME"], sorted(os.environ)]))
"""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=process_environment(Path(folder), ""),
            check=True,
            stdout=subprocess.PIPE,
        )
        reached, memory, home, names = json.loads(done.stdout)
        assert home == folder
    assert memory == "limited"
    assert not {"OPENAI_API_KEY", "HTTPS_PROXY"} & set(names)
    if sys.platform == "linux":
        assert reached == "no network"


def test_a_process_that_takes_too_long_is_killed_with_its_children(settings: ParsingSettings) -> None:
    slow = settings.model_copy(update={"timeout": 0.05, "timeout_per_page": 0.0})
    with Parser(slow) as parser, pytest.raises(DocumentError, match=r"no result within|could not be turned"):
        parser.parse_now(pdf("1. Step.\n" * 900), "a.pdf")
    assert parser.peak_memory() < MEMORY


@pytest.mark.slow
def test_all_engines_together_have_the_time_of_one_document(
    settings: ParsingSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[float] = []
    monkeypatch.setattr(TimeBudget, "charge", lambda budget, seconds: (used.append(seconds), charge(budget, seconds)))
    brief = settings.model_copy(update={"timeout": 4.0})
    body = b"".join(paragraph(f"Step {n} of a very long procedure {n * n}") for n in range(400_000))
    late = pytest.raises(DocumentError, match=r"no result within|cannot be used|no time left")
    with Parser(brief.model_copy(update={"max_ratio": 10_000})) as parser, late:
        parser.parse_now(word(body), "long.docx")
    assert sum(used) < 4.0 + 4.0


def test_what_a_killed_program_left_behind_is_removed_and_what_is_in_use_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    used, mark = make_folder()
    left, other = make_folder()
    other.close()
    for folder in (used, left):
        os.utime(folder / "in-use", (1, 1))
    sweep()
    assert (used.exists(), left.exists()) == (True, False)
    mark.close()
