"""The first start on a machine: where there is no index yet, the example library is offered, so that there is one."""

import dataclasses
from pathlib import Path

import click

from soprag.apps.terminal.session_start import Setup, example_index, example_library, need_index, own_index

_DONE = "complete"


def choose_index(setup: Setup, *, attended: bool) -> Setup:
    """The setup with an index that exists: the operator's own, or after a yes that of the example library."""
    settings = setup.settings
    if own_index(settings) or setup.call.folder or not attended:
        need_index(settings)
        return setup
    folder = example_index(settings)
    if not (folder / _DONE).is_file():
        click.echo(f"There is no index of procedures in {settings.index.folder!r} yet.")
        click.echo(
            "Your own documents: `soprag index add DIR`. To try the chat, the example library can be indexed now;"
        )
        click.echo("it takes a few minutes, on this machine only, and is kept apart from your own index.")
        if not click.confirm("Index the example library?", default=True):
            need_index(settings)
        _index_examples(setup, folder)
    click.echo("Working on the EXAMPLE LIBRARY: these are not your procedures. Your own: `soprag index add DIR`.")
    call = dataclasses.replace(setup.call, folder=str(folder))
    return dataclasses.replace(setup, call=call, settings=call.settings())


def _index_examples(setup: Setup, folder: Path) -> None:
    from soprag.apps.compose import indexing

    call = setup.call
    report = indexing.add(
        indexing.IndexCall(str(folder), call.profile, model=call.model, base_url=call.base_url), str(example_library())
    )
    (folder / _DONE).write_text("", encoding="utf-8")
    click.echo(f"{report.size} procedures are indexed.")
