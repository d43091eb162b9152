"""A lead: an address nobody has fetched yet, with everything that was said about it where it was seen."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import numpy as np

from tools.embedding import Vectors
from tools.web import urls

_SMALL = """
a an and are as at by for from how in into is it its of on or the to up with after before when not do what
"""
_JOINING = frozenset(_SMALL.split())


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

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its text, each once."""
        return _words(self.text)


@dataclass
class Lead:
    """One address; `close` is how close its best sighting is to the topic, from 0 to 1, `meaning` what that means.

    What follows from its URL and its sightings is kept from the first time it is asked for to the next sighting:
    thousands of leads wait, and each is looked at for every page that is fetched.
    """

    key: str
    url: str
    depth: int
    sightings: list[Sighting] = field(default_factory=list)
    close: float = 0.0
    meaning: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    form: float = 0.0  # log-odds that it is a procedure, by general cues ...
    listing: float = 0.0  # ... and that it is a page of links to some
    odds: float = 0.0  # log-odds that it is a procedure on the topic ...
    hub: float = 0.0  # ... and that it leads to some
    copy_of: str = ""  # key of a page that was followed and was called the same, in the same words

    def sight(self, sighting: Sighting) -> None:
        """Take note of another place where it was seen."""
        self.sightings.append(sighting)
        for name in _KEPT:
            self.__dict__.pop(name, None)

    @cached_property
    def host(self) -> str:
        """Host and port."""
        return urls.host(self.url)

    @property
    def parents(self) -> int:
        """How many pages link to it; 0 when a search engine listed it."""
        return (
            0
            if any(sighting.searched for sighting in self.sightings)
            else len({sighting.parent for sighting in self.sightings})
        )

    @cached_property
    def groups(self) -> frozenset[str]:
        """What it may share with pages about the same: its host, every page that lists it, and what its title names."""
        lists = {f"page {sighting.parent}" for sighting in self.sightings if sighting.parent and not sighting.menu}
        return frozenset({f"host {self.host}", f"page {self.key}", *lists}) | named(self.title)

    @cached_property
    def traits(self) -> tuple[str, ...]:
        """What may tell whether it is wanted, each as `kind name`; always in the same order."""
        names = {"all", f"host {self.host}", f"folder {self.folder}", f"suffix {self.suffix}"}
        names |= {f"word {word}" for word in re.findall(r"[^\W\d_]{3,}", self.title.casefold())[:12]}
        names |= {f"parent {sighting.parent}" for sighting in self.sightings if sighting.parent}
        names |= {f"query {sighting.query}" for sighting in self.sightings if sighting.query}
        return tuple(sorted(names))

    @property
    def first(self) -> Sighting:
        """Where it was seen first: what its provenance tells."""
        return self.sightings[0]

    @cached_property
    def title(self) -> str:
        """The longest name it was given."""
        return max((sighting.title for sighting in self.sightings), key=len)

    @property
    def name(self) -> str:
        """What a search engine calls it; empty when only links do, which may say no more than `download`."""
        return next((sighting.title for sighting in self.sightings if sighting.searched), "")

    @cached_property
    def tags(self) -> frozenset[str]:
        """The machines and numbers its title names."""
        return frozenset(re.findall(r"\w*\d\w*", self.title.casefold()))

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its title, without the kind of file."""
        return _words(re.sub(r"\((pdf|docx?|html?|xlsx?|pptx?|txt|md)\)", "", self.title.casefold()))

    @property
    def text(self) -> str:
        """The longest text that stood beside it."""
        return max((sighting.text for sighting in self.sightings), key=len)

    @property
    def path_words(self) -> list[str]:
        """The words of its path and parameters."""
        parts = urlsplit(unquote(self.url))
        return [word for word in re.split(r"[^a-z0-9]+", f"{parts.path} {parts.query}".casefold()) if word]

    @cached_property
    def template(self) -> str:
        """What its address has in common with those of its like (`urls.template`)."""
        return urls.template(self.url)

    @cached_property
    def folder(self) -> str:
        """Host and the folder it lies in, digits masked."""
        return self.template.partition("?")[0].rpartition("/")[0]

    @cached_property
    def suffix(self) -> str:
        """The suffix of its path, perhaps empty."""
        return PurePosixPath(urlsplit(self.url).path).suffix.lower()


_KEPT = tuple(name for name, value in vars(Lead).items() if isinstance(value, cached_property))


def named(title: str) -> frozenset[str]:
    """What a title names: the last two words of every run of words between small words, numbers and signs."""
    runs: list[list[str]] = [[]]
    for word in re.findall(r"[^\W_]+(?:-[^\W_]+)*|[^\w\s]", title.casefold()):
        if word in _JOINING or any(sign.isdigit() for sign in word) or not word[0].isalnum():
            runs.append([])
        else:
            runs[-1].append(word)
    return frozenset(f"name {' '.join(run[-2:])}" for run in runs if len(run) > 1)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
