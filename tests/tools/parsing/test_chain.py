"""Which engine is asked, when its result is good enough, and what happens when it is not."""

import io

import pytest

from soprag.configs.settings import ParsingSettings, load
from soprag.tools.errors import DocumentError
from soprag.tools.parsing import Parser, readiness
from soprag.tools.parsing.chain import Ready, plan
from soprag.tools.parsing.document import Extract, Image
from soprag.tools.parsing.engines import vlm
from soprag.tools.parsing.engines.vlm import VlmServer
from soprag.tools.parsing.jobs import Probe, TellPages
from soprag.tools.parsing.quality import find_defect
from tests.tools.parsing.files import pdf

TEXT, SCAN = Probe(pages=4, characters=4000), Probe(pages=4, scanned_pages=4)


def chosen(**changes: object) -> ParsingSettings:
    return load(options={"parsing": changes}, environment={}).parsing


def test_the_best_ready_tier_comes_first_and_flash_after_it() -> None:
    ready = Ready(tiers=("flash", "basic"))
    names = [one.name for one in plan("pdf", TEXT, chosen(), ready)]
    assert names == ["mineru basic", "mineru flash", "pdfplumber", "pdfium"]


def test_a_server_is_asked_before_anything_here() -> None:
    names = [one.name for one in plan("docx", Probe(), chosen(server="http://127.0.0.1:1"), Ready())]
    assert names == ["mineru server", "mineru flash", "office"]


def test_a_tier_without_its_models_is_passed_over_with_the_way_to_get_them() -> None:
    first = plan("pdf", TEXT, chosen(tier="standard"), Ready())[0]
    assert first.missing.endswith("mineru-kit models download --tier standard")


def test_scans_go_to_engines_that_read_pictures() -> None:
    usable = [
        one.name
        for one in plan("pdf", SCAN, chosen(vlm="http://127.0.0.1:1"), Ready(ocr=True, vlm=True))
        if not one.missing
    ]
    assert usable == ["mineru vlm", "rapidocr"]


@pytest.mark.parametrize(
    ("markdown", "fault"),
    [
        ("# Title\n\n" + "1. Open the valve and wait until it is open.\n" * 100, ""),
        ("![](images/a.png)", "no text"),
        ("1. Open.\n", "only 7 of about 4,000 characters"),
        ("\ufffd" * 300 + "word " * 1000, "300 unreadable characters"),
        ("\n".join(f"{n}. Step and more words of this step here." for n in range(100, 2, -1)), "98 steps out of order"),
    ],
)
def test_a_poor_result_is_left_for_another_engine(markdown: str, fault: str) -> None:
    found = find_defect(Extract(markdown=markdown, version="1", pages=4), TEXT)
    assert fault in found
    assert bool(fault) == bool(found)


def scan() -> bytes:
    from PIL import Image as Pillow

    out = io.BytesIO()
    Pillow.new("RGB", (400, 600), "white").save(out, "PDF")
    return out.getvalue()


def test_a_scan_says_what_could_read_it() -> None:
    with (
        Parser(chosen(workers=1, ocr=False)) as parser,
        pytest.raises(DocumentError, match=r"is a scan .*parsing\.ocr is off"),
    ):
        parser.parse_now(scan(), "scan.pdf")


def test_a_scan_is_read_by_the_vision_model_when_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Image] = []

    def read(self: VlmServer, pages: tuple[Image, ...], tell: TellPages) -> str:
        asked.extend(pages)
        return "# SOP-9\n\n1. Open valve V-9 until the lamp shows OPEN.\n\n2. Start pump P-9 and watch gauge PG-9."

    monkeypatch.setattr(vlm.VlmServer, "read", read)
    with Parser(chosen(workers=1, vlm="http://127.0.0.1:1")) as parser:
        document = parser.parse_now(scan(), "scan.pdf")
    assert (document.engine, len(asked), asked[0].media_type) == ("mineru vlm", 1, "image/png")
    assert "1. Open valve V-9" in document.markdown


def test_readiness_names_every_engine_and_the_way_to_it() -> None:
    found = {one.name: one for one in readiness(chosen(server="http://127.0.0.1:1"))}
    assert found["mineru flash"].ready
    assert not found["mineru server"].ready and found["mineru server"].needed
    assert all(one.advice for one in found.values() if not one.ready)


def test_a_pdf_that_mineru_cannot_parse_is_read_by_another_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    from soprag.tools.parsing import attempts
    from soprag.tools.parsing.jobs import WorkerReply

    real = attempts.Attempts._parse

    def parse(self: attempts.Attempts, engine: str, *others: object) -> WorkerReply:
        if engine == "mineru":
            return WorkerReply(failed="ValueError: native lane inference rejected normalized geometry")
        return real(self, engine, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(attempts.Attempts, "_parse", parse)
    with Parser(chosen(workers=1)) as parser:
        document = parser.parse_now(pdf("1. Open valve V-1.\n2. Start pump P-101."), "a.pdf")
    assert document.engine == "pdfplumber"
    assert "native lane inference" in document.warnings[0]
    assert "2. Start pump P-101." in document.markdown
