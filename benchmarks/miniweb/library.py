"""Plants the procedures of one topic: on sites, on hub pages, behind links, on mirrors, and decoys among them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from soprag.benchmarks.miniweb.approaches import Approaches, Doc
from soprag.benchmarks.miniweb.files import MIMES, Chrome, Link, article, chrome, document
from soprag.benchmarks.miniweb.ground import Entry, Ground, Placed, planted
from soprag.benchmarks.miniweb.reply import Page, Reply
from soprag.benchmarks.miniweb.texts import Topic, decoys, jobs
from soprag.benchmarks.miniweb.truth import Format
from soprag.benchmarks.miniweb.writing import Text, Unit, Writer

FORMATS: tuple[Format, ...] = (
    "html", "pdf", "docx", "html", "pdf", "xlsx", "html", "pdf", "pptx", "html", "pdf", "docx", "md",
    "html", "pdf", "docx", "html", "pdf", "xlsx", "html", "pdf", "pptx", "html", "pdf", "docx", "txt",
)  # fmt: skip
# How the documents that no engine lists are come by, and how many of twenty.
WAYS = (
    "hub", "portal", "paged", "landing", "related", "short link", "hub", "portal", "frame", "paged",
    "hub", "portal", "refresh", "related", "short link", "hub", "portal", "based", "paged", "landing",
)  # fmt: skip
SHARED = "procedures-for-all.test"  # a host with documents of every topic
SHARE = 2 / 15  # of the procedures have a twin, and so many have a mirror


@dataclass(frozen=True)
class Library:
    """The sites of one topic; `size` procedures, a third of them behind links."""

    ground: Ground
    topic: Topic
    chance: random.Random
    size: int

    @cached_property
    def writer(self) -> Writer:
        """Whoever writes here."""
        return Writer(self.chance, self.topic)

    @cached_property
    def sites(self) -> list[tuple[str, Chrome]]:
        """Eight hosts with their looks."""
        names = sorted({self.writer.name() for _ in range(12)})[:7]
        self.chance.shuffle(names)
        ends = ("docs.{}.test", "{}.test", "www.{}.test", "intranet.{}.test", "files.{}.test")
        hosts = [
            (self.ground.host(self.chance.choice(ends).format(f"{name}-{self.topic.name}".lower())), self._look(name))
            for name in names
        ]
        return [*hosts, (self.ground.host(SHARED), self._look("Public procedures"))]

    def build(self) -> None:
        """Plant everything."""
        docs = list(self._docs())
        links = self._related(docs)
        for doc in docs:
            if doc.way != "related":
                self._place(doc, links.get(doc.number, ()))
        Approaches(self.ground, self.topic, self.chance, self.sites).build(docs, self._clutter)
        self._mirrors([doc for doc in docs if doc.way == "search"])
        for doc in docs:
            self.ground.plant(
                planted(doc.number, self.topic.name, doc.text.title, doc.form, tuple(doc.placed), doc.way)
            )
        self._decoys()

    def _look(self, name: str) -> Chrome:
        return chrome(
            self.chance, f"{name} {self.chance.choice(('Utilities', 'Works', 'Group', 'Municipal', 'Institute'))}"
        )

    def _docs(self) -> Iterator[Doc]:
        """Different work on different machines, and some twins: the same work on another machine of the same kind."""
        pairs = [(job, kind) for job in jobs() for kind in self.topic.equipment]
        picked = self.chance.sample(pairs, self.size - round(self.size * SHARE))
        texts = []
        for number, (job, kind) in enumerate(picked):
            hand, company = self.chance.randrange(2**32), self.writer.name()
            unit = self.writer.unit(kind)
            texts.append(self.writer.procedure(job, unit, company, hand))
            if number < round(self.size * SHARE):
                texts.append(self.writer.procedure(job, self._twin(unit), company, hand))
        forms = [FORMATS[number % len(FORMATS)] for number in range(len(texts))]
        ways = ["search" if number % 3 else WAYS[number // 3 % len(WAYS)] for number in range(len(texts))]
        self.chance.shuffle(forms)
        self.chance.shuffle(ways)
        for number, (text, form, approach) in enumerate(zip(texts, forms, ways, strict=True)):
            yield Doc(f"{self.topic.name}-{number:02}", text, form, approach)

    def _twin(self, unit: Unit) -> Unit:
        number = next(number for number in iter(lambda: self.chance.randint(101, 989), 0) if number != unit.number)
        return Unit(unit.kind, number, unit.turn + self.chance.randint(1, 3))

    def _place(self, doc: Doc, links: tuple[Link, ...] = ()) -> Placed:
        """Put it on one of the sites; an engine lists it when its way is `search`."""
        host, look = self.chance.choice(self.sites)
        data = self._bytes(doc, look, links)
        target = self._target(doc)
        headers = {"Last-Modified": f"Tue, {self.chance.randint(10, 28)} Mar 2022 08:00:00 GMT"}
        page = Reply(data, self._mime(doc.form), headers=headers)
        placed = Placed(self.ground.put(host, target, self._unsteady(page)), data)
        doc.placed.append(placed)
        if doc.way == "search":
            self._list(placed.url, doc.text, doc.form)
        return placed

    def _bytes(self, doc: Doc, look: Chrome, links: tuple[Link, ...] = ()) -> bytes:
        if doc.form == "html":
            return look.page(doc.text.title, article(doc.text, links))
        return document(doc.text, doc.form, header=look.name, footer=look.closing)

    def _target(self, doc: Doc) -> str:
        slug, code = doc.text.slug, f"{self.chance.randrange(16**6):06x}"
        end = "" if doc.form == "html" and self.chance.random() < 0.5 else f".{doc.form}"
        forms = [f"/docs/{slug}{end}", f"/{self.topic.name}/{code}{end}", f"/sop/{slug[:30]}-{code}{end}"]
        if doc.form not in ("md", "txt"):
            forms += [f"/download?id={code}", f"/files/{code}"]
        return self.chance.choice(forms)

    def _mime(self, form: Format) -> str:
        """Servers do not always know what they serve."""
        mislabelled = {"pdf": "text/html", "md": "application/octet-stream", "html": "text/html"}
        return mislabelled.get(form, "application/octet-stream") if self.chance.random() < 0.15 else MIMES[form]

    def _unsteady(self, page: Reply) -> Page:
        """A few fail at first: 503 or 429 with Retry-After, then they are well."""
        if self.chance.random() > 0.04:
            return page
        status = self.chance.choice((503, 429))
        busy = Reply(b"busy", "text/plain", status, {"Retry-After": "1"})
        return lambda request: busy if request.count == 1 else page

    def _list(self, url: str, text: Text, form: Format) -> None:
        title = text.title
        if form in ("pdf", "docx", "pptx") and self.chance.random() < 0.1:  # titles are what authors left in the file
            title = self.chance.choice(("Microsoft Word - SOP_final_v2", "Document1", "untitled", "SOP_rev3.doc"))
        self.ground.entries.append(Entry(url, title, text.body[:2500], form))

    def _related(self, docs: list[Doc]) -> dict[str, tuple[Link, ...]]:
        """Place the documents that only other procedures point to; gives the links of those others."""
        fronts = [doc for doc in docs if doc.way == "search" and doc.form == "html"]
        self.chance.shuffle(fronts)
        links: dict[str, tuple[Link, ...]] = {}
        for number, doc in enumerate(doc for doc in docs if doc.way == "related"):
            link = (self._place(doc).url, doc.text.title)
            front = fronts[number % len(fronts)].number
            links[front] = (*links.get(front, ()), link)
        return links

    def _clutter(self, count: int) -> list[Link]:
        """Links to what is no procedure, as hub pages have them."""
        links = []
        for genre in self.chance.sample(sorted(decoys()), count):
            host, look = self.chance.choice(self.sites)
            text = self.writer.decoy(genre)
            url = self.ground.put(host, f"/{genre}/{text.slug[:40]}", Reply(look.page(text.title, article(text))))
            links.append((url, text.title))
        return links

    def _mirrors(self, docs: list[Doc]) -> None:
        """The same bytes under other addresses, and the same text with other things round it."""
        for number, doc in enumerate(self.chance.sample(docs, round(self.size * SHARE))):
            host, look = self.chance.choice(self.sites)
            exact = number % 2 == 0
            data = doc.placed[0].data if exact else self._bytes(doc, look)
            end = "" if doc.form == "html" else f".{doc.form}"
            url = self.ground.file(host, f"/mirror/{doc.number}{end}", data, doc.form)
            doc.placed.append(Placed(url, data))
            self._list(url, doc.text, doc.form)

    def _decoys(self) -> None:
        """What an engine finds on the topic beside procedures."""
        for genre in sorted(decoys()):
            for form in ("html", self.chance.choice(("html", "pdf"))):
                host, look = self.chance.choice(self.sites)
                text = self.writer.decoy(genre)
                data = look.page(text.title, article(text)) if form == "html" else document(text, "pdf")
                url = self.ground.file(host, f"/{genre}/{text.slug[:50]}", data, form)
                self._list(url, text, form)
