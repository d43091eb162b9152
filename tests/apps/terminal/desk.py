"""A chat without a terminal: typed lines come from a list, and what is printed and asked is kept in order."""

from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from soprag.apps.terminal.conversation import Leave, Room, TerminalChat
from soprag.apps.terminal.progress import ExpertProgress
from soprag.apps.terminal.sessions import SessionCard, SessionFolder, Sessions, new_id, now
from soprag.configs.settings import load
from soprag.tools.procedure.page import PageBlock, raw
from soprag.tools.store.logbook import Logbook
from tests.apps.terminal.scripted import open_scripted


class Tape:
    """Screen and reader in one: notes in order what was shown and asked, and fails when both happen at once."""

    attended = True

    def __init__(self, typed: Iterable[str | type[BaseException]], *, attended: bool = True) -> None:
        self.typed = list(typed)
        self.attended = attended
        self.rows: list[str] = []
        self.notes: list[ExpertProgress] = []
        self.defaults: list[str] = []
        self.rung = 0
        self.drawing = False

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    def page(self, blocks: Iterable[PageBlock]) -> None:
        self.rows.append(raw(blocks))

    def say(self, text: str, style: str = "") -> None:
        self.rows.append(text)

    @contextmanager
    def working(self) -> Any:
        assert not self.drawing
        self.drawing = True
        try:
            yield self
        finally:
            self.drawing = False

    @contextmanager
    def deaf(self) -> Any:
        yield

    def note(self, event: ExpertProgress) -> None:
        self.notes.append(event)

    def bell(self) -> None:
        self.rung += 1

    async def line(self, prompt: str, default: str = "") -> str:
        assert not self.drawing, "asked while something was drawn"
        self.defaults.append(default)
        if not self.typed:
            raise EOFError
        typed = self.typed.pop(0)
        self.rows.append(f"{prompt}{typed}")
        if isinstance(typed, str):
            return typed or default
        raise typed

    answer = line


def card(**changes: Any) -> SessionCard:
    held = SessionCard(id=new_id(), created=now(), updated=now(), operator="ana", profile="offline", index="index")
    return held.model_copy(update=changes)


async def chat(folder: Path, *typed: str | type[BaseException], **room: Any) -> tuple[Tape, int, SessionFolder]:
    """Talk, in a new `session` or a given one; gives what was shown, the exit code and the session."""
    tape = Tape(typed, attended=room.pop("attended", True))
    sessions = Sessions(folder)
    session = room.pop("session", None) or sessions.new(card())
    async with open_scripted(load(environment={}), session, "ana") as opened:
        desk = Room(session, sessions, opened.dialogue, opened.library, tape, tape, Logbook(session.logbook), **room)
        talk = TerminalChat(desk)
        try:
            return tape, await talk.run(), session
        except Leave as leaving:
            tape.rows.append(f"leaves for {leaving.session!r}")
            return tape, leaving.code, session


async def replies(session: SessionFolder) -> list[dict[str, Any]]:
    """What the graph was answered, in order."""
    async with open_scripted(load(environment={}), session, "ana") as opened:
        snapshot = await opened.dialogue.graph.aget_state(opened.dialogue._config)
        return list(snapshot.values.get("seen", []))
