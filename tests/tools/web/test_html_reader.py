"""Pages are read in processes with limits, and no page takes more than linear time."""

import asyncio
import os
import signal
from typing import Any

import pytest

from soprag.tools.errors import DocumentError
from soprag.tools.web.html_page import HtmlPage, PageLimits, read_html
from soprag.tools.web.html_reader import ProcessHtmlReader, open_html_reader
from tests.tools.web.site import settings

URL = "http://plant.test/index"
PAGE = b"<html lang=en><title>Start</title><p>Open valve V-1, then <a href='/next'>go on</a>.</p>"


async def read(data: bytes, **changes: Any) -> HtmlPage:
    async with open_html_reader(settings(**changes)) as reader:
        return await reader.read(data, URL, "")


async def test_a_page_comes_back_from_its_process_as_it_is_read() -> None:
    page = await read(PAGE)
    assert page == read_html(PAGE, URL, "", PageLimits(max_text=200_000, max_links=400))
    assert [link.url for link in page.links] == ["http://plant.test/next"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        "<h1>Index</h1><div>" + "".join(f"<a href='/p/{number}'>Link {number}</a> " for number in range(20_000)),
        "<h1>Index</h1>" + "".join(f"<p><a href='/p/{number}'>Link {number}</a></p>" for number in range(20_000)),
        "<h2>A</h2>" + "<div>" * 250 + "".join(f"<a href='/p/{number}'>L</a>" for number in range(20_000)),
        "<ul>" + "".join(f"<li>{number}<ul><li><a href='/p/{number}'>x</a></ul>" for number in range(20_000)),
        "<table><tr><td>" * 80 + "".join(f"<a href='/p/{number}'>L</a>" for number in range(20_000)),
        "<p>" + "[" * 400_000 + "<p>" + "](" * 200_000,
        "<p>" + "<b>x</b>" * 200_000,
        "<p>" + " " * 3_000_000 + "<a href=/x>" + "\n" * 1_000_000,
        "<a href='/" + "x" * 2_000_000 + "'>long</a>",
        "<a href='/a' class='" + "nav " * 500_000 + "'>classes</a>",
    ],
    ids=["links", "paragraphs", "nested", "lists", "tables", "brackets", "elements", "spaces", "address", "classes"],
)
async def test_no_page_below_the_size_limit_exceeds_the_time_limit(page: str) -> None:
    read_page = await read(f"<html><body>{page}".encode(), html_seconds=60.0)
    assert len(read_page.links) <= settings().max_links


async def test_of_too_many_links_those_in_menus_are_left_out_first() -> None:
    menu = "<nav>" + "".join(f"<a href='/menu/{number}'>M{number}</a>" for number in range(30)) + "</nav>"
    body = "".join(f"<p><a href='/sop/{number}'>Procedure {number}</a></p>" for number in range(15))
    page = await read((menu + body).encode(), max_links=20)
    assert len(page.links) == 20
    assert sum("/sop/" in link.url for link in page.links) == 15


async def test_a_page_over_its_processor_time_is_given_up_and_the_next_one_is_read() -> None:
    endless = b"<p>" + b"<b>x</b>" * 1_000_000
    async with open_html_reader(settings(html_seconds=0.1)) as reader:
        with pytest.raises(DocumentError, match=r"could not be read within 0\.1 s"):
            await reader.read(endless, URL, "")
        reader.settings = settings()
        assert (await reader.read(PAGE, URL, "")).title == "Start"


async def test_a_process_that_stands_still_is_replaced() -> None:
    async with open_html_reader(settings()) as reader:
        await reader.read(PAGE, URL, "")
        os.kill(reader._idle[0].pid, signal.SIGSTOP)
        reader.settings = settings(html_seconds=0.02)
        with pytest.raises(DocumentError, match=r"could not be read within 0\.02 s"):
            await reader.read(PAGE, URL, "")
        reader.settings = settings()
        assert (await reader.read(PAGE, URL, "")).title == "Start"


async def test_a_process_that_ended_is_replaced() -> None:
    async with open_html_reader(settings()) as reader:
        await reader.read(PAGE, URL, "")
        process = reader._idle[0]
        process.kill()
        await process.wait()
        assert (await reader.read(PAGE, URL, "")).title == "Start"


async def test_pages_are_read_side_by_side_by_few_processes() -> None:
    async with open_html_reader(settings()) as reader:
        pages = await asyncio.gather(
            *(reader.read(f"<title>{number}</title>".encode(), URL, "") for number in range(9))
        )
        assert [page.title for page in pages] == [str(number) for number in range(9)]
        assert len(reader._idle) <= 2


async def test_the_process_gets_no_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, str] = {}

    async def note(*command: str, env: dict[str, str], **_: Any) -> Any:
        given.update(env)
        raise OSError

    monkeypatch.setenv("SERPAPI_API_KEY", "secret")
    monkeypatch.setattr(asyncio, "create_subprocess_exec", note)
    with pytest.raises(OSError):
        await ProcessHtmlReader(settings()).read(PAGE, URL, "")
    assert "PATH" in given
    assert "SERPAPI_API_KEY" not in given


async def test_damaged_bytes_give_a_page_without_links() -> None:
    async with open_html_reader(settings()) as reader:
        for data in (b"", b"\x00\xff\xfe" * 99, b"<" * 10_000, b"<!doctype html><!--", b"<p>\xff\xfe<a href="):
            assert (await reader.read(data, URL, "")).links == (), data[:20]


async def test_the_notice_about_cookies_is_no_content() -> None:
    notice = "<div class='cookie-consent'><h2>We value your privacy</h2><p>Step 1: open your settings.</p></div>"
    page = await read(
        b"<body class='has-cookie-notice'>" + notice.encode() + b"<h1>Drain pump</h1><p>Open valve V-1.</p>"
    )
    assert page.text == "# Drain pump\n\nOpen valve V-1."


async def test_an_old_page_keeps_its_paragraphs_its_headings_in_bold_and_its_commands() -> None:
    page = await read(
        b"<BODY><FONT FACE=Arial><P><FONT SIZE=+2><B>Restart</B></FONT>\n<P>Check the pump.\n"
        b"<BR>1. Open valve V-1.\n<PRE>pumpctl start \\\n  --slow</PRE><P>Wait <B>ten</B> minutes.</FONT>"
    )
    assert page.text.split("\n\n") == [
        "### Restart",
        "Check the pump.\n1. Open valve V-1.",
        "```\npumpctl start \\\n  --slow\n```",
        "Wait ten minutes.",
    ]


async def test_preformatted_lists_of_links_stay_links() -> None:
    page = await read(b"<PRE><A HREF=/a>a.pdf</A>\n<A HREF=/b>b.pdf</A></PRE>")
    assert page.text == "[a.pdf](/a) [b.pdf](/b)"
