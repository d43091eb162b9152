"""A whole mini web: built from a seed, served on the loopback interface, with a search engine over it.

with MiniWeb.open(seed=1) as web:
    web.endpoint.url  # what the settings call search.base_url; the key is web.endpoint.key
    web.resolve       # an injected name server: host name → addresses
    web.truth, web.site.log, web.canary.log, web.endpoint.calls
"""

import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass

from soprag.benchmarks.miniweb.endpoint import Endpoint
from soprag.benchmarks.miniweb.ground import Ground
from soprag.benchmarks.miniweb.index import Index
from soprag.benchmarks.miniweb.library import Library
from soprag.benchmarks.miniweb.names import Names
from soprag.benchmarks.miniweb.reference import Reference
from soprag.benchmarks.miniweb.reply import Reply, Request
from soprag.benchmarks.miniweb.server import Site
from soprag.benchmarks.miniweb.texts import topics
from soprag.benchmarks.miniweb.traps import CANARY, Traps
from soprag.benchmarks.miniweb.truth import Truth

SIZE = 60  # procedures per topic


@dataclass(frozen=True)
class MiniWeb:
    """One mini web while it is being served."""

    site: Site
    canary: Site
    endpoint: Endpoint
    truth: Truth
    names: Names

    @classmethod
    @contextlib.contextmanager
    def open(cls, seed: int, size: int = SIZE, count: int = 2, traps: bool = True) -> Iterator["MiniWeb"]:
        """Serve the web of this seed: `count` topics with `size` procedures each."""
        ground = Ground()
        with contextlib.ExitStack() as open_ones:
            site = open_ones.enter_context(Site(ground.answer))
            ground.port = site.port
            names = build(ground, seed, size, count, traps)
            canary = open_ones.enter_context(Site(_caught, CANARY, site.port))
            endpoint = open_ones.enter_context(Endpoint(Index(ground.entries)))
            yield cls(site, canary, endpoint, ground.truth(seed, names), Names(ground.names))

    async def resolve(self, host: str, port: int = 0) -> list[str]:
        """The addresses of a host name; unknown names raise `OSError`."""
        return await self.names.resolve(host, port)

    def restart(self) -> None:
        """Forget who asked for what; the pages stay."""
        self.site.log.clear()
        self.canary.log.clear()
        self.endpoint.calls.clear()
        self.names.asked.clear()


def build(ground: Ground, seed: int, size: int, count: int, traps: bool) -> dict[str, str]:
    """Build on the ground and give the topics; same seed and port, same web."""
    chance = random.Random(seed)
    chosen = chance.sample(topics(), count)
    for topic in chosen:
        Library(ground, topic, random.Random(chance.random()), size).build()
        Reference(ground, topic, random.Random(chance.random())).build()
        if traps:
            Traps(ground, topic, random.Random(chance.random())).build()
    chance.shuffle(ground.entries)
    return {topic.name: topic.phrase for topic in chosen}


def _caught(request: Request) -> Reply:
    return Reply(b"You should not be here.", "text/plain")
