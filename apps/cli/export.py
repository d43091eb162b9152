"""`soprag export`: a whole session as Markdown or JSON."""

from pathlib import Path
from typing import Literal

import click

from soprag.apps.cli import options
from soprag.apps.cli.sessions import open_sessions
from soprag.apps.terminal.export import render
from soprag.tools.errors import StorageError

Form = Literal["md", "json"]


@click.command()
@click.argument("id", default="latest")
@click.option("--format", "form", type=click.Choice(["md", "json"]), default="md", help="[default: md]")
@click.option("--out", metavar="FILE", help="Write to this file instead of the screen.")
@options.PROFILE
def export(id: str, form: Form, out: str | None, profile: str | None) -> None:
    """Print a whole session: what was said, shown, done, measured, decided and approved.

    ID is that of `soprag sessions` or its beginning; without it the latest is taken.
    """
    text = export_session(profile, id, form, out)
    click.echo(text, nl=not text.endswith("\n"))


def export_session(profile: str | None, id: str, form: Form, out: str | None) -> str:
    """The session as text; with `out` it is written there, and the text says so."""
    text = render(open_sessions(profile).find(id), form)
    if not out:
        return text
    try:
        Path(out).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise StorageError(f"Cannot write {out!r}: {fault.strerror}.") from fault
    return f"Written to {out}."
