"""Pictures written into the Markdown as base64 become files of their own, linked from the same place."""

import base64
import binascii
import re

from soprag.tools.parsing.document import Image
from soprag.tools.sop import digest

_INLINE = re.compile(r"!\[([^\]\n]{0,2000})\]\(data:(image/[\w.+-]+);base64,([A-Za-z0-9+/=\s]+)\)")
_HTML = re.compile(r"<img\b[^>]{0,2000}?src=[\"']data:(image/[\w.+-]+);base64,([A-Za-z0-9+/=\s]+)[\"'][^>]*>")
_OTHER = re.compile(r"!\[[^\]\n]{0,2000}\]\(data:[^)]*\)|<img\b[^>]*?src=[\"']data:[^>]*>")
_SUFFIXES = {"image/jpeg": "jpg", "image/svg+xml": "svg", "image/x-icon": "ico"}


def take_out_pictures(markdown: str) -> tuple[str, tuple[Image, ...]]:
    """The Markdown with links to files, and those files; a picture that occurs twice is kept once."""
    images: dict[str, Image] = {}

    def link(media_type: str, payload: str, caption: str) -> str:
        try:
            data = base64.b64decode(payload, validate=False)
        except (binascii.Error, ValueError):
            return ""
        suffix = _SUFFIXES.get(media_type, media_type.removeprefix("image/"))
        name = f"images/{digest(data)[:12]}.{suffix}"
        images.setdefault(name, Image(name=name, media_type=media_type, data=data, caption=caption.strip()))
        return f"![{caption}]({name})"

    markdown = _INLINE.sub(lambda match: link(match[2], match[3], match[1]), markdown)
    markdown = _HTML.sub(lambda match: link(match[1], match[2], ""), markdown)
    return _OTHER.sub("", markdown), tuple(images.values())
