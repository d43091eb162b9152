"""One collection on a mini web, in a process of its own: it can be measured, and killed.

    python -m soprag.benchmarks.collecting job.json

A job says what is collected and where; the key comes by SERPAPI_API_KEY. What came of it is printed as JSON.
"""

import asyncio
import resource
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from soprag.agents.archivist import Archivist
from soprag.agents.collecting.web_source import Means, WebSource
from soprag.benchmarks.miniweb.names import Answers, Names
from soprag.benchmarks.miniweb.score import Limits, Work
from soprag.configs.settings import Settings, load
from soprag.tools.embedding import open_embedder
from soprag.tools.errors import NothingFound
from soprag.tools.llm import open_llm
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.search.registry import open_engines
from soprag.tools.sop import Frozen
from soprag.tools.web import budget

HOME = "127.0.0.1"


class Job(Frozen):
    """One collection: the topic, the folder of the run, where the search service is, and the name server's answers."""

    topic: str
    folder: str
    base_url: str
    limits: Limits
    names: dict[str, Answers] = Field(default_factory=dict)
    allow: tuple[str, ...] = Field(default=(f"{HOME}/32",), description="networks that may be dialled")
    cache: str = Field(default="", description="folder of parsed files and embeddings; empty: one of the run's own")
    options: dict[str, dict[str, object]] = Field(default_factory=dict)


def settings(job: Job) -> Settings:
    """The default settings, but for what would take long on a web that is one machine."""
    options: dict[str, Mapping[str, object]] = {
        "search": {"engine": "serpapi", "base_url": job.base_url, "timeout": 10.0},
        "web": {"delay": 0.2, "deadline": 8.0, "read_timeout": 4.0, "max_wire": 5_000_000, "max_body": 5_000_000},
    }
    merged = {name: {**options.get(name, {}), **job.options.get(name, {})} for name in {*options, *job.options}}
    return load("offline", options=merged, environment={})


async def collect(job: Job, outside: list[str]) -> Work:
    """Collect as the product does."""
    chosen, folder = settings(job), Path(job.folder)
    cache = Path(job.cache) if job.cache else folder / "cache"
    means = Means(
        open_llm(chosen.llm, chosen.prices, cache, RulesLlm),
        open_embedder(chosen.embedding, cache),
        Archivist(chosen.parsing, cache),
        open_engines(chosen.search, cache),
        allow=job.allow,
        resolver=Names(job.names).resolve,
    )
    limits = budget.BudgetLimits(**job.limits.model_dump(), bytes=500_000_000, tokens=0)
    source = WebSource(folder / "collected", means, chosen.web, chosen.collect, limits)
    began = time.monotonic()
    try:
        documents, summary = await source.gather(job.topic, lambda note: None)
        sys.stderr.write(summary.model_dump_json(indent=1) + "\n")
    except NothingFound as nothing:
        documents = []
        sys.stderr.write(f"{nothing}\n")
    seconds = time.monotonic() - began
    collected = tuple((document.provenance.sha256 or "", document.provenance.location) for document in documents)
    return Work(kept=collected, seconds=seconds, outside=tuple(outside), cpu=_processor(), megabytes=_peak())


def main() -> None:
    """Do the job named on the command line."""
    outside: list[str] = []

    def listen(event: str, details: tuple[Any, ...]) -> None:
        if event == "socket.connect" and isinstance(details[1], tuple) and details[1][0] != HOME:
            outside.append(str(details[1][0]))

    sys.addaudithook(listen)
    job = Job.model_validate_json(Path(sys.argv[1]).read_bytes())
    sys.stdout.write(asyncio.run(collect(job, outside)).model_dump_json() + "\n")


def _processor() -> float:
    """Seconds of processor time of this process and of those it has started and ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _peak() -> float:
    """Megabytes of memory at most, of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
