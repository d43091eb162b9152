"""The values of the knowledge graph: documents, chunks, names and facts."""

from typing import Literal

from pydantic import Field

from soprag.tools.sop import Frozen

DocumentKind = Literal["sop", "text", "code", "report"]
NameKind = Literal[
    "alarm", "parameter", "asset", "role", "command", "other", "name", "state", "step", "value", "document"
]
FactOrigin = Literal["rule", "model"]
UNKNOWN_KINDS: frozenset[str] = frozenset({"other", "name", "document"})


class NameRef(Frozen):
    """A name as a document writes it, with the kind of thing it denotes."""

    kind: NameKind
    text: str = Field(min_length=1)


class NameMention(Frozen):
    """A name on a line of a document, counted from 1."""

    name: NameRef
    line: int = Field(ge=1)


class FactDraft(Frozen):
    """A fact that is to be checked: lines `first` to `last` should hold both names."""

    subject: NameRef
    relation: str = Field(min_length=1, max_length=80)
    object: NameRef
    first: int = Field(ge=1)
    last: int = Field(ge=1)
    origin: FactOrigin = "rule"


class SourceDocument(Frozen):
    """A document to be added; `sop` is the number of the indexed SOP that it repeats."""

    id: str = Field(min_length=1)
    title: str
    kind: DocumentKind
    body: str
    source: str = ""
    sop: int | None = None


class PendingDocument(Frozen):
    """A document that is to be read: an SOP of the index, or a file below a source."""

    id: str = Field(min_length=1)
    kind: Literal["sop", "file"]
    source: str = Field(default="", description="the file or folder that was named")
    location: str = Field(default="", description="where the file lies below its source")


class Window(Frozen):
    """Lines `first` to `last` of a document, with the description that is put before them (paper 001, C' = ctx + C)."""

    first: int = Field(ge=1)
    last: int = Field(ge=1)
    context: str = ""


class ArtefactDraft(Frozen):
    """A table, a row, an image or a scope of code; `path` is unique within its document, `parent` is a path."""

    kind: Literal["table", "row", "image", "module", "class", "function", "method"]
    path: str
    parent: str = ""
    name: str
    properties: dict[str, str] = Field(default_factory=dict)
    text: str = ""
    first: int = Field(ge=1)
    last: int = Field(ge=1)


class ReadDocument(Frozen):
    """A document as it is read: windows, mentions, checked facts, and the count of facts that were dropped."""

    document: SourceDocument
    windows: tuple[Window, ...]
    mentions: tuple[NameMention, ...]
    facts: tuple[FactDraft, ...]
    artefacts: tuple[ArtefactDraft, ...] = ()
    dropped: int = 0
    edition: str


class QuotedFact(Frozen):
    """A stored fact with the lines it is quoted from."""

    subject: NameRef
    relation: str
    object: NameRef
    document: str
    title: str
    first: int
    last: int
    quote: str
    origin: FactOrigin

    def text(self) -> str:
        """One line for a person: the quote and where it stands."""
        return f"“{self.quote}” ({self.document}:{self.first}{f'-{self.last}' if self.last > self.first else ''})"
