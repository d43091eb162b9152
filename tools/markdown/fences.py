"""The lines that open and close blocks of code."""

import re

_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})")


def is_fence(row: str) -> bool:
    """Whether a line opens or closes a block of code, however deep it stands."""
    return bool(_FENCE.match(row))
