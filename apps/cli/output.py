"""What commands print: a result as text or JSON, and lines on stderr."""

import json
import shutil
import sys
from collections.abc import Callable
from typing import Any, Protocol

import click


class Printable(Protocol):
    """A result that a command prints."""

    def text(self) -> str:
        """For a person."""
        ...

    def model_dump(self, *, mode: str) -> Any:  # noqa: ANN401 - whatever the result holds
        """For a program."""
        ...


def finish(command: str, as_json: bool, work: Callable[[], Printable]) -> None:
    """Do `work` and print its result: as text, or with --json in an envelope."""
    result = work()
    if as_json:
        envelope = {"schema_version": 1, "command": command, "data": result.model_dump(mode="json")}
        click.echo(json.dumps(envelope, ensure_ascii=False, indent=1))
    else:
        text = result.text()
        click.echo(_broken(text) if sys.stdout.isatty() else text)


def _broken(text: str) -> str:
    """The text with its lines broken between words and indented as they begin, for the terminal as wide as it is."""
    from soprag.tools.procedure.page import by_line, fitted

    return fitted(by_line(text), shutil.get_terminal_size().columns)


def say(line: str) -> None:
    """A line on stderr."""
    click.echo(line, err=True)
