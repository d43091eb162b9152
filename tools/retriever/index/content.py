"""The words of an SOP in the index: its text, its views and the texts of its elements, compressed together.

Views and elements repeat the words of the text. So zlib over all three takes 2.5 kB for a runbook of 2.8 kB whose
three parts take 17 kB as JSON.
"""

import json
import zlib
from dataclasses import dataclass
from functools import cached_property

from soprag.tools.sop import Sop, Views

_LEVEL = 9  # 0.6 ms for a runbook, once


@dataclass(frozen=True)
class Content:
    """The compressed words; each part is read when it is asked for."""

    data: bytes

    @property
    def sop(self) -> Sop:
        """The SOP as it was added."""
        return Sop.model_validate_json(self._parts()[0])

    @property
    def views(self) -> Views:
        """Its card and its three views."""
        return Views.model_validate_json(self._parts()[1])

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every element."""
        return tuple(json.loads(self._parts()[2]))

    def _parts(self) -> list[bytes]:
        return zlib.decompress(self.data).split(b"\n")  # which JSON never holds as it is


def compress(sop: Sop, views: Views, texts: list[str]) -> Content:
    """The words of one SOP, compressed."""
    parts = (
        sop.model_dump_json(exclude_defaults=True),
        views.model_dump_json(exclude_defaults=True),
        json.dumps(texts, ensure_ascii=False),
    )
    return Content(zlib.compress("\n".join(parts).encode(), _LEVEL))
