"""The chat in panes: the same conversation, with the step that waits beside it; keys by Textual's pilot."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from soprag.apps.terminal.conversation import Room, TerminalChat
from soprag.apps.terminal.full_screen import FullScreen, PageView
from soprag.apps.terminal.sessions import SessionFolder, Sessions
from soprag.configs.settings import load
from soprag.tools.procedure.page import raw
from soprag.tools.store.logbook import Logbook
from tests.apps.terminal.desk import card, replies
from tests.apps.terminal.scripted import open_scripted

Script = Callable[[FullScreen, Pilot[int]], Awaitable[None]]


async def panes(folder: Path, script: Script, size: tuple[int, int] = (100, 40)) -> tuple[FullScreen, SessionFolder]:
    """Play a script of keys on the chat with the scripted graph."""
    sessions = Sessions(folder)
    session = sessions.new(card())

    async def talk(app: FullScreen) -> int:
        async with open_scripted(load(environment={}), session, "ana") as opened:
            room = Room(session, sessions, opened.dialogue, opened.library, app, app, Logbook(session.logbook))
            chat = TerminalChat(room)
            app.shows(chat)
            return await chat.run()

    app = FullScreen(talk)
    async with app.run_test(size=size) as pilot:
        await asked(app, pilot)
        await script(app, pilot)
    if app.fault:
        raise app.fault
    return app, session


async def asked(app: FullScreen, pilot: Pilot[int]) -> None:
    """Wait until something is asked."""
    async with asyncio.timeout(60):
        while app.asked is None or app.asked.done():
            if app.fault:
                raise app.fault
            await pilot.pause(0.02)


async def types(app: FullScreen, pilot: Pilot[int], *lines: str) -> None:
    for line in lines:
        await keys(app, pilot, line)
        await asked(app, pilot)


async def keys(app: FullScreen, pilot: Pilot[int], line: str) -> None:
    """The keys of a line and Enter, all at once, as a terminal sends what was pasted."""
    for key in [*line, "enter"]:
        name = "enter" if key == "enter" else _character_to_key(key)
        app.post_message(events.Key(name, None if key == "enter" else key))
    await pilot.pause(0.02)


def said(app: FullScreen) -> str:
    return "\n".join(raw(view.blocks) for view in app.said.query(PageView))


async def test_the_conversation_and_the_step_that_waits_stand_side_by_side(tmp_path: Path) -> None:
    async def script(app: FullScreen, pilot: Pilot[int]) -> None:
        assert "Nothing waits." in raw(app.step.blocks)
        await types(app, pilot, "guide me")
        assert raw(app.step.blocks).startswith("Before step 1 of 3")
        await types(app, pilot, "ack")
        assert "1. Open <V-101> and *wait* [red]." in raw(app.step.blocks)
        assert app.now.region.x >= app.said.region.right
        await types(app, pilot, "done", "1", "done 9 bar")
        assert ">> '9 bar' is outside '2 to 6 bar'." in raw(app.step.blocks)
        assert "step 3/3> done 9 bar" in said(app)
        await types(app, pilot, "done 4 bar")
        assert "The run has ended." in said(app)
        assert "Nothing waits." in raw(app.step.blocks)
        await pilot.press("ctrl+d")
        await pilot.pause()

    app, session = await panes(tmp_path, script)
    assert app.return_value == 0
    assert [reply["message"] for reply in await replies(session) if "message" in reply] == [
        "done", "1", "done 9 bar", "done 4 bar",
    ]  # fmt: skip


async def test_a_narrow_terminal_has_the_step_below_the_conversation(tmp_path: Path) -> None:
    async def script(app: FullScreen, pilot: Pilot[int]) -> None:
        await types(app, pilot, "guide me")
        assert app.now.region.y >= app.said.region.bottom
        assert app.said.region.width == 60

    await panes(tmp_path, script, (60, 24))


async def test_keys_complete_recall_and_begin_a_new_line(tmp_path: Path) -> None:
    async def script(app: FullScreen, pilot: Pilot[int]) -> None:
        await types(app, pilot, "the fan stopped")
        await pilot.press("up")
        assert app.input.text == "the fan stopped"
        await pilot.press("down", *"/han", "tab")
        assert app.input.text == "/handover "
        await pilot.press("ctrl+j", "x")
        assert app.input.text == "/handover \nx"

    await panes(tmp_path, script)


async def test_ctrl_c_cancels_a_turn_and_twice_leaves_at_the_prompt(tmp_path: Path) -> None:
    async def script(app: FullScreen, pilot: Pilot[int]) -> None:
        await keys(app, pilot, "slow")
        async with asyncio.timeout(60):
            while not (app.trail and app.trail.rows):
                await pilot.pause(0.02)
        assert app.input.disabled
        await pilot.press("ctrl+c")
        await asked(app, pilot)
        assert "Cancelled; what was finished is kept." in said(app)
        await types(app, pilot, "/help quit")
        await pilot.press("ctrl+c", "ctrl+c")
        await pilot.pause()

    app, _ = await panes(tmp_path, script)
    assert app.return_value == 130


async def test_what_the_chat_raises_reaches_whoever_opened_it(tmp_path: Path) -> None:
    async def fail(app: FullScreen) -> int:
        raise ValueError("no index")

    app = FullScreen(fail)
    async with app.run_test():
        pass
    with pytest.raises(ValueError, match="no index"):
        raise app.fault or AssertionError
