import asyncio
import gzip
import socket
import time
import zlib
from typing import Any

import pytest

from soprag.tools.web.budget import BudgetLimits, RunBudget
from soprag.tools.web.fetcher import open_fetcher
from soprag.tools.web.outcome import Fetched
from tests.tools.web.site import LOOPBACK, Request, Site, html, plain, redirect, settings

PLENTY = BudgetLimits(credits=9, fetches=99, bytes=10_000_000, seconds=60, tokens=9)


async def fetch(site: Site, path: str, budget: RunBudget | None = None, **changes: Any) -> Fetched:
    url = path if "://" in path else site.url(path)
    async with open_fetcher(settings(**changes), allow=[LOOPBACK], resolver=site.resolve, budget=budget) as fetcher:
        return await fetcher.fetch(url)


async def test_a_page_comes_with_its_bytes_its_type_and_what_its_server_said(site: Site) -> None:
    site.put("/a", lambda request: request.answer(b"%PDF-1.4 x", "text/html", etag='"7"', set_cookie="id=1"))
    page = await fetch(site, "/a?utm_source=x#part")
    assert (page.kind, page.data, page.mime, page.suffix) == ("http", b"", "", "")
    page = await fetch(site, "/a#part")
    assert (page.kind, page.data, page.mime, page.suffix) == ("ok", b"%PDF-1.4 x", "application/pdf", ".pdf")
    assert page.headers["etag"] == '"7"'
    assert "set-cookie" not in page.headers


async def test_a_login_page_sent_as_pdf_is_html(site: Site) -> None:
    site.put("/plan.pdf", lambda request: request.answer(b"<!doctype html><title>Log in</title>", "application/pdf"))
    assert (await fetch(site, "/plan.pdf")).mime == "text/html"


async def test_redirects_are_followed_and_kept(site: Site) -> None:
    site.put("/old", redirect("/new#there"))
    site.put("/new", html("here"))
    page = await fetch(site, "/old")
    assert page.kind == "ok"
    assert page.final_url == site.url("/new")
    assert [(hop.url, hop.status) for hop in page.hops] == [(site.url("/old"), 302)]


async def test_redirects_without_end_are_left(site: Site) -> None:
    site.put("/a", redirect("/b"))
    site.put("/b", redirect("/a"))
    for number in range(9):
        site.put(f"/{number}", redirect(f"/{number + 1}"))
    assert (await fetch(site, "/a")).kind == "redirect_loop"
    assert (await fetch(site, "/0")).kind == "redirect_loop"
    assert site.visits("/6") == 0


@pytest.mark.parametrize(
    "address",
    [
        "http://10.0.0.1/", "http://127.0.0.2/", "http://[::1]/", "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:10.0.0.1]/", "http://[64:ff9b::a00:1]/", "http://100.64.0.1/", "http://0.0.0.0/",
        "http://224.0.0.1/", "http://inside.test/", "http://mixed.test/",
    ],
)  # fmt: skip
async def test_no_private_address_is_dialled_not_even_after_a_redirect(site: Site, address: str) -> None:
    names = {"inside.test": ["192.168.1.1"], "mixed.test": ["93.184.216.34", "10.0.0.1"]}

    async def resolve(host: str, port: int) -> list[str]:
        return names.get(host, ["127.0.0.1"])

    site.put("/away", redirect(address))
    async with open_fetcher(settings(), allow=[LOOPBACK], resolver=resolve) as fetcher:
        for url in (address, site.url("/away")):
            assert (await fetcher.fetch(url)).kind == "blocked"
        assert {where for _, where in fetcher.dialled} == {"127.0.0.1"}


async def test_a_name_that_changes_its_address_after_the_check_is_not_followed(site: Site) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.9"], ["10.0.0.9"]])

    async def rebinding(host: str, port: int) -> list[str]:
        return next(answers)

    site.put("/a", lambda request: request.answer(b"x", connection="close"))
    site.put("/robots.txt", lambda request: request.answer(b"", "text/plain", connection="close"))
    async with open_fetcher(settings(), allow=[LOOPBACK], resolver=rebinding) as fetcher:
        assert (await fetcher.fetch(site.url("/a"))).kind == "blocked"
        assert {where for _, where in fetcher.dialled} == {"127.0.0.1"}


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "http://user:word@plant.test/",
        "ftp://plant.test/",
        "javascript:alert(1)",
        "http://",
        "",
        "x",
    ],
)
async def test_what_is_no_web_address_is_said_to_be_none(site: Site, address: str) -> None:
    async with open_fetcher(settings(), allow=[LOOPBACK], resolver=site.resolve) as fetcher:
        assert (await fetcher.fetch(address)).kind == "bad_url"
    site.put("/away", redirect("file:///etc/passwd"))
    assert (await fetch(site, "/away")).kind == "bad_url"


async def test_other_ports_are_open_only_where_the_address_was_allowed(site: Site) -> None:
    site.put("/a", html("x"))
    async with open_fetcher(settings(), resolver=site.resolve) as fetcher:
        assert (await fetcher.fetch(site.url("/a"))).kind == "blocked"
    async with open_fetcher(settings(), allow=["plant.test"], resolver=site.resolve) as fetcher:
        assert (await fetcher.fetch(site.url("/a"))).kind == "ok"


async def test_robots_txt_is_obeyed_on_every_hop(site: Site) -> None:
    site.put("/robots.txt", plain("User-agent: *\nDisallow: /private\nAllow: /private/open\n"))
    site.put("/private/a", html("secret"))
    site.put("/private/open", html("open"))
    site.put("/public", redirect("/private/a"))
    assert (await fetch(site, "/private/a")).kind == "robots"
    assert (await fetch(site, "/public")).kind == "robots"
    assert (await fetch(site, "/private/open")).kind == "ok"
    assert site.visits("/private/a") == 0


async def test_a_host_whose_robots_txt_fails_is_left_alone(site: Site) -> None:
    site.put("/robots.txt", lambda request: request.answer(b"", status=503))
    site.put("/a", html("x"))
    assert (await fetch(site, "/a")).kind == "robots_unreachable"
    assert site.visits("/a") == 0


async def test_a_failure_that_passes_is_waited_out_and_another_is_not(site: Site) -> None:
    failing = iter([503, 503])

    def busy(request: Request) -> None:
        status = next(failing, 200)
        request.answer(b"<html>there", status=status, retry_after="0")

    site.put("/busy", busy)
    site.put("/gone", lambda request: request.answer(b"", status=410))
    assert (await fetch(site, "/busy")).attempts == 3
    gone = await fetch(site, "/gone")
    assert (gone.kind, gone.status, gone.attempts) == ("http", 410, 1)


async def test_a_long_pause_asked_for_is_neither_waited_for_nor_disregarded(site: Site) -> None:
    site.put("/a", lambda request: request.answer(b"", status=429, retry_after="3600"))
    site.put("/b", html("x"))
    began = time.monotonic()
    async with open_fetcher(settings(), allow=[LOOPBACK], resolver=site.resolve) as fetcher:
        assert (await fetcher.fetch(site.url("/a"))).status == 429
        assert (await fetcher.fetch(site.url("/b"))).status == 429
    assert time.monotonic() - began < 30
    assert site.visits("/b") == 0


@pytest.mark.parametrize("packed", ["gzip", "deflate"])
async def test_a_bomb_is_unpacked_no_further_than_its_cap(site: Site, packed: str) -> None:
    zeros = bytes(50_000_000)
    bomb = gzip.compress(zeros, 9) if packed == "gzip" else zlib.compress(zeros, 9)
    site.put("/bomb", lambda request: request.answer(bomb, content_encoding=packed))
    site.put("/fine", lambda request: request.answer(gzip.compress(b"<html>fine"), content_encoding="gzip"))
    assert (await fetch(site, "/bomb")).kind == "too_large"
    assert (await fetch(site, "/fine")).data == b"<html>fine"


async def test_what_is_packed_in_a_way_not_asked_for_is_refused(site: Site) -> None:
    site.put("/a", lambda request: request.answer(b"xx", content_encoding="br"))
    site.put("/b", lambda request: request.answer(b"no gzip", content_encoding="gzip"))
    assert (await fetch(site, "/a")).kind == "bad_encoding"
    assert (await fetch(site, "/b")).kind == "bad_encoding"


async def test_a_body_that_is_too_large_or_has_no_end_is_left(site: Site) -> None:
    def endless(request: Request) -> None:
        request.send_response(200)
        request.end_headers()
        try:
            while True:
                request.wfile.write(b"x" * 65536)
        except OSError:
            request.close_connection = True

    site.put("/huge", lambda request: request.answer(b"x", content_length=str(10 * 2**30)))
    site.put("/endless", endless)
    assert (await fetch(site, "/huge")).kind == "too_large"
    assert (await fetch(site, "/endless")).kind == "too_large"


async def test_a_body_that_is_cut_off_is_no_body(site: Site) -> None:
    def cut(request: Request) -> None:
        request.answer(b"half", content_length="8")
        request.close_connection = True

    whole = gzip.compress(b"words " * 99)
    site.put("/cut", cut)
    site.put("/packed", lambda request: request.answer(whole[:-9], content_encoding="gzip"))
    for path in ("/cut", "/packed"):
        page = await fetch(site, path, attempts=1)
        assert (page.kind, page.data) == ("truncated", b"")


async def test_silence_and_dripping_end_in_time(site: Site) -> None:
    def drip(request: Request) -> None:
        request.send_response(200)
        request.end_headers()
        try:
            for _ in range(100):
                request.wfile.write(b"x")
                time.sleep(0.05)
        except OSError:
            request.close_connection = True

    site.put("/drip", drip)
    site.put("/silent", lambda request: time.sleep(1.0))
    assert (await fetch(site, "/drip", deadline=0.5)).kind == "deadline"
    assert (await fetch(site, "/silent", read_timeout=0.2, attempts=1)).kind == "timeout"


async def test_a_host_that_is_not_there_is_a_fault_of_the_network(site: Site) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        closed = unused.getsockname()[1]
    assert (await fetch(site, f"http://plant.test:{closed}/")).kind == "network"
    assert (await fetch(site, "http://nowhere.invalid/")).kind == "network"


async def test_nothing_is_sent_once_the_budget_is_used_up(site: Site) -> None:
    for number in range(5):
        site.put(f"/{number}", html("x"))
    budget = RunBudget(PLENTY.model_copy(update={"fetches": 3}))
    async with open_fetcher(settings(), allow=[LOOPBACK], resolver=site.resolve, budget=budget) as fetcher:
        kinds = [(await fetcher.fetch(site.url(f"/{number}"))).kind for number in range(5)]
    assert kinds == ["ok", "ok", "budget", "budget", "budget"]
    assert len(site.asked) == 3  # robots.txt is a request like any other


async def test_no_more_bytes_are_received_than_the_budget_has(site: Site) -> None:
    site.put("/big", lambda request: request.answer(b"x" * 900_000, "text/plain"))
    budget = RunBudget(PLENTY.model_copy(update={"bytes": 200_000}))
    page = await fetch(site, "/big", budget)
    assert page.kind == "budget"
    assert 0 < budget.spent("bytes") <= 200_000
    spent = RunBudget(PLENTY)
    page = await fetch(site, "/big", spent)
    assert spent.spent("bytes") == page.wire


async def test_a_host_is_asked_at_its_own_pace(site: Site) -> None:
    site.put("/robots.txt", plain("User-agent: *\nCrawl-delay: 0.2\n"))
    for number in range(4):
        site.put(f"/{number}", html("x"))
    async with open_fetcher(settings(), allow=[LOOPBACK], resolver=site.resolve) as fetcher:
        await asyncio.gather(*(fetcher.fetch(site.url(f"/{number}")) for number in range(4)))
    gaps = [later - sooner for sooner, later in zip(site.times[1:], site.times[2:], strict=False)]
    assert min(gaps) > 0.15
    site.put("/robots.txt", plain("User-agent: *\nCrawl-delay: 600\n"))
    assert (await fetch(site, "/1")).kind == "robots"


async def test_html_has_a_smaller_limit_than_documents(site: Site) -> None:
    body = b"<!doctype html><p>" + b"word " * 20_000
    site.put("/page", lambda request: request.answer(body))
    site.put("/disguised", lambda request: request.answer(body, "application/octet-stream"))
    site.put("/packed", lambda request: request.answer(gzip.compress(body), content_encoding="gzip"))
    site.put("/manual.pdf", lambda request: request.answer(b"%PDF-1.4 " + body, "application/pdf"))
    for path in ("/page", "/disguised", "/packed"):
        page = await fetch(site, path, max_html=50_000)
        assert (page.kind, page.data) == ("too_large", b"")
    assert (await fetch(site, "/manual.pdf", max_html=50_000)).kind == "ok"
    assert (await fetch(site, "/page", max_html=200_000)).kind == "ok"


def busy(request: Request, retry_after: str = "86400", status: int = 429) -> None:
    request.answer(b"", status=status, retry_after=retry_after)


async def test_a_retry_after_keeps_requests_from_its_host_for_a_bounded_time(site: Site) -> None:
    site.put("/busy", busy)
    site.put("/a", html("x"))
    changes = {"longest_pause": 0.0, "longest_hold": 0.5}
    async with open_fetcher(settings(**changes), allow=[LOOPBACK], resolver=site.resolve) as fetcher:
        assert (await fetcher.fetch(site.url("/busy"))).status == 429
        held = await fetcher.fetch(site.url("/a"))
        assert (held.kind, site.visits("/a")) == ("paused", 0)
        assert 0 < held.pause <= 0.5
        await asyncio.sleep(held.pause)
        assert (await fetcher.fetch(site.url("/a"))).kind == "ok"


async def test_a_retry_after_does_not_affect_other_hosts(site: Site) -> None:
    site.put("/busy", busy)
    site.put("/a", html("x"))
    async with open_fetcher(settings(), allow=[LOOPBACK], resolver=site.resolve) as fetcher:
        await fetcher.fetch(site.url("/busy", "busy.test"))
        assert (await fetcher.fetch(site.url("/a", "busy.test"))).kind == "paused"
        assert (await fetcher.fetch(site.url("/a", "other.test"))).kind == "ok"


async def test_a_robots_txt_that_was_unavailable_is_asked_for_again_after_the_pause(site: Site) -> None:
    answers = iter([503, 503, 200])
    site.put("/robots.txt", lambda request: busy(request, "0", next(answers)))
    site.put("/a", html("x"))
    async with open_fetcher(settings(longest_hold=0.2), allow=[LOOPBACK], resolver=site.resolve) as fetcher:
        assert (await fetcher.fetch(site.url("/a"))).kind == "robots_unreachable"
        assert (await fetcher.fetch(site.url("/a"))).kind == "robots_unreachable"
        assert site.visits("/robots.txt") == 2
        await asyncio.sleep(0.2)
        assert (await fetcher.fetch(site.url("/a"))).kind == "ok"


@pytest.mark.parametrize(
    "retry_after", ["\u00b2", "9" * 400, "-1", "soon", "Thu, 01 Jan 0001 00:00:00 +2359", "1e9", ""]
)
async def test_a_retry_after_that_says_nothing_useful_raises_nothing(site: Site, retry_after: str) -> None:
    site.put("/busy", lambda request: busy(request, retry_after))
    page = await fetch(site, "/busy", longest_pause=0.0, attempts=1)
    assert (page.kind, page.status) == ("http", 429)


@pytest.mark.parametrize("length", ["\u00b2", "9" * 30, "x"])
async def test_a_content_length_that_is_no_number_or_too_large_raises_nothing(site: Site, length: str) -> None:
    site.put("/a", lambda request: request.answer(b"x", content_length=length))
    assert (await fetch(site, "/a", attempts=1)).kind in ("network", "too_large", "truncated")


def flood(head: bytes, line: bytes) -> Any:
    def answer(request: Request) -> None:
        request.wfile.write(head)
        try:
            while True:
                request.wfile.write(line)
        except OSError:
            request.close_connection = True

    return answer


CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-type: text/html\r\n\r\n5\r\nhello\r\n"
FLOODS = {
    "headers": (b"HTTP/1.1 200 OK\r\n", b"x-filler: " + b"y" * 100 + b"\r\n"),
    "one header": (b"HTTP/1.1 200 OK\r\nx-filler: ", b"y" * 1000),
    "informational": (b"", b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n"),
    "continue": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
    "trailers": (CHUNKED + b"0\r\n", b"x-filler: " + b"y" * 100 + b"\r\n"),
    "chunk extension": (CHUNKED + b"5;", b"y" * 1000),
}


@pytest.mark.parametrize("name", FLOODS)
async def test_a_head_or_trailers_without_end_are_given_up_by_their_size(site: Site, name: str) -> None:
    site.put("/flood", flood(*FLOODS[name]))
    page = await fetch(site, "/flood", deadline=60.0)
    assert (page.kind, page.attempts, page.data) == ("too_large", 1, b"")


@pytest.mark.parametrize("name", FLOODS)
async def test_a_head_or_trailers_that_drip_end_with_the_deadline(site: Site, name: str) -> None:
    def drip(request: Request) -> None:
        head, line = FLOODS[name]
        request.wfile.write(head)
        try:
            for _ in range(200):
                request.wfile.write(line)
                time.sleep(0.05)
        except OSError:
            request.close_connection = True

    site.put("/drip", drip)
    assert (await fetch(site, "/drip", deadline=0.5)).kind == "deadline"


async def test_a_few_informational_responses_and_trailers_are_accepted(site: Site) -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n" * 20
    site.put("/a", lambda request: request.wfile.write(hints + CHUNKED + b"0\r\nx-checksum: 1\r\n\r\n") and None)
    assert (await fetch(site, "/a")).data == b"hello"
