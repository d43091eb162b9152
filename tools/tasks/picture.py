"""A picture input for multimodal models, sent as a content block beside the text of a request."""

import base64
from typing import Any

from pydantic import Field

from soprag.tools.sop import Frozen

_KINDS = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
_LARGEST = 4_000_000  # bytes


class Picture(Frozen):
    """The bytes in base64, and which kind of picture they are, such as `image/png`."""

    mime: str
    base64: str = Field(repr=False)

    @staticmethod
    def of(data: bytes, mime: str) -> "Picture | None":
        """The picture, unless models take none of its kind or size."""
        if mime not in _KINDS or len(data) > _LARGEST:
            return None
        return Picture(mime=mime, base64=base64.b64encode(data).decode())

    @property
    def told(self) -> str:
        """The placeholder for the picture in the text."""
        return f"{self.mime}, {len(self.base64) * 3 // 4:,} bytes, beside this text"

    def block(self) -> dict[str, Any]:
        """The picture as LangChain hands it to any provider."""
        return {"type": "image", "mime_type": self.mime, "base64": self.base64}
