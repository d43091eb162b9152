"""How good, how polite and how thrifty a collection on the mini web was."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise

from pydantic import Field

from soprag.benchmarks.miniweb.server import Seen
from soprag.benchmarks.miniweb.truth import Planted, Truth
from soprag.benchmarks.miniweb.web import MiniWeb
from soprag.tools.sop import Frozen


class Limits(Frozen):
    """What a collection may use."""

    credits: int
    fetches: int
    seconds: float


class Figures(Frozen):
    """One collection, measured against the truth and against what the servers saw."""

    seed: int
    topic: str
    true: int = Field(description="on-topic procedures that can be come by")
    kept: int
    precision: float
    recall: float
    link_recall: float = Field(description="of those that no engine lists")
    formats: dict[str, float] = Field(description="recall by format")
    duplicates: int = Field(description="kept though the same document was kept already")
    requests: int = Field(description="to web sites, redirects and retries included, robots.txt not")
    per_document: float = Field(description="requests per true document that was kept")
    robots_files: int = Field(description="requests for robots.txt")
    credits: int
    refetched: int = Field(description="addresses whose page was delivered whole more than once")
    violations: int = Field(description="requests that robots.txt forbids")
    outside: int = Field(description="connections tried or made outside of the allowed network")
    over: tuple[str, ...] = Field(description="budgets that were exceeded")
    leaks: tuple[str, ...] = Field(default=(), description="files of the run, its log among them, that hold the key")
    parallel: int = Field(description="most requests under way at once to one host")
    gap: float = Field(description="least seconds between the beginnings of two requests to one host")
    seconds: float
    cpu: float = Field(default=0.0, description="seconds of processor time, of its helper processes too")
    megabytes: float = Field(default=0.0, description="peak memory of the collecting process")
    wrong: tuple[str, ...] = Field(default=(), description="what was kept and should not have been")
    missed: tuple[str, ...] = Field(default=(), description="what was not found, by way")

    def failures(self) -> list[str]:
        """What falls short of what the issue asks for."""
        targets = {
            "precision": self.precision >= 0.95,
            "recall": self.recall >= 0.95,
            "recall by links": self.link_recall >= 0.85,
            "requests per document": self.per_document <= 1.5,
            "duplicates": not self.duplicates,
            "robots.txt": not self.violations,
            "outside connections": not self.outside,
            "budgets": not self.over,
            "fetched twice": not self.refetched,
            "key in files": not self.leaks,
            "seconds": self.seconds <= 60,
        }
        return [name for name, good in targets.items() if not good]


class Work(Frozen):
    """What a collection gave: (sha256, address) of each kept document, and what it took."""

    kept: tuple[tuple[str, str], ...]
    seconds: float
    outside: tuple[str, ...] = Field(default=(), description="addresses it tried to connect to, outside of the allowed")
    leaks: tuple[str, ...] = Field(default=(), description="files it left that hold the key of the search service")
    cpu: float = 0.0
    megabytes: float = 0.0


def score(web: MiniWeb, topic: str, work: Work, limits: Limits) -> Figures:
    """Measure one collection; the logs of the servers must hold nothing but it."""
    truth, by_hash = web.truth.on(topic), web.truth.hashes()
    good, wrong_urls, duplicates = _sorted_out(work.kept, by_hash, {document.id for document in truth})
    pages = [request for request in web.site.log.seen if request.target != "/robots.txt"]
    return Figures(
        seed=web.truth.seed,
        topic=topic,
        true=len(truth),
        kept=len(work.kept),
        precision=round(len(good) / max(1, len(work.kept)), 3),
        recall=_share(truth, good),
        link_recall=_share([document for document in truth if document.reach == "links"], good),
        formats={
            form: _share([document for document in truth if document.format == form], good) for form in _formats(truth)
        },
        duplicates=duplicates,
        requests=len(pages),
        per_document=round(len(pages) / max(1, len(good)), 2),
        robots_files=len(web.site.log.seen) - len(pages),
        credits=web.endpoint.spent,
        refetched=_refetched(pages),
        violations=_violations(web.truth, pages),
        outside=len(work.outside) + web.canary.log.counts.total(),
        over=_over(web, work, limits),
        leaks=work.leaks,
        parallel=_parallel(pages),
        gap=_gap(pages),
        seconds=round(work.seconds, 1),
        cpu=round(work.cpu, 1),
        megabytes=round(work.megabytes, 1),
        wrong=tuple(wrong_urls),
        missed=tuple(
            f"{document.way} {document.format}: {document.title}" for document in truth if document.id not in good
        ),
    )


def _sorted_out(
    collected: Iterable[tuple[str, str]], by_hash: dict[str, Planted], true: set[str]
) -> tuple[set[str], list[str], int]:
    """The true documents among what was kept, the rest, and how often a document came again."""
    good: set[str] = set()
    wrong_urls, duplicates = [], 0
    for sha256, url in collected:
        document = by_hash.get(sha256)
        if document is None or document.id not in true:
            wrong_urls.append(url)
        elif document.id in good:
            duplicates += 1
        else:
            good.add(document.id)
    return good, wrong_urls, duplicates


def _share(documents: Iterable[Planted], good: set[str]) -> float:
    hits = [document.id in good for document in documents]
    return round(sum(hits) / len(hits), 3) if hits else 1.0


def _formats(truth: Iterable[Planted]) -> list[str]:
    return sorted({document.format for document in truth})


def _refetched(pages: list[Seen]) -> int:
    whole = Counter((request.host, request.target) for request in pages if request.status == 200 and not request.cut)
    return sum(count > 1 for count in whole.values())


def _violations(truth: Truth, pages: list[Seen]) -> int:
    return sum(any(rule.covers(request.host, request.target) for rule in truth.closed) for request in pages)


def _over(web: MiniWeb, work: Work, limits: Limits) -> tuple[str, ...]:
    used = {
        "credits": web.endpoint.spent > limits.credits,
        "fetches": len(web.site.log.seen) > limits.fetches,
        "seconds": work.seconds > limits.seconds + 2,  # starting the process is not collecting
    }
    return tuple(name for name, over in used.items() if over)


def _by_host(pages: list[Seen]) -> Iterable[list[Seen]]:
    hosts: dict[str, list[Seen]] = defaultdict(list)
    for request in sorted(pages, key=lambda request: request.began):
        hosts[request.host].append(request)
    return hosts.values()


def _gap(pages: list[Seen]) -> float:
    gaps = [after.began - before.began for host in _by_host(pages) for before, after in pairwise(host)]
    return round(min(gaps), 3) if gaps else 0.0


def _parallel(pages: list[Seen]) -> int:
    most = 0
    for host in _by_host(pages):
        most = max(most, *(sum(request.began <= moment.began < request.ended for request in host) for moment in host))
    return most
