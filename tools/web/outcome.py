"""What came of fetching one address: bytes, or the one reason why not."""

from typing import Literal

from pydantic import Field

from tools.sop import Frozen

OutcomeKind = Literal[
    "ok",
    "http",  # a status other than 2xx, after every retry
    "robots",  # robots.txt says no
    "robots_unreachable",  # robots.txt could not be had, so nothing may be fetched
    "blocked",  # not a public address (private, loopback, link-local, metadata), or a port or scheme not allowed
    "bad_url",
    "redirect_loop",
    "too_large",  # wire or decoded bytes
    "bad_encoding",
    "truncated",
    "timeout",  # no bytes for too long
    "deadline",  # bytes, but too slowly
    "network",  # name not resolved, connection refused or reset
    "known",  # it is redirected to a page that was asked for already
    "budget",  # the run's fetches, bytes or seconds are used up
]


class Hop(Frozen):
    """One redirect: from where, with which status."""

    url: str
    status: int


class Fetched(Frozen):
    """One address and what came of it; `data` is empty unless `kind` is `ok`."""

    url: str
    kind: OutcomeKind
    reason: str = Field(default="", description="a sentence for a person, when it is not ok")
    final_url: str = ""
    status: int = 0
    hops: tuple[Hop, ...] = ()
    mime: str = Field(default="", description="by content, not by what the server said")
    suffix: str = Field(default="", description="the true one, with its dot")
    headers: dict[str, str] = Field(default_factory=dict, description="last-modified, etag, content-language, ...")
    data: bytes = b""
    wire: int = Field(default=0, ge=0, description="bytes received")
    attempts: int = Field(default=0, ge=0)
    seconds: float = Field(default=0.0, ge=0)
