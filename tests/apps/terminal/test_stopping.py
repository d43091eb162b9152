"""Ctrl-C while a turn runs, with real signals."""

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from soprag.apps.terminal.interrupts import Stopping, interruptible
from tests.apps.terminal.desk import chat


async def press_after(seconds: float) -> None:
    await asyncio.sleep(seconds)
    os.kill(os.getpid(), signal.SIGINT)


async def test_the_first_ctrl_c_cancels_the_turn_and_the_chat_goes_on(tmp_path: Path) -> None:
    began, pressing = time.monotonic(), asyncio.ensure_future(press_after(0.6))
    tape, code, session = await chat(tmp_path, "slow one", "which pump?")
    await pressing
    assert time.monotonic() - began < 10
    assert "Cancelled; what was finished is kept." in tape.text
    assert "Which pump: A or B?" in tape.text
    assert code == 0
    assert session.read().turns == 2


async def test_a_second_ctrl_c_within_two_seconds_leaves_and_a_later_one_cancels_again() -> None:
    now, left = [0.0], []
    stopping = Stopping(lambda: now[0], lambda: left.append(now[0]))
    for at in (0.0, 5.0, 6.5):
        now[0] = at
        pressing = asyncio.ensure_future(press_after(0.01))
        assert not await stopping.run(asyncio.sleep(5))
        await pressing
    assert left == [6.5]


async def test_the_handler_of_before_is_back_after_a_turn() -> None:
    before = signal.getsignal(signal.SIGINT)
    assert await Stopping().run(asyncio.sleep(0))
    assert signal.getsignal(signal.SIGINT) is before


async def test_a_cancelled_caller_is_not_taken_for_ctrl_c() -> None:
    task = asyncio.ensure_future(Stopping().run(asyncio.sleep(5)))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_plain_input_is_interrupted_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)


async def test_a_cancelled_turn_can_be_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pressing = asyncio.ensure_future(press_after(0.6))
    _, _, session = await chat(tmp_path, "slow one")
    await pressing
    monkeypatch.setattr("tests.apps.terminal.scripted.SLOW", 0.0)
    tape, _, _ = await chat(tmp_path, "/resume", "/resume", session=session)
    assert "The last turn was not finished" in tape.text
    assert "1. Lock out *FAN-2*." in tape.text
    assert "Nothing is left to go on with here" in tape.text
