"""Where documents are looked for: a local folder, the embedded library, later the web; one protocol."""

from dataclasses import dataclass
from typing import Protocol

from soprag.tools.sop import Provenance


@dataclass(frozen=True)
class FoundDocument:
    """A document that was found but not yet read."""

    name: str
    provenance: Provenance


class DocumentSource(Protocol):
    """A place documents come from."""

    @property
    def description(self) -> str:
        """What a person is told about it, such as `the embedded library`."""
        ...

    @property
    def searched(self) -> bool:
        """Whether phrases decide what is found; if not, it is taken whole and nobody needs to think of any."""
        ...

    def find(self, phrases: list[str]) -> list[FoundDocument]:
        """Documents on these phrases, best first; raises `NothingFound` with the reason when there is none."""
        ...

    def read(self, candidate: FoundDocument) -> bytes:
        """Its bytes; raises `DocumentError` or `StorageError` when they cannot be had."""
        ...
