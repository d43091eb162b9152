"""What a page of the mini web answers, and how badly it may be delivered."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Request:
    """One request as a page sees it; `count` is how often this very address was asked for, this time included."""

    host: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    count: int = 1


@dataclass(frozen=True)
class Reply:
    """One response: a whole body, or a stream of chunks that need not end."""

    body: bytes = b""
    mime: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0  # seconds before the status line
    claimed: int | None = None  # Content-Length when it lies
    stream: Callable[[], Iterator[bytes]] | None = None  # instead of the body; ends with the connection


Page = Reply | Callable[[Request], Reply]


def moved(where: str, status: int = 302) -> Reply:
    """A redirect."""
    return Reply(status=status, headers={"Location": where})
