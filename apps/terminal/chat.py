"""`soprag chat`: a screen and a reader for this terminal, then one session after the other until the person leaves."""

import asyncio
import dataclasses
import importlib.util
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack

import click

from soprag.apps.terminal.conversation import Leave, Room, TerminalChat
from soprag.apps.terminal.example_index import choose_index
from soprag.apps.terminal.library import Library
from soprag.apps.terminal.line_readers import LineReader, LineSource, PromptReader
from soprag.apps.terminal.progress import ExpertProgress
from soprag.apps.terminal.screen import PlainScreen, RichScreen, Screen, capable_terminal
from soprag.apps.terminal.session_start import ChatCall, Opened, Setup, set_up
from soprag.apps.terminal.sessions import SessionFolder
from soprag.tools.errors import ConfigError, UsageError
from soprag.tools.store.logbook import Logbook

_HISTORY = "history"
Begun = Callable[[TerminalChat], None]


def _nothing(chat: TerminalChat) -> None:
    pass


def talk(call: ChatCall) -> int:
    """Chat until the person leaves; gives the exit code."""
    if call.full_screen:
        _check_panes()
    attended = sys.stdin.isatty() and sys.stdout.isatty()
    setup = choose_index(set_up(call), attended=attended)
    while True:
        folder = setup.start()
        try:
            return asyncio.run(_in_panes(setup, folder) if call.full_screen else _at_prompt(setup, folder))
        except Leave as leaving:
            next_folder = setup.sessions.find(leaving.session) if leaving.session else None
            setup = dataclasses.replace(setup, folder=next_folder)
            if next_folder:
                setup = dataclasses.replace(setup, settings=call.settings(next_folder.read()))
        finally:
            _farewell(folder)


async def _session(
    setup: Setup, folder: SessionFolder, place: tuple[Screen, LineSource], begun: Begun = _nothing
) -> int:
    screen, reader = place
    with folder.held():
        async with AsyncExitStack() as stack:
            with reader.deaf():  # what is typed before the prompt stands there would be half of a message
                with screen.working() as working:
                    working.note(ExpertProgress(expert="opening the index"))
                    opened = await stack.enter_async_context(setup.open(setup.settings, folder, setup.operator))
                conversation = TerminalChat(room(setup, opened, screen, reader))
                begun(conversation)
                _greet(conversation, setup)
            return await conversation.run()


async def _at_prompt(setup: Setup, folder: SessionFolder) -> int:
    """The session at this terminal, or at the pipe that is there instead."""
    screen, capable = open_screen(setup)
    if not capable:
        return await _session(setup, folder, (screen, LineReader()))
    library: Library | None = None

    def offers(name: str) -> list[str]:
        if name == "resume":
            return [card.id for card in setup.sessions.cards()]
        return library.titles() if library and name in ("", "sops") else []

    def begun(chat: TerminalChat) -> None:
        nonlocal library
        library = chat.room.library

    return await _session(setup, folder, (screen, PromptReader(setup.sessions.folder / _HISTORY, offers)), begun)


async def _in_panes(setup: Setup, folder: SessionFolder) -> int:
    from soprag.apps.terminal.full_screen import in_panes

    bell = setup.settings.chat.bell
    return await in_panes(lambda panes: _session(setup, folder, (panes, panes), panes.shows), bell=bell)


def _check_panes() -> None:
    """Raise `ConfigError` without the extra and `UsageError` without a terminal."""
    if importlib.util.find_spec("textual") is None:
        raise ConfigError("--full-screen needs the extra `panes`: pip install 'soprag[panes]'.")
    if not capable_terminal():
        raise UsageError("--full-screen needs a terminal that can draw.")


def room(setup: Setup, opened: Opened, screen: Screen, reader: LineSource) -> Room:
    """The chat's surroundings at this terminal."""
    return Room(
        session=opened.folder,
        sessions=setup.sessions,
        dialogue=opened.dialogue,
        library=opened.library,
        reader=reader,
        screen=screen,
        logbook=Logbook(opened.folder.logbook),
        operator=setup.operator,
        policy=setup.settings.chat.approver,
        ledger=opened.ledger,
    )


def open_screen(setup: Setup) -> tuple[Screen, bool]:
    """The screen for where stdout goes, and whether the terminal can draw."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    capable = capable_terminal() and not setup.call.plain
    bell = setup.settings.chat.bell
    if capable:
        return RichScreen(bell=bell), True
    return PlainScreen(sys.stdout, sys.stdout if interactive else sys.stderr, bell=bell), False


def _greet(chat: TerminalChat, setup: Setup) -> None:
    screen, session = chat.screen, chat.room.session
    name = "rules, no model" if setup.settings.llm.model == "rules" else setup.settings.llm.model
    screen.say(f"SOPRAG · {chat.room.library.size} procedures · {name}", "bold")
    card = session.read()
    if card.turns:
        screen.say(f"Going on with: {card.title}" + (f" · {card.at}" if card.at else ""))
        screen.say("Some time may have passed: check that what was done before still holds.", "bold yellow")
    else:
        screen.say("Describe what you see, or name a procedure. /help says what can be typed; Ctrl+D leaves.", "dim")


def _farewell(folder: SessionFolder) -> None:
    try:
        click.echo(f"The session is kept in {folder.path.parent}. Go on with: soprag chat --resume {folder.id}")
    except OSError:  # the terminal is gone
        return
