"""The rate limiter that all requests of one event loop share."""

import asyncio

import pytest

from soprag.tools.llm.client_pool import RateLimiter


@pytest.fixture
def sleeps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses in seconds that were asked for; none of them is waited out."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return pauses


async def test_a_pause_the_server_asked_for_holds_every_other_request(sleeps: list[float]) -> None:
    limiter = RateLimiter(per_second=0)
    await limiter.turn()
    assert sleeps == []
    limiter.hold(60)
    await limiter.turn()
    await limiter.turn()
    assert len(sleeps) == 2
    assert all(50 < pause <= 60 for pause in sleeps)


async def test_requests_are_spaced_by_the_rate(sleeps: list[float]) -> None:
    limiter = RateLimiter(per_second=0.1)
    for _ in range(3):
        await limiter.turn()
    assert [round(pause, -1) for pause in sleeps] == [10, 20]
