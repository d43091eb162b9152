"""One request at a time for equal keys: whoever comes second waits, and finds the first one's result in the cache."""

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary


@dataclass(frozen=True)
class SingleFlight:
    """A lock per key and event loop; locks that nobody holds are discarded."""

    _locks: "WeakValueDictionary[tuple[asyncio.AbstractEventLoop, str], asyncio.Lock]" = field(
        default_factory=WeakValueDictionary
    )

    def of(self, key: str) -> asyncio.Lock:
        """The lock of `key` in the running event loop."""
        return self._locks.setdefault((asyncio.get_running_loop(), key), asyncio.Lock())
