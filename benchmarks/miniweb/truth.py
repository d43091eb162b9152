"""What is known about a mini web: which documents are planted where, and what each trap must come to."""

import re
from typing import Literal

from pydantic import Field

from soprag.tools.sop import Frozen

Format = Literal["html", "pdf", "docx", "xlsx", "pptx", "md", "txt"]
Reach = Literal["search", "links", "never"]


class Planted(Frozen):
    """One document, with every address of it and of its mirrors; `reach` is how it can be come by."""

    id: str
    topic: str
    title: str
    format: Format
    reach: Reach
    way: str = Field(description="hub, portal, landing, related, short link, ...; `search` when an engine lists it")
    urls: tuple[str, ...]
    hashes: tuple[str, ...] = Field(description="sha256 of the bytes at each of its addresses")


class Trap(Frozen):
    """One address that does harm or wastes time, and the outcomes that are right for it."""

    name: str
    url: str
    outcomes: tuple[str, ...]


class Closed(Frozen):
    """What the robots.txt of a host forbids; `*` and a `$` at the end as in RFC 9309."""

    host: str
    prefix: str

    def covers(self, host: str, target: str) -> bool:
        """Whether nobody may ask for this."""
        if host != self.host or target == "/robots.txt":
            return False
        form = re.escape(self.prefix).replace(r"\*", ".*").replace(r"\$", "$")
        return re.match(form, target) is not None


class Truth(Frozen):
    """All that is known about one mini web."""

    seed: int
    topics: dict[str, str] = Field(description="name → the phrase a person would type")
    planted: tuple[Planted, ...]
    traps: tuple[Trap, ...]
    closed: tuple[Closed, ...]

    def on(self, topic: str) -> tuple[Planted, ...]:
        """The on-topic procedures that can be come by."""
        return tuple(document for document in self.planted if document.topic == topic and document.reach != "never")

    def hashes(self) -> dict[str, Planted]:
        """sha256 → the planted document these bytes are."""
        return {sha256: document for document in self.planted for sha256 in document.hashes}
