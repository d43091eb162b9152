"""Plants the procedures of one topic: on sites, on hub pages, behind links, on mirrors, and decoys among them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from benchmarks.miniweb.files import MIMES, Chrome, Link, article, chrome, document, listing
from benchmarks.miniweb.ground import Entry, Ground, Placed, planted
from benchmarks.miniweb.reply import Page, Reply, moved
from benchmarks.miniweb.texts import Topic, decoys, jobs
from benchmarks.miniweb.truth import Format
from benchmarks.miniweb.writing import Text, Unit, Writer

FORMATS: tuple[Format, ...] = (
    "html", "pdf", "docx", "html", "pdf", "xlsx", "html", "pdf", "pptx", "html", "pdf", "docx", "md",
    "html", "pdf", "docx", "html", "pdf", "xlsx", "html", "pdf", "pptx", "html", "pdf", "docx", "txt",
)  # fmt: skip
# How the documents that no engine lists are come by, and how many each way has of ten.
WAYS = ("hub", "hub", "hub", "portal", "portal", "portal", "landing", "related", "related", "short link")
SHARE = 2 / 15  # of the procedures have a twin, and so many have a mirror


@dataclass
class Doc:
    """One procedure and where it will stand."""

    number: str
    text: Text
    form: Format
    way: str
    placed: list[Placed] = field(default_factory=list)


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
        names = sorted({self.writer.name() for _ in range(12)})[:8]
        self.chance.shuffle(names)
        ends = ("docs.{}.test", "{}.test", "www.{}.test", "intranet.{}.test", "files.{}.test")
        return [
            (self.ground.host(self.chance.choice(ends).format(f"{name}-{self.topic.name}".lower())), self._look(name))
            for name in names
        ]

    def build(self) -> None:
        """Plant everything."""
        docs = list(self._docs())
        links = self._related(docs)
        for doc in docs:
            if doc.way != "related":
                self._place(doc, links.get(doc.number, ()))
        self._hub([doc for doc in docs if doc.way in ("hub", "short link")])
        self._portal([doc for doc in docs if doc.way == "portal"])
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
        for at, (job, kind) in enumerate(picked):
            hand, company = self.chance.randrange(2**32), self.writer.name()
            unit = self.writer.unit(kind)
            texts.append(self.writer.procedure(job, unit, company, hand))
            if at < round(self.size * SHARE):
                texts.append(self.writer.procedure(job, self._twin(unit), company, hand))
        forms = [FORMATS[at % len(FORMATS)] for at in range(len(texts))]
        ways = ["search" if at % 3 else WAYS[at // 3 % len(WAYS)] for at in range(len(texts))]
        self.chance.shuffle(forms)
        self.chance.shuffle(ways)
        for at, (text, form, way) in enumerate(zip(texts, forms, ways, strict=True)):
            yield Doc(f"{self.topic.name}-{at:02}", text, form, way)

    def _twin(self, unit: Unit) -> Unit:
        number = next(other for other in iter(lambda: self.chance.randint(101, 989), 0) if other != unit.number)
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
        if doc.way == "landing":
            self._landing(doc, host, look)
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
        wrong = {"pdf": "text/html", "md": "application/octet-stream", "html": "text/html"}
        return wrong.get(form, "application/octet-stream") if self.chance.random() < 0.15 else MIMES[form]

    def _unsteady(self, page: Reply) -> Page:
        """A few fail at first: 503 or 429 with Retry-After, then they are well."""
        if self.chance.random() > 0.04:
            return page
        status = self.chance.choice((503, 429))
        busy = Reply(b"busy", "text/plain", status, {"Retry-After": "1"})
        return lambda request: busy if request.count == 1 else page

    def _list(self, url: str, text: Text, form: Format) -> None:
        self.ground.entries.append(Entry(url, text.title, text.body[:2500], form))

    def _landing(self, doc: Doc, host: str, look: Chrome) -> None:
        """A page that speaks of the document and links to it; the engine lists the page."""
        title = f"Document record: {doc.text.title}"
        file = doc.placed[0].url
        inside = (
            f"<h1>{title}</h1><p>This record describes a procedure of the {self.topic.place}. Its full text is "
            f"attached.</p><p><a href='{file}'>Download the full procedure ({doc.form})</a></p><p>Rated helpful by "
            f"{self.chance.randint(3, 90)} readers.</p>"
        )
        url = self.ground.put(host, f"/record/{doc.number}", Reply(look.page(title, inside)))
        self._list(url, Text(title, f"{title}. A procedure of the {self.topic.place}; full text attached."), "html")

    def _related(self, docs: list[Doc]) -> dict[str, tuple[Link, ...]]:
        """Place the documents that only other procedures point to; gives the links of those others."""
        fronts = [doc for doc in docs if doc.way == "search" and doc.form == "html"]
        self.chance.shuffle(fronts)
        links: dict[str, tuple[Link, ...]] = {}
        for at, doc in enumerate(doc for doc in docs if doc.way == "related"):
            link = (self._place(doc).url, doc.text.title)
            front = fronts[at % len(fronts)].number
            links[front] = (*links.get(front, ()), link)
        return links

    def _links(self, docs: list[Doc], host: str) -> tuple[Link, ...]:
        links = []
        for doc in docs:
            url = doc.placed[0].url
            if doc.way == "short link":
                url = self.ground.put(host, f"/go/{doc.number}", moved(url, self.chance.choice((301, 302, 307))))
            links.append((url, self.chance.choice((doc.text.title, f"{doc.text.title} ({doc.form.upper()})"))))
        self.chance.shuffle(links)
        return tuple(links)

    def _clutter(self, count: int) -> list[Link]:
        """Links to what is no procedure, as hub pages have them."""
        links = []
        for genre in self.chance.sample(sorted(decoys()), count):
            host, look = self.chance.choice(self.sites)
            text = self.writer.decoy(genre)
            url = self.ground.put(host, f"/{genre}/{text.slug[:40]}", Reply(look.page(text.title, article(text))))
            links.append((url, text.title))
        return links

    def _hub(self, docs: list[Doc]) -> None:
        """A listed page with links to documents and to other things."""
        host, look = self.sites[0]
        title = f"Library of procedures: {self.topic.phrase}"
        links = [*self._links(docs, host), *self._clutter(3)]
        self.chance.shuffle(links)
        inside = f"<h1>{title}</h1><p>All documents of the {self.topic.place}.</p>{listing(tuple(links))}"
        url = self.ground.put(host, "/library/", Reply(look.page(title, inside)))
        self._list(
            url, Text(title, f"{title}. All documents of the {self.topic.place}, {len(docs)} procedures."), "html"
        )

    def _portal(self, docs: list[Doc]) -> None:
        """A listed front page, subject pages behind it, and the documents behind those: two clicks."""
        host, look = self.sites[1]
        half = len(docs) // 2
        subjects = (("machines", docs[:half]), ("rounds-and-faults", docs[half:]))
        links: list[Link] = []
        for name, part in subjects:
            title = f"{self.topic.phrase.capitalize()}: {name.replace('-', ' ')}"
            inside = f"<h1>{title}</h1>{listing((*self._links(part, host), *self._clutter(1)))}"
            self.ground.put(host, f"/portal/{name}.html", Reply(look.page(title, inside)))
            links.append((f"{name}.html", f"Procedures: {name.replace('-', ' ')}"))
        title = f"{look.name}: documentation portal, {self.topic.phrase}"
        inside = f"<h1>{title}</h1><p>Choose a subject.</p>{listing((*links, ('/canteen', 'Canteen menu')))}"
        url = self.ground.put(host, "/portal/index.html", Reply(look.page(title, inside)))
        self._list(url, Text(title, f"{title}. Choose a subject: procedures for machines, rounds and faults."), "html")

    def _mirrors(self, docs: list[Doc]) -> None:
        """The same bytes under other addresses, and the same text with other things round it."""
        for at, doc in enumerate(self.chance.sample(docs, round(self.size * SHARE))):
            host, look = self.chance.choice(self.sites)
            exact = at % 2 == 0
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
