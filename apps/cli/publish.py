"""`soprag publish`: a benchmark as a folder for a data set hub."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from soprag.apps.cli import options
from soprag.apps.cli.output import finish
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.apps.runs import find_run

if TYPE_CHECKING:
    from soprag.tools.publishing.hub import HubFolder


@click.command()
@click.argument("run")
@click.option("--out", required=True, metavar="DIR", help="Folder to write, empty or new.")
@click.option(
    "--mask", is_flag=True, help="Replace e-mail addresses, phone numbers and names of contacts by their kind."
)
@options.PROFILE
@options.JSON
def publish(run: str, out: str, mask: bool, profile: str | None, as_json: bool) -> None:
    """Write RUN, a run of soprag build, as a Hugging Face data set and an MTEB task.

    The folder holds Parquet files, a card (README.md) with the data sheet, and mteb_task.py. Nothing is uploaded.
    """
    finish("publish", as_json, lambda: publish_run(run, Path(out), profile, mask=mask))


def publish_run(run: str, out: Path, profile: str | None, *, mask: bool) -> "HubFolder":
    """The folder of a run for a hub."""
    from soprag.tools.publishing.hub import write_hub

    folder = find_run(run, Path(open_settings(choose_profile(profile), {}).run.folder), "run")
    return write_hub(folder, out, mask=mask)
