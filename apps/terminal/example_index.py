"""The first start on a machine: where there is no index yet, the example library is offered, so that there is one."""

import dataclasses

import click

from soprag.apps.compose import example_library
from soprag.apps.terminal.session_start import Setup, need_index


def choose_index(setup: Setup, *, attended: bool) -> Setup:
    """The setup with an index that exists: the operator's own, or after a yes that of the example library."""
    settings = setup.settings
    if example_library.has_own_index(settings) or setup.call.folder or not attended:
        need_index(settings)
        return setup
    if not example_library.is_indexed(settings):
        click.echo(f"There is no index of procedures in {settings.index.folder!r} yet.")
        click.echo(
            "Your own documents: `soprag index add DIR`. To try the chat, the example library can be indexed now;"
        )
        click.echo("it takes a few minutes, on this machine only, and is kept apart from your own index.")
        if not click.confirm("Index the example library?", default=True):
            need_index(settings)
        call = setup.call
        size = example_library.build_index(settings, profile=call.profile, model=call.model, base_url=call.base_url)
        click.echo(f"{size} procedures are indexed.")
    click.echo("Working on the EXAMPLE LIBRARY: these are not your procedures. Your own: `soprag index add DIR`.")
    call = dataclasses.replace(setup.call, folder=str(example_library.index_folder(settings)))
    return dataclasses.replace(setup, call=call, settings=call.settings())
