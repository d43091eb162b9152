"""How long to wait before a failed request is sent again, and what a Retry-After header asks for."""

import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\s*-?\d+(?:\.\d+)?\s*", re.ASCII)


@dataclass(frozen=True)
class RetryPolicy:
    """How often a failed request is sent again; the first wait, doubled each time, and the longest one, in seconds."""

    retries: int
    first_wait: float
    longest_wait: float

    def pause(self, attempt: int, requested: float | None = None) -> float | None:
        """Seconds to wait after attempt number `attempt` (from 1) failed; None when it was the last.

        A pause that the server requested is kept as it is; one longer than `longest_wait` is not waited for.
        """
        if attempt > self.retries or (requested or 0.0) > self.longest_wait:
            return None
        if requested is not None:
            return requested
        # Spread out, so that many requests do not come back together.
        return float(min(self.longest_wait, self.first_wait * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0))


def retry_after(header: str) -> float | None:
    """Seconds from now that a Retry-After header names, as a number or an HTTP date (RFC 9110, 10.2.3).

    None when it is neither; 0 for a date in the past or a negative number.
    """
    if _SECONDS.fullmatch(header):
        return max(0.0, float(header))
    try:
        moment = parsedate_to_datetime(header)
        return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None
