"""A picture for a model that sees: it travels beside the text of a request and never inside it."""

from typing import Any

from pydantic import Field

from tools.sop import Frozen


class Picture(Frozen):
    """The bytes in base64, and which kind of picture they are, such as `image/png`."""

    mime: str
    base64: str = Field(repr=False)

    @property
    def told(self) -> str:
        """What stands in the text where the picture would be."""
        return f"{self.mime}, {len(self.base64) * 3 // 4:,} bytes, beside this text"

    def block(self) -> dict[str, Any]:
        """The picture as LangChain hands it to any provider."""
        return {"type": "image", "mime_type": self.mime, "base64": self.base64}
