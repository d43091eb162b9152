"""A MinerU server, as it should be and as it is at three in the morning."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from soprag.configs.settings import load
from soprag.tools.parsing import Parser, parse
from soprag.tools.parsing.engines.server import MineruServer, ServerDown, ServerFault, ServerRequest
from tests.tools.parsing.files import pdf
from tests.tools.parsing.servers import GOOD, Script, serve

STEPS = "SOP-1 Pump start\n1. Open valve V-1.\n2. Start pump P-101."


def ask(url: str, tier: str = "auto", key: str = "", timeout: float = 5.0) -> str:
    server = MineruServer(url, key, timeout)
    return server.parse(ServerRequest("a.pdf", b"%PDF-1.7", tier, lambda: None)).markdown


def test_bytes_go_up_and_markdown_comes_back_after_polling() -> None:
    script = Script(polls=3)
    with serve(script) as url:
        assert ask(url) == GOOD
    assert b"%PDF-1.7" in script.uploads[0]
    assert script.calls.count("GET /v1/tasks/job_1/result") == 4


def test_a_server_of_the_older_generation_is_recognised() -> None:
    script = Script(release=3)
    with serve(script) as url:
        assert ask(url) == GOOD
    assert "POST /tasks" in script.calls


def test_the_best_tier_that_the_server_can_really_serve_is_found_once() -> None:
    script = Script(polls=0, unready=("standard", "basic"))
    with serve(script) as url:
        server = MineruServer(url)
        for _ in range(2):
            assert server.parse(ServerRequest("a.pdf", b"%PDF", "auto", lambda: None)).tier == "flash"
    assert script.calls.count("POST /v1/tasks") == 4


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (Script(fault="PDFium: Data format error"), "Data format error"),
        (Script(key="secret"), "MINERU_API_KEY"),
        (Script(cut=True), "cannot be reached|cut off"),
        (Script(polls=10_000), r"no result within 1 s"),
        (Script(tiers=()), "no tier"),
    ],
)
def test_whatever_goes_wrong_at_the_server_has_a_reason(script: Script, message: str) -> None:
    with serve(script) as url, pytest.raises(ServerFault, match=message):
        ask(url, timeout=1.0)


def test_a_task_nobody_waits_for_is_cancelled_on_the_server() -> None:
    script = Script(polls=10_000)
    with serve(script) as url, pytest.raises(ServerFault):
        ask(url, timeout=0.3)
    assert "DELETE /v1/tasks/job_1" in script.calls


def test_a_server_that_is_down_is_not_asked_again_for_every_document() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    server = MineruServer(url)
    for message in ("cannot be reached", "a moment ago"):
        with pytest.raises(ServerDown, match=message):
            server.parse(ServerRequest("a.pdf", b"%PDF", "auto", lambda: None))


def test_the_key_is_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(key="sk-secret")
    with serve(script) as url:
        assert ask(url, key="sk-secret") == GOOD
        assert "sk-secret" not in repr(MineruServer(url, "sk-secret"))
    assert script.keys == ["Bearer sk-secret"]


@pytest.mark.slow
def test_without_the_server_the_document_is_parsed_here_and_the_trail_says_so() -> None:
    with serve(Script(fault="out of memory")) as url:
        settings = load(options={"parsing": {"server": url}}, environment={}).parsing
        with Parser(settings) as parser:
            document = parser.parse_now(pdf(STEPS), "a.pdf")
    assert [(one.engine, one.outcome) for one in document.trail] == [
        ("mineru server", "failed"),
        ("mineru flash", "accepted"),
    ]
    assert "mineru server: out of memory" in document.warnings[0]
    assert "1. Open valve V-1." in document.markdown


@pytest.mark.slow
def test_several_documents_are_under_way_at_the_server_while_one_core_works_here() -> None:
    script = Script(polls=16)
    with serve(script) as url:
        chosen = {"server": url, "workers": 1, "server_at_once": 3}
        settings = load(options={"parsing": chosen}, environment={}).parsing

        async def run(parser: Parser) -> list[str]:
            pages = [f"<html><body><h1>SOP-{n}</h1><p>1. Open valve V-1.</p></body></html>" for n in range(3)]
            made = await asyncio.gather(*(parser.parse(page.encode(), f"{n}.html") for n, page in enumerate(pages)))
            return [one.engine for one in made]

        with Parser(settings) as parser:
            assert asyncio.run(run(parser)) == ["mineru server"] * 3
    sent = [at for at, call in enumerate(script.calls) if call == "POST /v1/tasks"]
    polls = [at for at, call in enumerate(script.calls) if call.endswith("/result")]
    assert sent[-1] < polls[16]


def test_markdown_from_the_server_is_repaired_like_our_own() -> None:
    script = Script(
        markdown="<a id='x'></a>\n# **SOP**\n\n![](data:image/png;base64,iVBORw0KGgo=)\n\n1. Open valve V-1.\n"
    )
    with serve(script) as url:
        settings = load(options={"parsing": {"server": url}}, environment={}).parsing
        with Parser(settings) as parser:
            document = parser.parse_now(b"<html><body><h1>SOP</h1><p>1. Open valve V-1.</p></body></html>", "a.html")
    assert document.engine == "mineru server"
    assert "# SOP\n" in document.markdown
    assert [image.name for image in document.images] == [document.markdown.split("](")[1].split(")")[0]]


@contextlib.contextmanager
def real_server(folder: Path, *more: str) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).parent / "mineru-api"), "--host", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "MINERU_HOME": str(folder), "MINERU_MODEL_SOURCE": "local"}
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--tier", "flash", *more],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(url)
        yield url
    finally:
        os.killpg(server.pid, 9)
        server.wait()


def _wait(url: str) -> None:
    for _ in range(240):
        with contextlib.suppress(httpx2.HTTPError):
            if httpx2.get(f"{url}/v1/health", trust_env=False).is_success:
                return
        time.sleep(0.25)
    raise TimeoutError(url)


@pytest.mark.slow
def test_the_real_server_gives_the_same_markdown_as_the_local_flash_tier(tmp_path: Path) -> None:
    file = pdf(STEPS + "\n" + "\n".join(f"{n}. Check gauge PG-{n}." for n in range(3, 20)))
    page = b"<html><body><h1>SOP-2</h1><ol><li>Stop.</li><li>Lock QS1.</li></ol></body></html>"
    local = load(environment={}).parsing
    with real_server(tmp_path) as url:
        remote = load(options={"parsing": {"server": url}}, environment={}).parsing
        with Parser(remote) as parser:
            for data, name in ((file, "a.pdf"), (page, "b.html")):
                document = parser.parse_now(data, name)
                assert document.engine == "mineru server"
                assert document.markdown == parse(data, local, name).markdown


@pytest.mark.slow
def test_the_real_server_refuses_and_goes_away_and_the_document_is_parsed_all_the_same(tmp_path: Path) -> None:
    page = b"<html><body><h1>SOP-2</h1><ol><li>Stop.</li><li>Lock QS1.</li></ol></body></html>"
    question = ServerRequest("a.pdf", b"%PDF-1.7 nothing more", "auto", lambda: None)
    with real_server(tmp_path, "--api-key", "secret") as url:
        with pytest.raises(ServerFault, match="MINERU_API_KEY"):
            MineruServer(url, "wrong").parse(question)
        with pytest.raises(ServerFault, match="PDFium"):  # a task that ends with 409
            MineruServer(url, "secret").parse(question)
        with pytest.raises(ServerFault, match="no result within"):
            MineruServer(url, "secret", timeout=0.0).parse(question)
        settings = load(options={"parsing": {"server": url, "workers": 1}}, environment={}).parsing
        with Parser(settings) as parser:
            without_key = parser.parse_now(page, "a.html")
    with Parser(settings) as parser:
        when_down = parser.parse_now(page, "a.html")
    for document, reason in ((without_key, "MINERU_API_KEY"), (when_down, "cannot be reached")):
        assert document.engine == "mineru" and reason in document.trail[0].reason
        assert "Lock QS1." in document.markdown
