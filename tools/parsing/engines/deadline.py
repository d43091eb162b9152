"""A transport for the HTTP client of a parsing server: the read timeout bounds the whole answer.

The HTTP library counts it from byte to byte, so an answer that drips, headers included, would never be late.
"""

import time
from collections.abc import Iterable
from ssl import SSLContext
from typing import Any

import httpcore2
import httpx2


def deadline_transport() -> httpx2.HTTPTransport:
    """A transport without proxies whose answers are complete within the read timeout, or `httpx2.ReadTimeout`."""
    transport = httpx2.HTTPTransport(trust_env=False)
    # The transport takes no backend of its own: its pool is replaced before it is ever used.
    transport._pool = httpcore2.ConnectionPool(
        ssl_context=httpx2.create_ssl_context(trust_env=False), network_backend=_DeadlineBackend()
    )
    return transport


class _DeadlineStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner
        self._end: float | None = None  # monotonic seconds; None until the first read of an answer

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if timeout is None:
            return self._inner.read(max_bytes)
        clock = time.monotonic()
        self._end = clock + timeout if self._end is None else self._end
        if clock >= self._end:
            raise httpcore2.ReadTimeout("the answer was not complete in time")
        return self._inner.read(max_bytes, min(timeout, self._end - clock))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._end = None
        self._inner.write(buffer, timeout)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - as the base class has it
        return self._inner.get_extra_info(info)


class _DeadlineBackend(httpcore2.NetworkBackend):
    def __init__(self) -> None:
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        return _DeadlineStream(self._inner.connect_tcp(host, port, timeout, local_address, socket_options))

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)
