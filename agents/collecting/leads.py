"""A lead: an address nobody has fetched yet, with everything that was said about it where it was seen."""

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from tools.web import urls


@dataclass(frozen=True)
class Sighting:
    """One place where an address was seen: a result of a search, or a link of a page."""

    title: str
    text: str
    query: str = ""
    engine: str = ""
    rank: int = 0
    parent: str = ""  # key of the page with the link
    referrer: str = ""  # its URL
    about: float = 0.0  # how close that page is to the topic
    menu: bool = False
    embedded: bool = False

    @property
    def searched(self) -> bool:
        """Whether a search engine listed it."""
        return bool(self.query)


@dataclass
class Lead:
    """One address; `close` is how close its best sighting is to the topic, from 0 to 1."""

    key: str
    url: str
    depth: int
    sightings: list[Sighting] = field(default_factory=list)
    close: float = 0.0
    odds: float = 0.0  # that it is a wanted document, by general cues
    hub: float = 0.0  # the same that it leads to some
    copy_of: str = ""  # key of a page that was followed and was called the same, in the same words

    @property
    def host(self) -> str:
        """Host and port."""
        return urls.host(self.url)

    @property
    def parents(self) -> int:
        """How many pages link to it; 0 when a search engine listed it."""
        return 0 if any(seen.searched for seen in self.sightings) else len({seen.parent for seen in self.sightings})

    @property
    def first(self) -> Sighting:
        """Where it was seen first: what its provenance tells."""
        return self.sightings[0]

    @property
    def title(self) -> str:
        """The longest name it was given."""
        return max((seen.title for seen in self.sightings), key=len)

    @property
    def name(self) -> str:
        """What a search engine calls it; empty when only links do, which may say no more than `download`."""
        return next((seen.title for seen in self.sightings if seen.searched), "")

    @property
    def text(self) -> str:
        """The longest text that stood beside it."""
        return max((seen.text for seen in self.sightings), key=len)

    @property
    def path_words(self) -> list[str]:
        """The words of its path and parameters."""
        parts = urlsplit(unquote(self.url))
        return [word for word in re.split(r"[^a-z0-9]+", f"{parts.path} {parts.query}".casefold()) if word]

    @property
    def folder(self) -> str:
        """Host and the folder it lies in, digits masked."""
        return urls.template(self.url).partition("?")[0].rpartition("/")[0]

    @property
    def suffix(self) -> str:
        """The suffix of its path, perhaps empty."""
        return PurePosixPath(urlsplit(self.url).path).suffix.lower()
