"""The ways to documents that no engine lists: hub pages, portals, frames, short links, and what stands round them."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from soprag.benchmarks.miniweb.files import Chrome, Link, listing
from soprag.benchmarks.miniweb.ground import Entry, Ground, Placed
from soprag.benchmarks.miniweb.reply import Reply, moved
from soprag.benchmarks.miniweb.texts import Topic
from soprag.benchmarks.miniweb.truth import Format
from soprag.benchmarks.miniweb.writing import Text

Clutter = Callable[[int], list[Link]]


@dataclass
class Doc:
    """One procedure and where it stands."""

    number: str
    text: Text
    form: Format
    way: str
    placed: list[Placed] = field(default_factory=list)


@dataclass(frozen=True)
class Approaches:
    """Builds the pages that lead to the documents of one topic."""

    ground: Ground
    topic: Topic
    chance: random.Random
    sites: list[tuple[str, Chrome]]

    def build(self, docs: list[Doc], clutter: Clutter) -> None:
        """Every way has its pages; `clutter` gives links to what is no procedure."""
        by_way: dict[str, list[Doc]] = {}
        for doc in docs:
            by_way.setdefault(doc.way, []).append(doc)
        on_hub = [doc for approach in ("hub", "short link", "frame", "refresh") for doc in by_way.get(approach, [])]
        self._hub(on_hub, clutter)
        self._portal(by_way.get("portal", []), clutter)
        self._paged(by_way.get("paged", []), clutter)
        self._based(by_way.get("based", []))
        for doc in by_way.get("landing", []):
            self._landing(doc)

    def _links(self, docs: list[Doc], host: str) -> list[Link]:
        """The address by which each is linked; some lead through another page, some carry needless parameters."""
        links = []
        for doc in docs:
            url = self._detour(doc, host)
            if self.chance.random() < 0.2 and "?" not in url:
                url += self.chance.choice(("?utm_source=hub&utm_medium=link", "#page=2", "?utm_campaign=x#top"))
            links.append((url, self.chance.choice((doc.text.title, f"{doc.text.title} ({doc.form.upper()})"))))
        return links

    def _detour(self, doc: Doc, host: str) -> str:
        url, look = doc.placed[0].url, self.sites[0][1]
        match doc.way:
            case "short link":
                return self.ground.put(host, f"/go/{doc.number}", moved(url, self.chance.choice((301, 302, 307, 308))))
            case "frame":
                tag = self.chance.choice(
                    ("<iframe src='{}'></iframe>", "<embed src='{}'>", "<object data='{}'></object>")
                )
                page = look.page(f"Viewer: {doc.text.title}", f"<h1>{doc.text.title}</h1>{tag.format(url)}")
                return self.ground.put(host, f"/viewer/{doc.number}", Reply(page))
            case "refresh":
                head = f'<meta http-equiv="refresh" content="0; url={url}">'
                page = look.page(doc.text.title, "<p>You are being taken to the document.</p>", head)
                return self.ground.put(host, f"/open/{doc.number}", Reply(page))
        return url

    def _list(self, url: str, title: str, opening: str) -> None:
        self.ground.entries.append(Entry(url, title, opening))

    def _hub(self, docs: list[Doc], clutter: Clutter) -> None:
        """A listed page with links to documents and to other things."""
        host, look = self.sites[0]
        title = f"Library of procedures: {self.topic.phrase}"
        links = [*self._links(docs, host), *clutter(3)]
        self.chance.shuffle(links)
        inside = f"<h1>{title}</h1><p>All documents of the {self.topic.place}.</p>{listing(tuple(links))}"
        url = self.ground.put(host, "/library/", Reply(look.page(title, inside)))
        self._list(url, title, f"{title}. All documents of the {self.topic.place}, {len(docs)} procedures.")

    def _portal(self, docs: list[Doc], clutter: Clutter) -> None:
        """A listed front page, subject pages behind it, and the documents behind those: two clicks."""
        host, look = self.sites[1]
        half = len(docs) // 2
        links: list[Link] = []
        for name, part in (("machines", docs[:half]), ("rounds-and-faults", docs[half:])):
            title = f"{self.topic.phrase.capitalize()}: {name.replace('-', ' ')}"
            inside = f"<h1>{title}</h1>{listing((*self._links(part, host), *clutter(1)))}"
            self.ground.put(host, f"/portal/{name}.html", Reply(look.page(title, inside)))
            links.append((f"{name}.html", f"Procedures: {name.replace('-', ' ')}"))
        title = f"{look.name}: documentation portal, {self.topic.phrase}"
        inside = f"<h1>{title}</h1><p>Choose a subject.</p>{listing((*links, ('/canteen', 'Canteen menu')))}"
        url = self.ground.put(host, "/portal/index.html", Reply(look.page(title, inside)))
        self._list(url, title, f"{title}. Choose a subject: procedures for machines, rounds and faults.")

    def _paged(self, docs: list[Doc], clutter: Clutter) -> None:
        """A listed table in two pages; what is only on the second is reached by its `next` link."""
        host, look = self.sites[2]
        title = f"Register of work instructions, {self.topic.place}"
        links = self._links(docs, host)
        half = (len(links) + 1) // 2
        for page, part in ((1, [*links[:half], *clutter(1)]), (2, links[half:])):
            rows = "".join(
                f"<tr><td>{number}</td><td><a href='{to}'>{anchor}</a></td></tr>"
                for number, (to, anchor) in enumerate(part)
            )
            turn = "<a rel=next href='?page=2'>Next page</a>" if page == 1 else "<a href='/register'>First page</a>"
            inside = f"<h1>{title}</h1><table><tr><th>No.</th><th>Instruction</th></tr>{rows}</table><p>{turn}</p>"
            self.ground.put(host, "/register" if page == 1 else "/register?page=2", Reply(look.page(title, inside)))
        self._list(self.ground.url(host, "/register"), title, f"{title}: {len(docs)} work instructions in two pages.")

    def _based(self, docs: list[Doc]) -> None:
        """Relative links that mean something else because of a <base>."""
        for doc in docs:
            home, look = self.sites[3]
            target = doc.placed[0].url.split("/", 3)
            head = f'<base href="{"/".join(target[:3])}/">'
            title = f"Attachments to the handbook: {doc.text.title}"
            inside = f"<h1>{title}</h1><p>Procedures: <a href='{target[3]}'>{doc.text.title}</a></p>"
            url = self.ground.put(home, f"/handbook/{doc.number}/", Reply(look.page(title, inside, head)))
            self._list(url, title, f"{title}. The handbook of the {self.topic.place}, with one procedure attached.")

    def _landing(self, doc: Doc) -> None:
        """A page that speaks of the document and links to it; the engine lists the page."""
        host, look = self.chance.choice(self.sites)
        title = f"Document record: {doc.text.title}"
        inside = (
            f"<h1>{title}</h1><p>This record describes a procedure of the {self.topic.place}. Its full text is "
            f"attached.</p><p><a href='{doc.placed[0].url}'>Download the full procedure ({doc.form})</a></p><p>Rated "
            f"helpful by {self.chance.randint(3, 90)} readers.</p>"
        )
        url = self.ground.put(host, f"/record/{doc.number}", Reply(look.page(title, inside)))
        self._list(url, title, f"{title}. A procedure of the {self.topic.place}; full text attached.")
