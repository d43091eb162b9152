"""A connection that limits the bytes between a request and the body of its response.

A server may send informational responses (1xx) and header lines without end. The HTTP parser limits one header block,
not the number of informational responses before the final one.
"""

from ssl import SSLContext
from typing import Any

import httpcore2


class HeadTooLarge(httpcore2.RemoteProtocolError):
    """More bytes than allowed were received before the body of a response."""


class HeadLimitedStream(httpcore2.AsyncNetworkStream):
    """Passes everything on to `inner`; reads raise `HeadTooLarge` beyond `limit` bytes until `begin_body` is called.

    A read returns up to 64 KiB, so the bytes counted for a head may include the beginning of its body.
    """

    def __init__(self, inner: httpcore2.AsyncNetworkStream, limit: int) -> None:
        self._inner = inner
        self._limit = limit
        self._remaining: int | None = limit

    def begin_body(self) -> None:
        """The response head was received: from now on its body is read, which has limits of its own."""
        self._remaining = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """The next bytes, empty at the end."""
        data = await self._inner.read(max_bytes, timeout)
        if self._remaining is not None:
            self._remaining -= len(data)
            if self._remaining < 0:
                raise HeadTooLarge(f"more than {self._limit:,} bytes before the body")
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send bytes of a request, whose response is limited anew."""
        self._remaining = self._limit
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        """Close the connection."""
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        """The connection after the TLS handshake, with the same limit."""
        return HeadLimitedStream(await self._inner.start_tls(ssl_context, server_hostname, timeout), self._limit)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - as the base class has it
        """Facts about the socket, such as its peer."""
        return self._inner.get_extra_info(info)
