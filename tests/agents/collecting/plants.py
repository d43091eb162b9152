"""A small web of pump procedures on loopback, an engine over it, and a collection that can be killed.

python tests/agents/collecting/plants.py PORT FOLDER LOG     collects, and prints the hashes of what it kept
"""

import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soprag.agents.archivist import Archivist
from soprag.agents.collecting.web_source import CollectionSummary, Means, WebSource
from soprag.configs.settings import load
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.search import FoundDocument
from soprag.tools.search.engine import Kind, ResultPage, SearchHit, SearchQuery
from soprag.tools.search.registry import ReadyEngines
from soprag.tools.web.budget import BudgetLimits
from tests.tools.web.site import LOOPBACK, Request, Site, html, redirect
from tests.words import WordEmbedder

TOPIC = "slurry pump"
JOBS = ("Start-up", "Shutdown", "Seal replacement", "Cleaning", "Inspection", "Lubrication", "Isolation", "Flushing")
LISTED, LINKED, HOSTS = 5, 3, ("north.test", "south.test")
PLENTY = BudgetLimits(credits=20, fetches=100, bytes=10_000_000, seconds=300, tokens=0)


def title(at: int) -> str:
    return f"{JOBS[at]} of slurry pump SL-{at}07"


def sheet(at: int, links: str = "") -> str:
    part = ("valve", "gland", "seal", "strainer", "casing", "bearing", "breaker", "hose")[at]
    steps = "".join(
        f"<li>{verb} the {part} of slurry pump SL-{at}07 {how}.</li>"
        for verb, how in (
            ("Close", "before you begin"), ("Check", f"for {at + 2} minutes"), ("Open", "slowly"),
            ("Vent", f"until {part} water comes"), ("Tighten", f"with {at * 7 + 20} Nm"), ("Record", "in the log"),
        )
    )  # fmt: skip
    return f"<h1>{title(at)}</h1><p>Standard operating procedure.</p><h2>Steps</h2><ol>{steps}</ol>{links}"


def news(town: str) -> str:
    return (
        f"<h1>News: slurry pump ordered for {town}</h1><p>The company announced that it was awarded a contract. "
        "Shares rose. The chairman said that he was pleased and that the works had been extended last year.</p>"
    )


def build(site: Site) -> None:
    """Five sheets that an engine lists, three behind a page of links, one mirror, one piece of news, and traps."""
    for at in range(LISTED + LINKED):
        site.put(f"/sop/{at}", html(sheet(at)), HOSTS[at % 2])
    links = "".join(
        f"<li><a href='{site.url(f'/sop/{at}', HOSTS[at % 2])}'>{title(at)}</a></li>"
        for at in range(LISTED, LISTED + LINKED)
    )
    traps = "<li><a href='/closed/1'>Emergency procedure slurry pump SL-999</a></li><li><a href='/go'>Alarm</a></li>"
    site.put("/library", html(f"<h1>Library of procedures: slurry pump</h1><ul>{links}{traps}</ul>"), "north.test")
    site.put("/mirror/0", html(f"<p>Mirror of the works.</p>{sheet(0)}"), "south.test")
    site.put("/news", html(news("Lindau")), "south.test")
    site.put("/go", redirect("http://10.0.0.1/"), "north.test")
    site.put("/robots.txt", robots)


def robots(request: Request) -> None:
    request.answer(b"User-agent: *\nDisallow: /closed/\n", "text/plain")


def hits(port: int) -> list[tuple[str, str, str]]:
    def at(host: str, path: str) -> str:
        return f"http://{host}:{port}{path}"

    listed = [
        (at(HOSTS[n % 2], f"/sop/{n}"), title(n), f"Steps: close the part {n} of slurry pump.") for n in range(LISTED)
    ]
    return [
        *listed,
        (at("south.test", "/mirror/0"), title(0), "A mirror with steps of slurry pump."),
        (at("north.test", "/library"), "Library of procedures: slurry pump", "All procedures of slurry pump."),
        (at("south.test", "/news"), "News: slurry pump ordered for Lindau", "Company announced an order, slurry pump."),
    ]  # fmt: skip


@dataclass
class Engine:
    """Gives everything for every query; one credit each. Calls are written down where they survive a kill."""

    found: list[tuple[str, str, str]]
    log: Path | None = None
    name: str = "test:engine"
    kinds: frozenset[Kind] = frozenset({"web"})
    calls: list[str] = field(default_factory=list)

    async def search(self, query: SearchQuery) -> ResultPage:
        self.calls.append(query.text)
        if self.log:
            with self.log.open("a") as log:
                log.write(query.text + "\n")
        await asyncio.sleep(0.01)
        found = [
            SearchHit(url=url, title=name, snippet=text, rank=rank, engine=self.name)
            for rank, (url, name, text) in enumerate(self.found, 1)
        ]
        return ResultPage(hits=tuple(found), credits=1)


def source(folder: Path, engine: Any, limits: BudgetLimits = PLENTY, **web: Any) -> WebSource:
    quick = {"delay": 0.0, "deadline": 5.0, "read_timeout": 2.0, "concurrency": 4, **web}
    settings = load(environment={}, options={"web": quick})
    means = Means(
        RulesLlm(), WordEmbedder(), Archivist(settings.parsing), ReadyEngines((engine,)), (LOOPBACK,), Site().resolve
    )
    return WebSource(folder, means, settings.web, settings.collect, limits)


def collect(origin: WebSource, topic: str = TOPIC) -> tuple[list[FoundDocument], CollectionSummary]:
    return asyncio.run(origin.gather(topic, lambda event: None))


def main() -> None:
    port, folder, log = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    found, summary = collect(source(folder, Engine(hits(port), log), delay=0.05))
    sys.stdout.write(json.dumps([sorted(one.provenance.sha256 or "" for one in found), summary.spent["credits"]]))


if __name__ == "__main__":
    main()
