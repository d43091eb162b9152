"""What pictures show: the caption that the document prints beside one, or the words of whoever has looked at it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from soprag.tools.parsing.document import Image

_LINK = re.compile(r"^!\[([^\]\n]*)\]\((\S+?)\)$")
_PRINTED = re.compile(
    r"^[*_]{0,3}(?i:fig(?:ure|\.)?|photo(?:graph)?|picture|illustration|diagram|abb(?:ildung|\.)?|bild|image)\s*"
    r"(?:\d{1,3}(?:[.-]\d{1,3})?\b|[A-Z]\s*[:.\u2013-])"
)
_LONGEST = 300
_SMALLEST = 4096  # bytes; less is a bullet, a line or a logo
_NEAR = 600  # characters on each side of a picture


@dataclass(frozen=True)
class Captioned:
    """The Markdown with its links captioned, and the pictures with the same captions."""

    markdown: str
    images: tuple[Image, ...]


def caption_printed(markdown: str, images: tuple[Image, ...]) -> Captioned:
    """Take the captions that stand right below or above a picture; they stay in the text as well."""
    blocks = re.split(r"\n{2,}", markdown.strip())
    printed: dict[str, str] = {}
    for index, block in enumerate(blocks):
        link = _LINK.match(block.strip())
        beside = [blocks[near] for near in (index + 1, index - 1) if 0 <= near < len(blocks)]
        if link and not link[1].strip() and (caption := next(filter(_PRINTED.match, beside), "")):
            printed.setdefault(link[2], caption)
    return add_captions(markdown, images, printed)


def undescribed(images: tuple[Image, ...]) -> list[Image]:
    """The pictures of which the document says nothing, marks and lines apart."""
    return [image for image in images if not image.caption.strip() and len(image.data) >= _SMALLEST]


def surroundings(markdown: str, image: Image) -> str:
    """The text around the first place where the picture stands, with a mark in its place."""
    before, _, after = markdown.partition(f"![]({image.name})")
    return f"{before[-_NEAR:]}[the picture]{after[:_NEAR]}"


def add_captions(markdown: str, images: tuple[Image, ...], descriptions: Mapping[str, str]) -> Captioned:
    """With the captions `said` of pictures by name; an empty one changes nothing."""
    captions = {name: caption for name, description in descriptions.items() if (caption := _one_line(description))}
    for name, caption in captions.items():
        markdown = markdown.replace(f"![]({name})", f"![{caption}]({name})")
    return Captioned(
        markdown,
        tuple(image.model_copy(update={"caption": captions.get(image.name, image.caption)}) for image in images),
    )


def _one_line(text: str) -> str:
    """Words only: what a caption says must not become a link, a mark or another block."""
    plain = " ".join(re.sub(r"[\[\]()<>!`*_|#]", " ", text).split())
    return plain if len(plain) <= _LONGEST else plain[:_LONGEST].rsplit(" ", 1)[0] + " ..."
