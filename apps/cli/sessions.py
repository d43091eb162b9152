"""`soprag sessions`: the sessions kept on this machine, without opening an index or a model."""

from pathlib import Path

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.apps.terminal.session_list import session_lines
from soprag.apps.terminal.sessions import SessionCard, Sessions
from soprag.tools.sop import Frozen


@click.command()
@options.JSON
@options.PROFILE
def sessions(as_json: bool, profile: str | None) -> None:
    """List the sessions kept on this machine, the latest first."""
    finish("sessions", as_json, lambda: list_sessions(profile))


class SessionList(Frozen):
    """The sessions of this machine."""

    folder: str
    sessions: list[SessionCard]

    def text(self) -> str:
        """A line each."""
        return "\n".join([*session_lines(self.sessions), f"{len(self.sessions)} sessions in {self.folder}"])


def list_sessions(profile: str | None) -> SessionList:
    """All sessions, the latest first."""
    stored = open_sessions(profile)
    return SessionList(folder=str(stored.folder), sessions=stored.cards())


def open_sessions(profile: str | None) -> Sessions:
    """The sessions of the settings."""
    return Sessions(Path(open_settings(choose_profile(profile), {}).chat.folder))
