"""HTTP client for free JSON search services, with a user agent and limits on time and size."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from soprag.tools.errors import SearchError, Throttled
from soprag.tools.retries import RetryPolicy, retry_after
from soprag.tools.search.retry import Again, insist

_PASSING = frozenset({408, 425, 500, 502, 503, 504})


class SearchRefused(Exception):
    """The service said no (status 4xx), with the JSON it said it in."""

    def __init__(self, status: int, answer: Mapping[str, Any]) -> None:
        super().__init__(str(status))
        self.status = status
        self.answer = answer


@dataclass(frozen=True)
class JsonApi:
    """One service: `title` for messages, `agent` as our introduction, `timeout` in seconds for one try."""

    title: str
    base_url: str
    agent: str
    timeout: float
    retry_policy: RetryPolicy
    max_bytes: int
    headers: tuple[tuple[str, str], ...] = ()

    async def get(self, path: str, **parameters: str) -> Mapping[str, Any]:
        """The JSON object at `path`; raises `Refused`, `Throttled`, `SearchError`."""
        return await insist(self.retry_policy, lambda: self._try(path, parameters))

    async def _try(self, path: str, parameters: Mapping[str, str]) -> Mapping[str, Any]:
        status, headers, body = await self._fetch(path, parameters)
        pause = retry_after(headers.get("retry-after", ""))
        if status == 429:
            raise Again(Throttled(f"{self.title} was asked too often; try again later.", pause or 0.0), pause)
        if status in _PASSING:
            raise Again(SearchError(f"{self.title} failed with status {status}; try again later."), pause)
        answer = self._read(body) if status < 400 else _try_read(body)
        if status >= 400:
            raise SearchRefused(status, answer)
        return answer

    async def _fetch(self, path: str, parameters: Mapping[str, str]) -> tuple[int, Mapping[str, str], bytes]:
        import asyncio

        import httpx2

        body = bytearray()
        headers = {"user-agent": self.agent, "accept": "application/json", "accept-encoding": "gzip, deflate"}
        headers |= dict(self.headers)
        try:
            async with asyncio.timeout(self.timeout), httpx2.AsyncClient(timeout=self.timeout) as client:
                url = self.base_url.rstrip("/") + path
                async with client.stream("GET", url, params=dict(parameters), headers=headers) as reply:
                    async for piece in reply.aiter_bytes():
                        body += piece
                        if len(body) > self.max_bytes:
                            raise SearchError(
                                f"{self.title} sent more than {self.max_bytes:,} bytes; its answer is not used."
                            )
                    return reply.status_code, reply.headers, bytes(body)
        except (TimeoutError, httpx2.TimeoutException):
            raise Again(SearchError(f"{self.title} gave no answer in {self.timeout:g} s; try again later.")) from None
        except httpx2.HTTPError as fault:
            reason = type(fault).__name__
            raise Again(SearchError(f"{self.title} at {self.base_url} cannot be reached ({reason}).")) from None

    def _read(self, body: bytes) -> Mapping[str, Any]:
        answer = _try_read(body)
        if not answer:
            raise Again(SearchError(f"{self.title} answered with something that is not JSON; try again later."))
        return answer


def _try_read(body: bytes) -> Mapping[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
