"""The options that several commands share, under the same name and with the same words."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

INDEX = click.option(
    "--index", "folder", metavar="DIR|URL", help="Folder of the index, or postgresql:// URL.  [default: index]"
)
PROFILE = click.option(
    "--profile", help="Settings: offline, openai, paper, or a TOML file of your own.  [default: by the keys set]"
)
MODEL = click.option("--model", metavar="PROVIDER:NAME", help="Chat model, or 'rules' for none.")
BASE_URL = click.option("--base-url", metavar="URL", help="Any OpenAI-compatible server for the chat model.")
OPERATOR = click.option("--operator", metavar="NAME", help="Who works here, for the record.  [default: the account]")
RESUME_RUN = click.option(
    "--resume",
    is_flag=False,
    flag_value="latest",
    metavar="[RUN]",
    help="Go on with a run: its id or folder, or none for the latest.",
)
WORKERS = click.option(
    "--workers", type=click.IntRange(0, 64), help="Dask worker processes on this machine, see docs/cluster.md."
)
SCHEDULER = click.option("--scheduler", metavar="URL", help="Dask scheduler whose workers share the folders.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
QUIET = click.option("--quiet", is_flag=True, help="No progress on stderr.")


def model_options(command: Command) -> Command:
    """The profile, and the chat model with its server."""
    return PROFILE(MODEL(BASE_URL(command)))


def cluster_options(command: Command) -> Command:
    """On which workers the work is done."""
    return WORKERS(SCHEDULER(command))


def index_options(command: Command) -> Command:
    """The index, and the model that reads it."""
    return INDEX(model_options(command))
