"""Pages that do harm or waste time; each with the outcomes that are right for it."""

import gzip
import random
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import count
from urllib.parse import parse_qs

from soprag.benchmarks.miniweb.files import Chrome, Link, article, chrome, document, listing
from soprag.benchmarks.miniweb.ground import Entry, Ground, Placed, planted
from soprag.benchmarks.miniweb.reply import Page, Reply, Request, moved
from soprag.benchmarks.miniweb.texts import Topic, jobs
from soprag.benchmarks.miniweb.truth import Closed, Format, Trap
from soprag.benchmarks.miniweb.writing import Writer

CANARY = "127.0.0.2"  # a second server listens there; nobody may ever knock
MEGABYTE = 1_000_000
_LOOP = ("redirect_loop",)
_GUARD = ("blocked", "bad_url")


@dataclass(frozen=True)
class Traps:
    """The bad part of a mini web, for one topic; `listed` ones stand in the engine's index, others on a hub page."""

    ground: Ground
    topic: Topic
    chance: random.Random

    def build(self) -> None:
        """Place every trap, and a hub page that leads to those the engine does not list."""
        look = chrome(self.chance, "Archive of instructions")
        host = self.ground.host(f"archive.{self.topic.name}-old.test")
        titles = self._titles()
        links: list[Link] = []
        for name, page, outcomes in self._pages(host, look):
            url = self.ground.put(host, f"/archive/{name}", page)
            self.ground.traps.append(Trap(name=name, url=url, outcomes=outcomes))
            links.append((url, next(titles)))
        listed = set(self.chance.sample(range(len(links)), 4))
        for index in listed:
            url, title = links[index]
            self.ground.entries.append(Entry(url, title, f"{title}. Procedure for the {self.topic.place}.", "pdf"))
        links = [link for index, link in enumerate(links) if index not in listed]
        links += [*self._closed(look), *self._unreachable(look), *self._mazes(host, look)]
        self.chance.shuffle(links)
        front = look.page("Old archive", f"<h1>Old archive of instructions</h1>{listing(tuple(links))}")
        url = self.ground.put(host, "/archive/", Reply(front))
        self.ground.entries.append(
            Entry(url, f"Old archive: {self.topic.phrase}", f"Old archive of instructions, {self.topic.phrase}.")
        )

    def _titles(self) -> Iterator[str]:
        """Titles as good as those of real procedures."""
        writer = Writer(self.chance, self.topic)
        for number in count():
            kind = self.topic.equipment[number % len(self.topic.equipment)]
            job = self.chance.choice(jobs())
            yield f"{job.titles[0].format(**writer.unit(kind).words(self.topic))} (scan)"

    def _pages(self, host: str, look: Chrome) -> Iterator[tuple[str, Page, tuple[str, ...]]]:
        yield from self._redirects(host)
        yield from self._private(host)
        yield from _heavy()
        yield from _slow()
        yield from _false(look)
        yield from _failing()

    def _redirects(self, host: str) -> Iterator[tuple[str, Page, tuple[str, ...]]]:
        yield "loop-a.pdf", moved("/archive/loop-b.pdf"), _LOOP
        yield "loop-b.pdf", moved("/archive/loop-a.pdf", 301), _LOOP
        yield "self.pdf", moved("/archive/self.pdf", 307), _LOOP
        self.ground.folder(host, "/archive/chain", _chain)
        yield "chain-0.pdf", _chain, _LOOP
        yield "cookie-wall", _cookie_wall, _LOOP
        yield "nowhere.pdf", Reply(status=302), ("http", "bad_url", "redirect_loop")

    def _private(self, host: str) -> Iterator[tuple[str, Page, tuple[str, ...]]]:
        port = self.ground.port
        self.ground.host(f"inside.{self.topic.name}.test", (CANARY,))
        self.ground.host(f"ten.{self.topic.name}.test", ("10.0.0.7",))
        self.ground.host(f"mixed.{self.topic.name}.test", ("127.0.0.1", "10.0.0.7"))
        # Well at first sight, when its robots.txt is asked for; then its name means another machine.
        rebinding = self.ground.host(f"rebinding.{self.topic.name}.test", ("127.0.0.1",), (CANARY,))
        self.ground.put(rebinding, "/robots.txt", Reply(status=404, headers={"Connection": "close"}))
        targets = {
            "private": f"http://10.0.0.1:{port}/secret",
            "metadata": "http://169.254.169.254/latest/meta-data/",
            "other-loopback": f"http://{CANARY}:{port}/admin",
            "short-loopback": f"http://127.2:{port}/admin",
            "decimal": f"http://2130706434:{port}/admin",
            "six": f"http://[::1]:{port}/admin",
            "file": "file:///etc/passwd",
            "userinfo": f"http://docs.test@{CANARY}:{port}/",
            "named-inside": f"http://inside.{self.topic.name}.test:{port}/admin",
            "named-ten": f"http://ten.{self.topic.name}.test:{port}/admin",
            "mixed": f"http://mixed.{self.topic.name}.test:{port}/admin",
            "rebinding": f"http://rebinding.{self.topic.name}.test:{port}/admin",
        }
        for name, target in targets.items():
            yield f"to-{name}.pdf", moved(target), _GUARD

    def _closed(self, look: Chrome) -> Iterator[Link]:
        """Good procedures behind a robots.txt that says no, or that cannot be had."""
        writer = Writer(self.chance, self.topic)
        hosts = {
            "robots": f"closed.{self.topic.name}.test",
            "robots_unreachable": f"down.{self.topic.name}.test",
        }
        self.ground.forbid(hosts["robots"], "/internal/", "/*.pdf$")
        self.ground.put(hosts["robots_unreachable"], "/robots.txt", Reply(b"oops", "text/plain", 503))
        self.ground.closed.append(Closed(host=hosts["robots_unreachable"], prefix="/"))
        for outcome, host in hosts.items():
            for index, target in enumerate(("/internal/procedure.html", "/procedure.pdf")):
                unit = writer.unit(self.chance.choice(self.topic.equipment))
                text = writer.procedure(self.chance.choice(jobs()), unit, writer.name())
                form: Format = "html" if target.endswith("html") else "pdf"
                data = look.page(text.title, article(text)) if form == "html" else document(text, "pdf")
                url = self.ground.file(host, target, data, form)
                number = f"{self.topic.name}-{outcome}-{index}"
                self.ground.plant(planted(number, self.topic.name, text.title, form, (Placed(url, data),), "never"))
                self.ground.traps.append(Trap(name=f"{outcome}-{index}", url=url, outcomes=(outcome,)))
                self.ground.entries.append(Entry(url, text.title, text.body[:1500], form))
                yield url, text.title

    def _unreachable(self, look: Chrome) -> Iterator[Link]:
        """Links straight to where nobody may go."""
        for name in ("inside", "ten", "rebinding"):
            url = self.ground.url(f"{name}.{self.topic.name}.test", "/procedure.pdf")
            self.ground.traps.append(Trap(name=f"direct-{name}", url=url, outcomes=_GUARD))
            yield url, f"Procedure {name}"
        url = self.ground.url(f"gone.{self.topic.name}.test", "/procedure.pdf")  # a name nobody knows
        self.ground.traps.append(Trap(name="no-such-name", url=url, outcomes=("network", "robots_unreachable")))
        yield url, f"{self.topic.phrase}: procedure"

    def _mazes(self, host: str, look: Chrome) -> Iterator[Link]:
        """A calendar without end, and pages that invent a new session with every look at them."""
        self.ground.folder(host, "/calendar", lambda request: _calendar(request, look))
        self.ground.folder(host, "/session", lambda request: _session(request, look, self.topic))
        self.ground.folder(host, "/deeper/", lambda request: _deeper(request, look))
        yield "/calendar?month=0", "Calendar of inspections"
        yield "/session/start", f"All procedures: {self.topic.phrase}"
        yield "/deeper/procedures", "More procedures"


def _chain(request: Request) -> Reply:
    step = int(request.path.rsplit("-", 1)[1].removesuffix(".pdf"))
    return moved(f"/archive/chain-{step + 1}.pdf")


def _cookie_wall(request: Request) -> Reply:
    if "consent=yes" in request.headers.get("cookie", ""):
        return Reply(b"<html><title>Start page</title><h1>Welcome back</h1><p>Your consent was saved.</p></html>")
    return Reply(status=302, headers={"Location": request.path, "Set-Cookie": "consent=yes; Path=/"})


def _heavy() -> Iterator[tuple[str, Page, tuple[str, ...]]]:
    large = ("too_large",)
    yield "endless.pdf", Reply(stream=_zeros, mime="application/pdf"), large
    yield "claims-much.pdf", Reply(stream=_zeros, claimed=10 * 2**30, mime="application/pdf"), large
    bomb = _bomb()
    yield "bomb-gzip", Reply(bomb, headers={"Content-Encoding": "gzip"}), large
    brotli = (files(__package__) / "texts" / "bomb.br").read_bytes()  # 200 MB of zeros in 316 bytes
    yield "bomb-brotli", Reply(brotli, headers={"Content-Encoding": "br"}), (*large, "bad_encoding")
    twice = gzip.compress(bomb)
    yield "bomb-twice", Reply(twice, headers={"Content-Encoding": "gzip, gzip"}), (*large, "bad_encoding")
    yield "no-gzip", Reply(b"<html>plain</html>", headers={"Content-Encoding": "gzip"}), ("bad_encoding",)
    yield "claims-more.pdf", Reply(b"%PDF-1.4 cut", "application/pdf", claimed=5000), ("truncated", "network")


@cache
def _bomb() -> bytes:
    """80 MB of zeros as 80 kB of gzip."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(bytes(MEGABYTE)) for _ in range(80)) + packer.flush()


def _zeros() -> Iterator[bytes]:
    yield b"%PDF-1.7\n"
    for _ in range(256):
        yield bytes(MEGABYTE)


def _slow() -> Iterator[tuple[str, Page, tuple[str, ...]]]:
    yield "drip.pdf", Reply(stream=_drip, mime="application/pdf"), ("deadline", "timeout")
    yield "silent.pdf", Reply(b"late", delay=30), ("timeout", "deadline")


def _drip() -> Iterator[bytes]:
    for index in range(600):
        yield b"%PDF-1.7\n"[index % 9 : index % 9 + 1]
        time.sleep(0.1)


def _false(look: Chrome) -> Iterator[tuple[str, Page, tuple[str, ...]]]:
    """Answers that are well in form and wrong in substance; fetched, and not kept."""
    fine = ("ok",)
    login = "<h1>Sign in</h1><form><input name=user><input name=password type=password></form>"
    yield "login.pdf", Reply(look.page("Sign in", login), "application/pdf"), fine
    lost = "<h1>Page not found</h1><p>Sorry, the procedure you are looking for has moved. Try the search.</p>"
    yield "soft-404.pdf", Reply(look.page("Not found", lost)), fine
    consent = "<h1>Before you continue</h1><p>We and 412 partners use cookies. Accept all. Reject. Settings.</p>"
    yield "consent", Reply(look.page("Consent", consent)), fine
    yield "empty.docx", Reply(b"", "application/pdf"), ("ok", "http", "truncated", "network")
    yield "noise.pdf", Reply(random.Random(1).randbytes(9000), "application/pdf"), fine
    yield "broken.docx", Reply(b"PK\x03\x04" + b"\x00" * 900, "application/zip"), fine


def _failing() -> Iterator[tuple[str, Page, tuple[str, ...]]]:
    error = ("http",)
    yield "gone.pdf", Reply(b"gone", "text/plain", 410), error
    yield "forbidden.pdf", Reply(b"no", "text/plain", 403), error
    yield "always-500.pdf", Reply(b"oops", "text/plain", 500), error
    yield "missing.pdf", Reply(b"not here", "text/plain", 404), error


def _calendar(request: Request, look: Chrome) -> Reply:
    month = int(parse_qs(request.query).get("month", ["0"])[0])
    days = tuple((f"/calendar?month={month}&day={day}", f"Inspection on day {day}") for day in range(1, 29, 3))
    months = ((f"/calendar?month={month + 1}", "Next month"), (f"/calendar?month={month - 1}", "Previous month"))
    title = f"Inspection calendar, month {month}"
    return Reply(look.page(title, f"<h1>{title}</h1>{listing((*days, *months))}"))


def _session(request: Request, look: Chrome, topic: Topic) -> Reply:
    mark = f"{abs(hash((request.path, request.query, request.count, time.time_ns()))):016x}"
    title = f"Procedures of the {topic.place}"
    links = tuple(
        (f"/session/{name}?sid={mark}", f"Procedure: {name}") for name in ("pumps", "rounds", "faults", "all")
    )
    return Reply(look.page(title, f"<h1>{title}</h1><p>Please choose.</p>{listing(links)}"))


def _deeper(request: Request, look: Chrome) -> Reply:
    path = request.path.rstrip("/")
    links = tuple((f"{path}/{name}/", f"Procedures: {name}") for name in ("a", "b", "operation"))
    return Reply(look.page("More procedures", f"<h1>More procedures</h1>{listing(links)}"))
