"""`soprag index`: add, update, remove, list, show, verify; the options and what is printed."""

from collections.abc import Callable
from typing import Any

import click

EXAMPLES = """\b
Examples:
  soprag index add ./procedures               a folder of Markdown, text, PDF, Word ... files
  soprag index add runs/pump-station/benchmark
  soprag index update                         all sources again: what is new, changed or gone
  soprag index update --reembed               after another embedding model was chosen
  soprag index show pumps/p-101-start-up
  soprag index remove pumps/p-101-start-up
"""


def common(command: Callable[..., None]) -> Callable[..., None]:
    """The options that every command of the group takes."""
    for option in (
        click.option("--quiet", is_flag=True, help="No progress on stderr."),
        click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
        click.option("--profile", help="Settings: offline, openai, or a TOML file.  [default: by the keys set]"),
        click.option("--index", "folder", metavar="DIR", help="Folder of the index.  [default: index]"),
    ):
        command = option(command)
    return command


def model(command: Callable[..., None]) -> Callable[..., None]:
    """The options of commands that ask a model."""
    command = click.option("--base-url", metavar="URL", help="Any OpenAI-compatible server for the chat model.")(
        command
    )
    return click.option("--model", metavar="PROVIDER:NAME", help="Chat model, or 'rules' for none.")(command)


def _finish(name: str, options: dict[str, Any], work: str, **inputs: Any) -> None:  # noqa: ANN401 - the options of the command
    """Do what `soprag.apps.compose.indexing.<work>` does and print it."""
    from soprag.apps.cli.main import finish
    from soprag.apps.compose import indexing

    as_json = options.pop("as_json")
    call = indexing.IndexCall(**options)
    finish(f"index {name}", as_json, lambda: getattr(indexing, work)(call, **inputs))


@click.group(epilog=EXAMPLES)
def index() -> None:
    """Keep the index of SOPs that search and answer work on."""


@index.command()
@click.argument("source")
@model
@common
def add(source: str, **options: Any) -> None:  # noqa: ANN401 - the shared options
    """Add the SOPs of SOURCE: a folder of files, a benchmark folder, or a run folder.

    A Markdown or text file is one SOP, word for word; other formats are parsed and cut into SOPs. What is in the index
    and has not changed costs nothing; what has changed is replaced.
    """
    _finish("add", options, "add", source=source)


@index.command()
@click.argument("sources", nargs=-1)
@click.option("--reembed", is_flag=True, help="Embed everything anew with the present embedding model.")
@model
@common
def update(sources: tuple[str, ...], reembed: bool, **options: Any) -> None:  # noqa: ANN401 - the shared options
    """Read SOURCES again, or all sources: add the new, replace the changed, remove what is gone."""
    _finish("update", options, "reembed" if reembed else "update", **({} if reembed else {"sources": sources}))


@index.command()
@click.argument("ids", nargs=-1)
@click.option("--source", metavar="DIR", help="Remove all SOPs that came from this source.")
@common
def remove(ids: tuple[str, ...], source: str | None, **options: Any) -> None:  # noqa: ANN401 - the shared options
    """Remove SOPs by id."""
    _finish("remove", options, "remove", ids=ids, source=source)


@index.command("list")
@common
def listing(**options: Any) -> None:  # noqa: ANN401 - the shared options
    """List the SOPs with version, date and source."""
    _finish("list", options, "listing")


@index.command()
@click.argument("id")
@common
def show(id: str, **options: Any) -> None:  # noqa: ANN401 - the shared options
    """Show one SOP as the index knows it: card, views and history."""
    _finish("show", options, "show", id=id)


@index.command()
@click.argument("ids", nargs=-1)
@model
@common
def bindings(ids: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401 - the shared options
    """Show how the steps of SOPs are carried out: by a tool, by hand, by deciding.

    They are bound once, by rule or by a model, and kept in a file per SOP that you may edit. Without IDS: all SOPs.
    """
    from soprag.apps.cli.main import finish
    from soprag.apps.compose import guided_run
    from soprag.apps.compose.indexing import IndexCall

    as_json = options.pop("as_json")
    call = IndexCall(**options)
    finish("index bindings", as_json, lambda: guided_run.bind(call.settings(), ids))


@index.command()
@common
def verify(**options: Any) -> None:  # noqa: ANN401 - the shared options
    """Check the whole index; exit code 8 when something is wrong."""
    _finish("verify", options, "verify")
