"""The web client of `soprag serve` in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from soprag.apps.serve.server import ServerAddress
from soprag.tools.errors import UsageError
from tests.apps.serve.browser import CHROMIUM, PHONE, Visitor, opened, served, visit

in_browser = pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium; apt-get install chromium")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path) as url:
        yield url


@in_browser
@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_procedure_is_found_and_followed_in_a_browser(address: str, tmp_path: Path) -> None:
    async with opened(address) as page:
        await visit(Visitor(page))
        [draft] = (tmp_path / "sessions").rglob("*.eml")
        assert "Subject: P-101 runs again" in draft.read_text()
        await page.set_viewport_size(PHONE)
        assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        link = page.locator("#messages a", has_text="line 7").first
        assert (await link.get_attribute("href")) == f"{address}/procedures/pump#L7"
        await page.goto(f"{address}/procedures/pump#L7")
        assert await page.locator("li:target").inner_text() == "1. Close the discharge valve V-12."


@pytest.mark.slow
@pytest.mark.timeout(200)
def test_a_server_with_a_token_shows_nothing_without_it(tmp_path: Path) -> None:
    with served(tmp_path, "--token", "s3cret") as address:
        for path in ("/procedures/pump", "/assistants/schemas", "/threads/x/state"):
            with pytest.raises(HTTPError, match="401"):
                urlopen(f"{address}{path}")
        with urlopen(Request(f"{address}/procedures/pump", headers={"x-api-key": "s3cret"})) as page:
            assert b"V-12" in page.read()


@pytest.mark.slow
def test_pages_of_other_hosts_may_not_use_a_server_without_a_token(address: str) -> None:
    for origin, allowed in (("http://localhost:3000", True), ("https://elsewhere.example", False)):
        headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        try:
            answer = urlopen(Request(f"{address}/threads", headers=headers, method="OPTIONS"))
            shown = answer.headers.get("Access-Control-Allow-Origin")
        except HTTPError as refused:
            shown = refused.headers.get("Access-Control-Allow-Origin")
        assert (shown == origin) is allowed


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "::", "plant.example"])
def test_others_reach_a_server_only_with_a_token(host: str) -> None:
    with pytest.raises(UsageError, match="--token"):
        ServerAddress(host, 2024).check()
    ServerAddress(host, 2024, token="s3cret").check()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_this_machine_needs_no_token(host: str) -> None:
    ServerAddress(host, 2024).check()
