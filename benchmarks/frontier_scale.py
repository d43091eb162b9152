"""Processor time and memory of the crawl frontier, by the number of waiting links, on a simulated web.

    uv run python -m soprag.benchmarks.frontier_scale --waiting 1000 10000 100000

For each size the frontier is filled with that many links and then 300 pages are taken and settled, each a procedure or
a list with 20 links. Embedding is replaced by a hash, so the figures are those of the frontier alone.
"""

import argparse
import random
import resource
import sys
import time
from dataclasses import dataclass, field

import numpy as np

from soprag.agents.collecting.candidate_urls import Discovery
from soprag.agents.collecting.frontier import Frontier
from soprag.agents.collecting.page_filter import PageJudgement
from soprag.agents.collecting.topic_similarity import Topic
from soprag.configs.settings import load
from soprag.tools.embedding import Vectors

PAGES, LINKS, TARGET = 300, 20, 20.0  # pages settled, links of a list, milliseconds
_WORDS = [f"{stem}{number}" for stem in ("pump", "valve", "seal", "motor", "filter") for number in range(400)]


@dataclass(frozen=True)
class HashEmbedder:
    """A unit vector per text, from its hash."""

    name: str = "hash"

    def embed(self, texts: list[str]) -> Vectors:
        """One row for each text."""
        rows = np.array([np.random.default_rng(sum(text.encode())).normal(size=32) for text in texts], np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


@dataclass
class SimulatedWeb:
    """Links and pages of 200 hosts with 50 folders each, from a seed."""

    dice: random.Random
    count: int = field(default=0)

    def links(self, number: int, parent: str = "") -> list[tuple[str, Discovery]]:
        """New links, as a search or a list gives them."""
        return [self._link(parent) for _ in range(number)]

    def _link(self, parent: str) -> tuple[str, Discovery]:
        self.count += 1
        title = f"{self.dice.choice(_WORDS)} {self.dice.choice(_WORDS)} replacement procedure"
        host, folder = self.dice.randrange(200), self.dice.choice("abcdefghijklmnopqrstuvwxyz") + self.dice.choice("xy")
        found_by = {"parent": parent, "about": 0.4} if parent else {"query": f"q{self.count % 50}", "engine": "e"}
        url = f"http://host{host}.test/{folder}/{title.replace(' ', '-')}-{self.count}x"
        return url, Discovery(title, "", **found_by)

    def page(self, key: str) -> PageJudgement:
        """A procedure (two of three) or a list."""
        if self.dice.random() < 1 / 3:
            return PageJudgement(kind="other", reason="")
        text = " ".join(self.dice.choices(_WORDS, k=200))
        meaning = tuple(map(float, HashEmbedder().embed([text])[0]))
        close = self.dice.gauss(0.25, 0.15)
        return PageJudgement(kind="document", reason="", title=key[-40:], text=text, sha256=key, meaning=meaning,
                             close=close)  # fmt: skip


def measure(waiting: int) -> tuple[float, float]:
    """Milliseconds of processor per settled page, and peak megabytes of the process so far."""
    web = SimulatedWeb(random.Random(waiting))
    settings = load("offline", options={"collect": {"limit": 1_000_000}}, environment={}).collect
    frontier = Frontier(Topic("pump seal replacement", HashEmbedder()), settings)
    for _ in range(waiting // 1000):
        frontier.see(web.links(1000), depth=0)
    began = time.process_time()
    for _ in range(PAGES):
        lead = frontier.best(0.0)
        assert lead is not None
        reading = web.page(lead.key)
        frontier.settle(lead, reading, web.links(LINKS, lead.key) if reading.kind == "other" else [])
    spent = (time.process_time() - began) / PAGES * 1000
    return spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print a table; exit code 1 when a page takes more than the target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--waiting", nargs="+", type=int, default=[1000, 10_000, 100_000])
    slow = False
    sys.stdout.write(f"{'waiting links':>14} {'ms per page':>12} {'peak MB':>8}\n")
    for waiting in parser.parse_args().waiting:
        spent, memory = measure(waiting)
        slow = slow or spent > TARGET
        sys.stdout.write(f"{waiting:14,} {spent:12.1f} {memory:8.0f}\n")
        sys.stdout.flush()
    sys.exit(slow)


if __name__ == "__main__":
    main()
