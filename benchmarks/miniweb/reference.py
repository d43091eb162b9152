"""What special engines find on a topic: encyclopedia articles, papers, patents, questions with answers, pictures."""

import random
import struct
import zlib
from dataclasses import dataclass

from soprag.benchmarks.miniweb.files import article, chrome, document
from soprag.benchmarks.miniweb.ground import Entry, Ground
from soprag.benchmarks.miniweb.reply import Reply
from soprag.benchmarks.miniweb.texts import Topic
from soprag.benchmarks.miniweb.writing import Text, Writer

EACH = 4  # of every kind and topic
HOSTS = {
    "wiki": "en.wikipedia.org",
    "scholar": "journal-of-plant-engineering.test",
    "patent": "patents.google.com",
    "answers": "engineering.stackexchange.com",
    "image": "diagrams-of-machines.test",
}
# Articles and answers are found by the general engines, with a site: filter; the rest has engines of its own.
KINDS = {"wiki": "web", "answers": "web", "scholar": "scholar", "patent": "patent", "image": "image"}


@dataclass(frozen=True)
class Reference:
    """The reference works of one topic."""

    ground: Ground
    topic: Topic
    chance: random.Random

    def build(self) -> None:
        """Place them and list them."""
        writer = Writer(self.chance, self.topic)
        for genre in HOSTS:
            titles: set[str] = set()
            for number in range(EACH * 4):
                text = writer.reference(genre)
                if text.title not in titles and len(titles) < EACH:
                    titles.add(text.title)
                    self._place(genre, text, f"{self.topic.name}-{number}")

    def _place(self, genre: str, text: Text, number: str) -> None:
        host, look = HOSTS[genre], chrome(self.chance, HOSTS[genre])
        page = Reply(look.page(text.title, article(text)))
        match genre:
            case "wiki":
                url = self.ground.put(host, f"/wiki/{text.title.replace(' ', '_')}", page)
            case "scholar" if self.chance.random() < 0.5:
                url = self.ground.file(host, f"/{number}.pdf", document(text, "pdf"), "pdf")
            case "image":
                self.ground.put(host, f"/{number}/", page)
                picture = Reply(drawing(self.chance), "image/png")
                url = self.ground.put(host, f"/{number}/diagram.png", picture)
            case _:
                url = self.ground.put(host, f"/{genre}/{number}", page)
        self.ground.entries.append(Entry(url, text.title, text.body[:2500], "html", KINDS[genre]))


def drawing(chance: random.Random, width: int = 320, height: int = 240) -> bytes:
    """A picture of three boxes as PNG."""
    boxes = [(chance.randrange(width // 2), chance.randrange(height // 2), chance.randrange(40, 120)) for _ in range(3)]
    rows = bytearray()
    for y in range(height):
        row = bytearray(b"\xff" * width)
        for x, top, size in boxes:
            if top <= y < top + size // 2:
                row[x : x + size] = b"\x5a" * min(size, width - x)
        rows += b"\x00" + row
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(rows))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(name, data) for name, data in parts)


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
