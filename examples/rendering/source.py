"""What one example source is: TOML front matter between two +++ lines, then a Markdown body."""

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from soprag.examples.rendering.blocks import Block, read_blocks

FENCE = "+++"
Format = Literal["pdf", "docx", "pptx", "xlsx", "html", "md"]


class SourceError(ValueError):
    """An example source that cannot be built; the message names the file."""


class FrontMatter(BaseModel):
    """What an author declares about a document; a key with a typo fails."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Format
    title: str
    kind: Literal["sop", "not-sop"]
    sops: tuple[str, ...] = ()
    header: str = ""
    footer: str = ""
    columns: Literal[1, 2] = 1

    @model_validator(mode="after")
    def _sops_fit_kind(self) -> Self:
        if (self.kind == "sop") != bool(self.sops):
            raise ValueError("a document of kind 'sop' lists its SOPs, one of kind 'not-sop' lists none")
        return self


@dataclass(frozen=True)
class Source:
    """One example document as its author wrote it."""

    domain: str
    slug: str
    about: FrontMatter
    body: str
    sha256: str

    @property
    def target(self) -> str:
        """The path of the built file, relative to the library."""
        return f"{self.domain}/{self.slug}.{self.about.format}"

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The body as headings, paragraphs, lists, tables and notices, in order."""
        return read_blocks(self.body)


def load_source(path: Path) -> Source:
    """Read one source; its folder is its domain. Line endings never change its hash."""
    text = path.read_text(encoding="utf-8")
    opening, _, rest = text.partition("\n")
    front, fence, body = rest.partition(f"\n{FENCE}\n")
    if opening != FENCE or not fence:
        raise SourceError(f"{path} has no front matter; start it with TOML between two {FENCE} lines")
    try:
        about = FrontMatter.model_validate(tomllib.loads(front))
    except (tomllib.TOMLDecodeError, ValidationError) as wrong:
        raise SourceError(f"the front matter of {path} is not valid: {wrong}") from wrong
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Source(path.parent.name, path.stem, about, body.strip() + "\n", sha256)


def load_sources(folder: Path) -> list[Source]:
    """Every source below a folder, in a fixed order."""
    return [load_source(path) for path in sorted(folder.glob("*/*.md"))]
