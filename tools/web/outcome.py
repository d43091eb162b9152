"""The result of fetching one URL: its bytes, or the one reason for the failure."""

from typing import Literal

from pydantic import Field

from soprag.tools.sop import Frozen

OutcomeKind = Literal[
    "ok",
    "http",  # a status other than 200 and 203, after all retries
    "robots",  # disallowed by robots.txt
    "robots_unreachable",  # robots.txt cannot be read, so nothing may be fetched (RFC 9309, 2.3.1.4)
    "paused",  # not requested: its host asked for a pause (Retry-After) that has not ended
    "blocked",  # not a public address (private, loopback, link-local, metadata), or a port or scheme not allowed
    "bad_url",
    "redirect_loop",
    "too_large",  # over a limit for bytes on the wire, decoded bytes or header bytes
    "bad_encoding",
    "truncated",
    "timeout",  # no bytes for too long
    "deadline",  # bytes, but too slowly
    "network",  # name not resolved, connection refused or reset
    "duplicate",  # a redirect to a URL that was requested before
    "budget",  # the fetches, bytes or seconds of the run are used up
]


class Hop(Frozen):
    """One redirect: the redirecting URL and its status."""

    url: str
    status: int


class Fetched(Frozen):
    """The result for one URL; `data` is empty unless `kind` is `ok`."""

    url: str
    kind: OutcomeKind
    reason: str = Field(default="", description="a sentence for the user when `kind` is not `ok`")
    final_url: str = ""
    status: int = 0
    hops: tuple[Hop, ...] = ()
    mime: str = Field(default="", description="media type by content, not by the Content-Type header")
    suffix: str = Field(default="", description="file suffix by content, with its dot")
    headers: dict[str, str] = Field(default_factory=dict, description="selected ones, such as last-modified and etag")
    data: bytes = b""
    wire: int = Field(default=0, ge=0, description="bytes received, before decompression")
    attempts: int = Field(default=0, ge=0)
    seconds: float = Field(default=0.0, ge=0)
    pause: float = Field(default=0.0, ge=0, description="seconds until it may be requested, if `paused`")
