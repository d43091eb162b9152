"""What comes out of a parser: Markdown, its images, and the trail of how it was made."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Outcome = Literal["accepted", "rejected", "failed", "unavailable"]


class Value(BaseModel):
    """Frozen and exact; bytes are written to JSON as base64."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")


class Attempt(Value):
    """One engine that was considered for a document, and why it was left or kept."""

    engine: str
    outcome: Outcome
    reason: str = ""
    seconds: float = 0.0


class Image(Value):
    """A picture of the document; its Markdown links to `name`."""

    name: str = Field(description="relative path such as images/3f2a91c0d4e5.png, from the SHA-256 of `data`")
    media_type: str
    data: bytes = Field(repr=False)
    caption: str = ""


class Extract(Value):
    """What one engine made of one document."""

    markdown: str = Field(repr=False)
    version: str
    pages: int = Field(ge=0, description="0: the format has no pages")
    images: tuple[Image, ...] = ()
    warnings: tuple[str, ...] = ()


class ParsedDocument(Value):
    """The Markdown of a document, by whom it was made, and what is worth knowing about it."""

    markdown: str = Field(repr=False)
    engine: str
    version: str
    tier: str = Field(description="MinerU tier; empty for other engines")
    pages: int = Field(ge=0, description="0: the format has no pages")
    images: tuple[Image, ...] = ()
    warnings: tuple[str, ...] = ()
    trail: tuple[Attempt, ...] = ()
