"""Counts of what an extraction lost and what was restored."""

from dataclasses import dataclass, fields


@dataclass
class Losses:
    """Counts of answer parts dropped for lack of support in the SOP, and of parts restored from the code's reading."""

    entities: int = 0
    states: int = 0
    links: int = 0
    steps: int = 0
    branches: int = 0
    conditions: int = 0
    warnings: int = 0
    restored_steps: int = 0
    restored_warnings: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(getattr(self, part.name) for part in fields(self))
