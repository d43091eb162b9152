"""One HTTP request to a configured service, with one deadline for all of it and a limit on the size of its answer.

The timeouts of the HTTP library count from byte to byte, so a server that sends headers, informational responses or a
body without end is never late for them.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

MAX_BYTES = 5_000_000


@dataclass(frozen=True)
class BoundedReply:
    """A complete answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as UTF-8; other bytes are replaced."""
        return self.body.decode(errors="replace")


async def send_request(
    method: str,
    url: str,
    seconds: float,
    *,
    headers: Mapping[str, str] | None = None,
    content: bytes | None = None,
    trust_env: bool = True,
) -> BoundedReply:
    """The answer to a request, received within `seconds` and of at most `MAX_BYTES`.

    Redirects are not followed; `trust_env` allows the proxies of the environment. Raises `httpx2.HTTPError`:
    `TimeoutException` when the answer was not complete in time, `ReadError` when it was too large.
    """
    import httpx2

    try:
        async with (
            asyncio.timeout(seconds),
            httpx2.AsyncClient(timeout=seconds, trust_env=trust_env, follow_redirects=False) as client,
            client.stream(
                method, url, headers={"accept-encoding": "identity", **(headers or {})}, content=content
            ) as response,
        ):
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise httpx2.ReadError(f"the answer has more than {MAX_BYTES:,} bytes")
            return BoundedReply(response.status_code, response.headers, bytes(body))
    except TimeoutError:
        raise httpx2.ReadTimeout(f"no complete answer in {seconds:g} s") from None
