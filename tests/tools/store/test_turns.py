"""The turns on the threads of a database, with two processes played by two connections."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from soprag.tools.errors import StorageError
from soprag.tools.store import turns as module
from soprag.tools.store.session_database import SessionDatabase
from soprag.tools.store.turns import Turns
from tests.postgres import new_schema


@pytest.fixture
async def both(server: str) -> AsyncIterator[tuple[Turns, Turns]]:
    database = SessionDatabase.of(new_schema(server))
    await asyncio.to_thread(database.prepare)
    one, two = Turns(database), Turns(database)
    yield one, two
    await one.close()
    await two.close()
    database.close()


async def held(turns: Turns, thread: str) -> "asyncio.Task[None]":
    """A turn that goes on until it is cancelled."""
    begun = asyncio.Event()

    async def work() -> None:
        async with turns.hold(thread, "troubleshoot"):
            begun.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(work())
    await begun.wait()
    return task


async def killed(database: SessionDatabase, thread: str) -> None:
    """A turn whose process died in the middle of it: the connection is gone, and nothing is tidied up."""
    dead = Turns(database)
    task = await held(dead, thread)
    await dead.close()
    dead.leaving = True
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await dead.close()


async def test_a_thread_is_worked_on_by_one_process_at_a_time(both: tuple[Turns, Turns]) -> None:
    order: list[str] = []

    async def work(turns: Turns, name: str) -> None:
        async with turns.hold("t", "troubleshoot"):
            order.append(f"{name} begins")
            await asyncio.sleep(0.3)
            order.append(f"{name} ends")

    first = asyncio.create_task(work(both[0], "one"))
    await asyncio.sleep(0.1)
    await asyncio.gather(first, work(both[1], "two"))
    assert order == ["one begins", "one ends", "two begins", "two ends"]


async def test_other_threads_are_not_waited_for(both: tuple[Turns, Turns]) -> None:
    async with both[0].hold("t", "troubleshoot"), asyncio.timeout(5), both[1].hold("u", "troubleshoot"):
        assert await both[1].cut() == []


async def test_a_turn_whose_process_died_is_taken_by_one_process(both: tuple[Turns, Turns]) -> None:
    await killed(both[0].database, "t")
    [turn] = await both[1].cut()
    assert (turn.thread, turn.graph, turn.tries) == ("t", "troubleshoot", 1)
    async with both[1].take(turn) as first, both[0].take(turn) as second:
        assert (first, second) == (True, False)
        assert await both[0].cut("t") == []
        async with both[1].hold("t", "troubleshoot"):
            pass
    assert await both[0].cut() == []


async def test_a_turn_that_another_process_took_meanwhile_is_not_taken_again(both: tuple[Turns, Turns]) -> None:
    await killed(both[0].database, "t")
    [turn] = await both[1].cut()
    async with both[1].hold("t", "troubleshoot"):
        pass
    async with both[0].take(turn) as taken:
        assert not taken


async def test_how_often_a_turn_was_begun_is_counted(both: tuple[Turns, Turns]) -> None:
    await killed(both[0].database, "t")
    await killed(both[1].database, "t")
    assert [turn.tries for turn in await both[0].cut()] == [2]


@pytest.mark.parametrize(("leaving", "left"), [(True, ["t"]), (False, [])])
async def test_a_cancelled_turn_is_left_to_others_when_its_process_ends(
    both: tuple[Turns, Turns], leaving: bool, left: list[str]
) -> None:
    task = await held(both[0], "t")
    both[0].leaving = leaving
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [turn.thread for turn in await both[1].cut()] == left


@pytest.mark.parametrize(("error", "left"), [(StorageError("no connection"), ["t"]), (ValueError("no"), [])])
async def test_a_turn_whose_states_could_not_be_kept_is_taken_up(
    both: tuple[Turns, Turns], error: Exception, left: list[str]
) -> None:
    with pytest.raises(type(error)):
        async with both[0].hold("t", "troubleshoot"):
            raise error
    assert [turn.thread for turn in await both[1].cut()] == left


async def test_a_turn_that_lives_when_the_database_returns_has_its_lock_again(
    both: tuple[Turns, Turns], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody takes it up: not before its process has seen that the database is back, and not after."""
    monkeypatch.setattr(module, "_RETURN", 0.5)
    task = await held(both[0], "t")
    await both[1].cut()
    for turns in both:
        await turns.close()  # as when the database goes away
    looking = asyncio.create_task(both[1].cut())
    await asyncio.sleep(0.1)
    assert not looking.done()  # the lock is not held yet, but the database is just back
    assert await both[0].cut() == []  # any statement of the process takes the lock again
    assert await looking == []
    assert await both[1].cut() == []
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    async with asyncio.timeout(5), both[1].hold("t", "troubleshoot"):
        assert not both[0]._held


async def test_a_turn_whose_process_does_not_return_with_the_database_is_taken_up(
    both: tuple[Turns, Turns], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_RETURN", 0.2)
    await killed(both[0].database, "t")
    await both[1].cut()
    await both[1].close()
    assert [turn.thread for turn in await both[1].cut()] == ["t"]
