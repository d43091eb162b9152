"""A lead: an unfetched URL with all its sightings (titles, snippets, referring pages)."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from soprag.tools.embedding import Vectors
from soprag.tools.text.stop_words import CONNECTIVES
from soprag.tools.web import urls

_SPECIFIC = 4  # words of a title; fewer may say no more than `Download the full text`
_LONG_NAME = 12  # characters of a file name or of a title of one word, such as the name of an alert
_JOINING = CONNECTIVES | {"do", "what"}


@dataclass(frozen=True)
class Discovery:
    """One occurrence of a URL: a search result or a link on a page."""

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
    feed: bool = False  # RSS, Atom, a sitemap, or the start page of a site
    guess: str = ""  # `start` or `folder`: no page has this link, and it may lead nowhere

    @property
    def searched(self) -> bool:
        """Whether a search engine listed it."""
        return bool(self.query)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its text, each once."""
        return _words(self.text)


@dataclass
class CandidateUrl:
    """One URL; `close` is the topic closeness of its best sighting (0 to 1).

    Properties derived from URL and sightings are cached until the next sighting: thousands of leads wait, and each is
    scored again for every fetched page.
    """

    key: str
    url: str
    depth: int
    sightings: list[Discovery] = field(default_factory=list)
    close: float = 0.0
    form: float = 0.0  # log-odds that it is a procedure, by general cues ...
    listing: float = 0.0  # ... and that it is a page of links to some
    meaning: Vectors | None = None  # unit embedding of its longest title, of half precision

    def sight(self, sighting: Discovery) -> None:
        """Add a sighting and clear the cached properties."""
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
        """Keys of the groups it belongs to: its host, every page that lists it, and the things its title names."""
        lists = {f"page {sighting.parent}" for sighting in self.sightings if sighting.parent and not sighting.menu}
        return frozenset({f"host {self.host}", f"page {self.key}", *lists}) | named(self.title)

    @cached_property
    def traits(self) -> tuple[str, ...]:
        """The features of the link scorer, each as `kind name`, sorted."""
        names = {"all", f"host {self.host}", f"folder {self.folder}", f"suffix {self.suffix}"}
        names.add(f"leaf {self.template.partition('?')[0].rpartition('/')[2]}")
        if urls.has_session(self.url):
            names.add("session")
        names |= {f"word {word}" for word in re.findall(r"[^\W\d_]{3,}", self.title.casefold())[:12]}
        names |= {f"parent {sighting.parent}" for sighting in self.sightings if sighting.parent}
        names |= {f"query {sighting.query}" for sighting in self.sightings if sighting.query}
        names |= {f"guess {sighting.guess}" for sighting in self.sightings if sighting.guess}
        names.add(f"close {int(10 * self.close)}")
        return tuple(sorted(names))

    @cached_property
    def copy_marks(self) -> frozenset[str]:
        """What two URLs of one document share: a title that is specific, or a file name that is."""
        title = " ".join(sorted(self.words))
        specific = len(self.words) >= _SPECIFIC or len(title) >= _LONG_NAME or (bool(self.name) and len(title) > 5)
        stem = PurePosixPath(unquote(urlsplit(self.url).path)).stem.casefold()
        marks = {f"title {title}"} if specific else set[str]()
        return frozenset(marks | ({f"file {stem}"} if len(stem) >= _LONG_NAME else set()))

    @property
    def first(self) -> Discovery:
        """The first sighting, used for the provenance."""
        return self.sightings[0]

    @cached_property
    def title(self) -> str:
        """The longest title of all sightings."""
        return max((sighting.title for sighting in self.sightings), key=len)

    @property
    def name(self) -> str:
        """The title in search results; empty when only links are known, whose text may be just `download`."""
        return next((sighting.title for sighting in self.sightings if sighting.searched), "")

    @cached_property
    def tags(self) -> frozenset[str]:
        """The words of the title that contain a digit, such as equipment tags."""
        return frozenset(re.findall(r"\w*\d\w*", self.title.casefold()))

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its title, without the kind of file."""
        return _words(re.sub(r"\((pdf|docx?|html?|xlsx?|pptx?|txt|md)\)", "", self.title.casefold()))

    @property
    def text(self) -> str:
        """The longest surrounding text of all sightings."""
        return max((sighting.text for sighting in self.sightings), key=len)

    @property
    def path_words(self) -> list[str]:
        """The words of its path and parameters."""
        parts = urlsplit(unquote(self.url))
        return [word for word in re.split(r"[^a-z0-9]+", f"{parts.path} {parts.query}".casefold()) if word]

    @cached_property
    def template(self) -> str:
        """The URL pattern (`urls.template`)."""
        return urls.template(self.url)

    @cached_property
    def folder(self) -> str:
        """Host and the folder it lies in, digits masked."""
        return self.template.partition("?")[0].rpartition("/")[0]

    @cached_property
    def suffix(self) -> str:
        """The suffix of its path, perhaps empty."""
        return PurePosixPath(urlsplit(self.url).path).suffix.lower()


_KEPT = tuple(name for name, value in vars(CandidateUrl).items() if isinstance(value, cached_property))


def named(title: str) -> frozenset[str]:
    """The things a title names: the last two words of every run between stop words, numbers and signs."""
    runs: list[list[str]] = [[]]
    for word in re.findall(r"[^\W_]+(?:-[^\W_]+)*|[^\w\s]", title.casefold()):
        if word in _JOINING or any(sign.isdigit() for sign in word) or not word[0].isalnum():
            runs.append([])
        else:
            runs[-1].append(word)
    return frozenset(f"name {' '.join(run[-2:])}" for run in runs if len(run) > 1)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
