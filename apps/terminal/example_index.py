"""The first start on a machine: where there is no index yet, the person is asked before the example library is used."""

import dataclasses
import sys

import click

from soprag.apps.compose import example_index
from soprag.apps.progress import open_progress
from soprag.apps.terminal.session_start import Setup
from soprag.tools.errors import UsageError


def choose_index(setup: Setup, *, attended: bool, quiet: bool = False) -> Setup:
    """The setup with an index that exists: the operator's own, else that of the example library.

    Whoever is `attended` by a person agrees before the example library is indexed. Raises `UsageError` after a no, and
    when an index was named that does not exist.
    """
    settings = setup.settings
    if not example_index.has_index(settings):
        settings = example_index.on_examples(settings)
        if attended and not example_index.example_is_built(settings):
            _offer(setup.settings.index.folder)
    with open_progress(quiet) as progress:
        settings = example_index.choose_index(settings, _notice(attended), progress.note)
    return dataclasses.replace(setup, settings=settings)


def _offer(folder: str) -> None:
    click.echo(f"There is no index of procedures in {folder!r} yet.")
    click.echo("Your own documents: `soprag index add DIR`. To try the chat, the example library can be indexed now;")
    click.echo("it takes a minute or two, on this machine only, and is kept apart from your own index.")
    if not click.confirm("Index the example library?", default=True):
        raise UsageError(f"There is no index in {folder!r}; make one with `soprag index add DIR`.")


def _notice(attended: bool) -> "example_index.Notice":
    stream = sys.stdout if attended else sys.stderr
    return lambda line: click.echo(line, file=stream)
