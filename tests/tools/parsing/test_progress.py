"""While a long document is parsed, whoever waits for it hears how far it is."""

import re

import pytest

from soprag.configs.settings import load
from soprag.tools.parsing import Parser, parser
from soprag.tools.parsing.cancellation import ParseCall
from tests.tools.parsing.files import pdf

PAGES = 30


@pytest.mark.slow
async def test_the_engine_the_pages_and_the_time_are_told_through_the_parser_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parser, "_TELL_EVERY", 0.01)
    heard: list[str] = []
    data = pdf("\n".join(f"{n + 1}. Open valve V-{n} and wait." for n in range(PAGES * 36)))
    with Parser(load(options={"parsing": {"workers": 1}}, environment={}).parsing) as own:
        document = await own.parse(data, "long.pdf", heard.append)
    assert document.pages == PAGES
    assert re.fullmatch(rf"mineru flash, {PAGES} pages, \d+ s", heard[0])
    assert any(re.fullmatch(rf"mineru flash, page \d+ of {PAGES}, \d+ s", said) for said in heard)


def test_the_next_engine_begins_at_the_first_page_again_and_the_time_goes_on() -> None:
    call = ParseCall()
    assert call.standing == ""
    call.begin("mineru flash", 3)
    call.note_pages(2)
    assert call.standing == "mineru flash, page 2 of 3, 0 s"
    call.begin("pdfplumber", 3)
    assert call.standing == "pdfplumber, 3 pages, 0 s"
