"""What the parent process asks of a parser process, and what it gets back: one JSON line each."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field, TypeAdapter

from soprag.tools.parsing.document import Extract, Value
from soprag.tools.parsing.kinds import Kind

EngineName = Literal["mineru", "pdfplumber", "pdfium", "office", "ocr"]
MineruTier = Literal["flash", "basic", "standard", "advanced"]


# Hears how many pages are done while the rest is still being worked on.
TellPages = Callable[[int], None]


class ParseLimits(Value):
    """The borders within which a parser process works on one document."""

    memory: int = Field(description="MiB of address space")
    seconds: float = Field(description="CPU seconds for this job")
    pages: int
    pixels: int
    cells: int
    characters: int


class ParseJob(Value):
    """Parse the file with one engine."""

    kind: Kind
    path: str
    engine: EngineName
    tier: MineruTier = "flash"
    limits: ParseLimits
    type: Literal["parse"] = "parse"


class ProbeJob(Value):
    """Only look at the file: pages, text, encryption, size of a picture."""

    kind: Kind
    path: str
    limits: ParseLimits
    type: Literal["probe"] = "probe"


class RepairJob(Value):
    """Repair Markdown that came from somewhere else, such as a server, with the file beside it."""

    kind: Kind
    path: str
    markdown: str
    version: str
    pages: int = 0
    limits: ParseLimits
    type: Literal["repair"] = "repair"


class RenderJob(Value):
    """Draw the pages as pictures, for an engine that reads pictures."""

    kind: Kind
    path: str
    limits: ParseLimits
    dpi: int = 200
    type: Literal["render"] = "render"


class TiersJob(Value):
    """Which MinerU tiers have their models on this machine."""

    limits: ParseLimits
    type: Literal["tiers"] = "tiers"


class FunctionJob(Value):
    """Call a function of ours over text, under the limits of parsing."""

    function: str = Field(description="`module:name`")
    arguments: tuple[str, ...] = Field(description="JSON of each")
    limits: ParseLimits
    type: Literal["function"] = "function"


Job = ParseJob | ProbeJob | RepairJob | RenderJob | TiersJob | FunctionJob
JOBS: TypeAdapter[Job] = TypeAdapter(Job)


class Probe(Value):
    """What a first look at the file showed."""

    pages: int = 0
    characters: int = 0
    scanned_pages: int = 0
    prepared: str = Field(default="", description="path of a repaired copy, to be parsed in its place")


class WorkerReply(Value):
    """Exactly one of the results, or why there is none; or, with `pages` alone, that the result is still to come."""

    extract: Extract | None = None
    probe: Probe | None = None
    tiers: tuple[MineruTier, ...] | None = None
    result: str | None = Field(default=None, description="what a function returned, as JSON")
    refused: str = Field(default="", description="the document cannot be used, whatever the engine")
    failed: str = Field(default="", description="this engine could not do it; another may")
    pages: int | None = Field(default=None, description="pages done so far")
    peak: int = Field(default=0, description="highest memory of the process so far, MiB")
    seconds: float = Field(default=0.0, description="time that counts against the limit of the document")
