"""What pictures show: a caption that the document prints beside one, or else one by the vision model."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tools.parsing.document import Image

_LINK = re.compile(r"^!\[([^\]\n]*)\]\((\S+?)\)$")
_PRINTED = re.compile(
    r"^[*_]{0,3}(?i:fig(?:ure|\.)?|photo(?:graph)?|picture|illustration|diagram|abb(?:ildung|\.)?|bild|image)\s*"
    r"(?:\d{1,3}(?:[.-]\d{1,3})?\b|[A-Z]\s*[:.\u2013-])"
)
_LONGEST = 300
_SMALLEST = 4096  # bytes; less is a bullet, a line or a logo


@dataclass(frozen=True)
class Captioned:
    """The Markdown with its links captioned, and the pictures with the same captions."""

    markdown: str
    images: tuple[Image, ...]


def caption_printed(markdown: str, images: tuple[Image, ...]) -> Captioned:
    """Take the captions that stand right below or above a picture; they stay in the text as well."""
    blocks = re.split(r"\n{2,}", markdown.strip())
    found: dict[str, str] = {}
    for at, block in enumerate(blocks):
        link = _LINK.match(block.strip())
        beside = [blocks[near] for near in (at + 1, at - 1) if 0 <= near < len(blocks)]
        if link and not link[1].strip() and (said := next(filter(_PRINTED.match, beside), "")):
            found.setdefault(link[2], _one_line(said))
    return _applied(markdown, images, found)


def caption_shown(markdown: str, images: tuple[Image, ...], look: Callable[[Image], str]) -> Captioned:
    """Let `look` say what the pictures without a caption show; it raises when it cannot look at any."""
    wanted = [one for one in images if not one.caption.strip() and len(one.data) >= _SMALLEST]
    return _applied(markdown, images, {one.name: said for one in wanted if (said := _one_line(look(one)))})


def _applied(markdown: str, images: tuple[Image, ...], captions: dict[str, str]) -> Captioned:
    for name, caption in captions.items():
        markdown = markdown.replace(f"![]({name})", f"![{caption}]({name})")
    return Captioned(
        markdown, tuple(one.model_copy(update={"caption": captions.get(one.name, one.caption)}) for one in images)
    )


def _one_line(text: str) -> str:
    """Words only: what a caption says must not become a link, a mark or another block."""
    words = " ".join(re.sub(r"[\[\]()<>!`*_|#]", " ", text).split())
    return words if len(words) <= _LONGEST else words[:_LONGEST].rsplit(" ", 1)[0] + " ..."
