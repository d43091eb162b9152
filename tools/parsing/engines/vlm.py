"""A MinerU vision model behind an OpenAI-compatible server, through `mineru-vl-utils`: pictures up, blocks back."""

import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from soprag.tools.parsing.document import Image
from soprag.tools.parsing.jobs import TellPages

_SKIPPED = frozenset({"header", "footer", "page_number", "aside_text", "page_footnote"})


class VlmFault(Exception):
    """The vision model gave no usable answer; the message names the error of its client."""


@dataclass(frozen=True)
class VlmServer:
    """The server and the model on it; raises `VlmFault` when it does not answer."""

    url: str
    model: str = ""
    key: str = field(repr=False, default="")
    timeout: float = 600.0

    def read(self, pages: Sequence[Image], tell: TellPages) -> str:
        """The Markdown of the page pictures."""
        from PIL import Image as Pillow

        texts = []
        with _client_errors():
            client = self._client()
            for page in pages:
                texts.append(_markdown(client.two_step_extract(Pillow.open(io.BytesIO(page.data)).convert("RGB"))))
                tell(len(texts))
        return "\n\n".join(texts)

    def describe(self, picture: Image) -> str:
        """What a picture of a document shows, in the model's words."""
        from PIL import Image as Pillow

        with _client_errors():
            rgb = Pillow.open(io.BytesIO(picture.data)).convert("RGB")
            return str(self._client(describing=True).content_extract(rgb, type="image") or "")

    def _client(self, *, describing: bool = False) -> Any:  # noqa: ANN401 (mineru-vl-utils has no types)
        from mineru_vl_utils import MinerUClient

        return MinerUClient(
            backend="http-client",
            server_url=self.url.rstrip("/").removesuffix("/v1"),
            server_headers={"Authorization": f"Bearer {self.key}"} if self.key else None,
            model_name=self.model or None,
            max_concurrency=4,
            http_timeout=self.timeout,
            max_retries=2,
            use_tqdm=False,
            image_analysis=describing,
        )


@contextlib.contextmanager
def _client_errors() -> Iterator[None]:
    """Raise `VlmFault` for whatever the client raises: its HTTP library is its own affair."""
    try:
        yield
    except Exception as error:
        raise VlmFault(f"{type(error).__name__}: {str(error)[:200]}") from error


def _markdown(blocks: Sequence[Any]) -> str:
    lines = []
    for block in blocks:
        kind, content = str(block["type"]), str(block.get("content") or "").strip()
        if not content or kind in _SKIPPED:
            continue
        lines.append(f"## {content}" if kind == "title" else f"$$\n{content}\n$$" if kind == "equation" else content)
    return "\n\n".join(lines)
