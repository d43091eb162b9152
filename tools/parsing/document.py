"""What comes out of a parser: Markdown, its images, and the trail of how it was made."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

_WORDS_PER_LINE = 5

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


class Damage(Value):
    """What is wrong with the Markdown of a PDF, by the evidence of its printed pages (page heads and feet apart)."""

    printed: int = Field(ge=0, description="words on the pages")
    lost: int = Field(default=0, description="words on the pages and not in the Markdown")
    garbled: int = Field(default=0, description="words in the Markdown that no page has, such as WWhheenn")
    unreadable: int = Field(default=0, description="words with signs that stand for no letter")
    repeated: int = Field(default=0, description="lines that the Markdown has more often than the pages")
    headings: int = Field(default=0, description="printed headings that are none in the Markdown")
    marks: int = Field(default=0, description="marks of type left over, such as <u> and ****")

    @property
    def share(self) -> float:
        """The damage per printed word; a line counts as many words, for it misleads more than one of them."""
        words = self.lost + self.garbled + self.unreadable + self.marks
        return (words + _WORDS_PER_LINE * (self.repeated + self.headings)) / max(self.printed, 1)

    def describe(self) -> str:
        """The counts that are not zero, such as `12 of 840 words lost, 2 headings lost`."""
        counts = (
            (self.lost, f"of {self.printed:,} words lost"),
            (self.garbled, "words garbled"),
            (self.unreadable, "words unreadable"),
            (self.repeated, "lines repeated"),
            (self.headings, "headings lost"),
            (self.marks, "marks left over"),
        )
        return ", ".join(f"{count:,} {name}" for count, name in counts if count) or "no damage"


class Extract(Value):
    """What one engine made of one document."""

    markdown: str = Field(repr=False)
    version: str
    pages: int = Field(ge=0, description="0: the format has no pages")
    images: tuple[Image, ...] = ()
    warnings: tuple[str, ...] = ()
    damage: Damage | None = Field(default=None, description="None: no printed pages to compare with")


class ParsedDocument(Value):
    """The Markdown of a document, by whom it was made, and what is worth knowing about it."""

    markdown: str = Field(repr=False)
    engine: str
    version: str
    tier: str = Field(description="MinerU tier; empty for other engines")
    pages: int = Field(ge=0, description="0: the format has no pages")
    images: tuple[Image, ...] = ()
    warnings: tuple[str, ...] = ()
    damage: Damage | None = Field(default=None, description="None: no printed pages to compare with")
    trail: tuple[Attempt, ...] = ()
