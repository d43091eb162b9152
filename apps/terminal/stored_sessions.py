"""`soprag sessions` and `soprag export`: what is kept of sessions, without opening an index or a model."""

from pathlib import Path

from soprag.apps.compose import components
from soprag.apps.terminal.export import Form, render
from soprag.apps.terminal.session_list import session_lines
from soprag.apps.terminal.sessions import SessionCard, Sessions
from soprag.configs.settings import Settings
from soprag.tools.errors import StorageError
from soprag.tools.sop import Frozen


class SessionList(Frozen):
    """The sessions of this machine."""

    folder: str
    sessions: list[SessionCard]

    def text(self) -> str:
        """A line each."""
        return "\n".join([*session_lines(self.sessions), f"{len(self.sessions)} sessions in {self.folder}"])


def list_sessions(profile: str | None) -> SessionList:
    """All sessions, the latest first."""
    folder = _sessions(profile)
    return SessionList(folder=str(folder.folder), sessions=folder.cards())


def export_session(profile: str | None, id: str, form: Form, out: str | None) -> str:
    """The session as text; with `out` it is written there, and the text says so."""
    text = render(_sessions(profile).find(id), form)
    if not out:
        return text
    try:
        Path(out).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise StorageError(f"Cannot write {out!r}: {fault.strerror}.") from fault
    return f"Written to {out}."


def _sessions(profile: str | None) -> Sessions:
    settings: Settings = components.open_settings(components.choose_profile(profile), {})
    return Sessions(Path(settings.chat.folder))
