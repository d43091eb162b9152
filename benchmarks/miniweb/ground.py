"""The ground a mini web is built on: addresses, what stands there, what an engine lists, what is known."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from soprag.benchmarks.miniweb.files import MIMES
from soprag.benchmarks.miniweb.reply import Page, Reply, Request
from soprag.benchmarks.miniweb.server import NOWHERE
from soprag.benchmarks.miniweb.truth import Closed, Format, Planted, Reach, Trap, Truth


@dataclass(frozen=True)
class Entry:
    """What a search engine knows of one address."""

    url: str
    title: str
    text: str
    form: Format = "html"
    kind: str = "web"


@dataclass
class Ground:
    """A web being built; an address is a host and a target, such as ("a.test", "/x?id=1")."""

    port: int = 0  # known once the server listens
    pages: dict[tuple[str, str], Page] = field(default_factory=dict)
    folders: list[tuple[str, str, Page]] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    planted: list[Planted] = field(default_factory=list)
    traps: list[Trap] = field(default_factory=list)
    closed: list[Closed] = field(default_factory=list)
    names: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    def url(self, host: str, target: str) -> str:
        """The address as a client writes it."""
        return f"http://{host}:{self.port}{target}"

    def host(self, name: str, *answers: tuple[str, ...]) -> str:
        """Make the name known; several answers are given in turn, as a rebinding name server does."""
        self.names[name] = answers or (("127.0.0.1",),)
        return name

    def put(self, host: str, target: str, page: Page) -> str:
        """Place a page; gives its address."""
        if host not in self.names:
            self.host(host)
        self.pages[host, target] = page
        return self.url(host, target)

    def folder(self, host: str, prefix: str, page: Page) -> None:
        """Place something that answers for every address below the prefix."""
        if host not in self.names:
            self.host(host)
        self.folders.append((host, prefix, page))

    def file(self, host: str, target: str, data: bytes, form: Format, headers: Mapping[str, str] | None = None) -> str:
        """Place the bytes of a document."""
        return self.put(host, target, Reply(data, MIMES[form], headers=headers or {}))

    def forbid(self, host: str, *prefixes: str) -> None:
        """Write a robots.txt."""
        rules = "\n".join(f"Disallow: {prefix}" for prefix in prefixes)
        self.put(host, "/robots.txt", Reply(f"User-agent: *\n{rules}\n".encode(), "text/plain"))
        self.closed += [Closed(host=host, prefix=prefix) for prefix in prefixes]

    def plant(self, document: Planted) -> None:
        """Remember a document."""
        self.planted.append(document)

    def answer(self, request: Request) -> Reply:
        """What a request gets."""
        query = "&".join(part for part in request.query.split("&") if part and not part.startswith("utm_"))
        target = f"{request.path}?{query}" if query else request.path
        page = self.pages.get((request.host, target)) or self._below(request)
        return page(request) if callable(page) else page

    def truth(self, seed: int, topics: dict[str, str]) -> Truth:
        """All that is known, once nothing is added any more."""
        return Truth(
            seed=seed,
            topics=topics,
            planted=tuple(self.planted),
            traps=tuple(self.traps),
            closed=tuple(self.closed),
        )

    def _below(self, request: Request) -> Page:
        for host, prefix, page in self.folders:
            if request.host == host and request.path.startswith(prefix):
                return page
        return NOWHERE


@dataclass(frozen=True)
class Placed:
    """A document that stands somewhere, not yet remembered."""

    url: str
    data: bytes

    @property
    def sha256(self) -> str:
        """The hash of its bytes."""
        return hashlib.sha256(self.data).hexdigest()


def planted(number: str, topic: str, title: str, form: Format, placed: tuple[Placed, ...], approach: str) -> Planted:
    """The record of a document; `way` tells how it is come by."""
    reach: Reach = "search" if approach == "search" else "never" if approach == "never" else "links"
    return Planted(
        id=number, topic=topic, title=title, format=form, reach=reach, way=approach,
        urls=tuple(copy.url for copy in placed), hashes=tuple(copy.sha256 for copy in placed),
    )  # fmt: skip
