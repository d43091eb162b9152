"""A guided run in LangChain's agent-chat-ui, unchanged, in a headless browser: everything is answered by messages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.apps.serve.agent_chat_ui import client_of
from tests.apps.serve.browser import CHROMIUM, opened, served

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium; apt-get install chromium"),
    pytest.mark.slow,
    pytest.mark.timeout(1200),
]
_WAIT = 60_000  # milliseconds for a turn on a busy machine
TALK = (
    ("coolant pump P-101 tripped on low suction pressure", "Close the discharge valve V-12."),
    ("guide me through it", "Before step 1 of 6"),
    ("ack", "Step 1 of 6"),
    ("done", "Step 2 of 6"),
    ("9 bar", "is outside"),
    ("2 bar", "Step 3 of 6"),
    ("no", "Step 5 of 6"),
    ("done", "Step 6 of 6"),
    ("use email", "Nothing is done unless you approve"),
    ("yes, send it", "Nothing is done unless you approve"),
)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path) as server, client_of(server) as client:
        yield client


async def test_a_run_is_followed_by_messages_and_a_message_sends_no_e_mail(address: str, tmp_path: Path) -> None:
    async with opened(address) as page:
        for words, seen in TALK:
            await page.get_by_role("button", name="Send", exact=True).wait_for(timeout=_WAIT)
            await page.fill("textarea", words)
            await page.press("textarea", "Enter")
            await expect(page.locator("body")).to_contain_text(seen, timeout=_WAIT)
    assert not list((tmp_path / "sessions").rglob("*.eml"))
