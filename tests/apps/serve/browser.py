"""The web client in headless Chromium: a conversation of six moments, for the test and for the pictures of the docs.

`python -m tests.apps.serve.browser docs/images` draws the pictures: web-1-answer.png to web-6-draft.png, and two on a
dark phone, web-phone-1-answer.png and web-phone-4-decision.png.
"""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Page, ViewportSize, async_playwright, expect

from tests.graphs.plant import fill
from tests.servers import running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MOMENTS = ("1-answer", "2-warning", "3-out-of-range", "4-decision", "5-approval", "6-draft")
DESK, PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)
_WAIT = 60_000  # milliseconds for a turn on a busy machine


@contextmanager
def served(folder: Path, *options: str) -> Iterator[str]:
    """The address of a `soprag serve` over the small plant; no key, no model."""
    settings = fill(folder)
    variables = {"SOPRAG_CHAT__FOLDER": str(folder / "sessions"), "SOPRAG_RUN__CACHE": settings.run.cache}
    command = ["soprag", "serve", "--index", settings.index.folder, *options]
    with running(command, variables, folder, folder / "server.log") as address:
        yield address


@asynccontextmanager
async def opened(address: str, size: ViewportSize = DESK, *, dark: bool = False) -> AsyncIterator[Page]:
    """A page of the client in a browser of its own; an error of its script fails the test."""
    async with async_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        page = await browser.new_page(viewport=size, color_scheme="dark" if dark else "light")
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto(address)
        yield page
        await browser.close()
        assert not errors, errors


@dataclass
class Visitor:
    """A person at the client; `pictures` maps the moments that are drawn to their files."""

    page: Page
    pictures: Mapping[str, Path] = field(default_factory=dict)

    async def say(self, text: str) -> None:
        await self.page.fill("#text", text)
        await self.page.click("#say button")

    async def reply(self, text: str) -> None:
        await self.page.fill("#card [name=reply]", text)
        await self.page.click("#card button.yes")

    async def card(self, words: str) -> None:
        await expect(self.page.locator("#card")).to_contain_text(words, timeout=_WAIT)

    async def sees(self, words: str) -> None:
        await expect(self.page.locator("#messages")).to_contain_text(words, timeout=_WAIT)

    async def picture(self, name: str) -> None:
        if name in self.pictures:
            await self.page.screenshot(path=self.pictures[name])


async def visit(visitor: Visitor) -> None:
    """A question, a guided run with a reading out of range and in range, a decision, and an e-mail after an edit."""
    page = visitor.page
    await visitor.say("coolant pump P-101 tripped on low suction pressure")
    await visitor.sees("Close the discharge valve V-12.")
    await visitor.picture("1-answer")
    await visitor.say("guide me through it")
    await visitor.card("The coupling starts without notice.")
    await expect(page.locator("#flow svg .here")).to_contain_text("Close the discharge valve")
    await visitor.picture("2-warning")
    await page.click("#card button.yes")
    await visitor.card("Close the discharge valve V-12.")
    await page.click("#card button.yes")
    await visitor.card("Read the suction pressure.")
    await visitor.reply("9 bar")
    await visitor.card("is outside")
    await visitor.picture("3-out-of-range")
    await visitor.reply("2 bar")
    await visitor.card("Is the strainer dirty?")
    await visitor.picture("4-decision")
    await page.get_by_role("button", name="2 · no").click()
    await visitor.card("Press START")
    await visitor.say("done")
    await visitor.card("Send an e-mail")
    await visitor.reply("use email")
    await visitor.card("Nothing is done unless you approve")
    await page.fill("#card [name=subject]", "P-101 runs again")
    await visitor.picture("5-approval")
    await page.click("#card button.yes")
    await visitor.sees(".eml")
    await visitor.picture("6-draft")


async def draw(address: str, folder: Path) -> None:
    async with opened(address) as page:
        await visit(Visitor(page, {name: folder / f"web-{name}.png" for name in MOMENTS}))
    async with opened(address, PHONE, dark=True) as page:
        await visit(Visitor(page, {name: folder / f"web-phone-{name}.png" for name in ("1-answer", "4-decision")}))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as url:
        asyncio.run(draw(url, Path(sys.argv[1])))
