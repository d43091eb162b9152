"""The time one document may take, all its engines together; waiting for a server does not count."""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

_LEAST = 0.01


@dataclass
class TimeBudget:
    """So many seconds from now on."""

    seconds: float
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.seconds

    def remaining(self, share: float = 1.0) -> float:
        """The seconds that remain, or a share of them."""
        return max((self._end - time.monotonic()) * share, _LEAST)

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return time.monotonic() >= self._end

    def widen(self, seconds: float) -> None:
        """Allow `seconds` in all, when a first look showed that the document needs them."""
        self._end += max(seconds - self.seconds, 0.0)
        self.seconds = max(seconds, self.seconds)

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Time that goes by inside is not the document's: a server has a limit of its own."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._end += time.monotonic() - begun
