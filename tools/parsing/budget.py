"""The time one document may use, all its engines together; waiting for a server or for a core uses none."""

from dataclasses import dataclass

_LEAST = 0.01


@dataclass
class TimeBudget:
    """Seconds that parser processes may use for one document, see `process_time`, and what they have used of them."""

    seconds: float
    used: float = 0.0

    def charge(self, seconds: float) -> None:
        """Count what a process has used."""
        self.used += seconds

    def remaining(self, share: float = 1.0) -> float:
        """The seconds that remain, or a share of them."""
        return max((self.seconds - self.used) * share, _LEAST)

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.used >= self.seconds

    def widen(self, seconds: float) -> None:
        """Allow `seconds` in all, when a first look showed that the document needs them."""
        self.seconds = max(seconds, self.seconds)
