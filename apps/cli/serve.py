"""`soprag serve`: the web client and its server in one command."""

import os

import click

from soprag.apps.cli import options
from soprag.apps.compose.settings import choose_profile, open_settings
from soprag.apps.serve.server import ServerAddress
from soprag.apps.serve.server import serve as start

EXAMPLES = """\b
Examples:
  soprag serve                                   http://127.0.0.1:2024, for this machine only
  soprag serve --index ./plant-2 --port 8080
  soprag serve --host 0.0.0.0 --token "$(openssl rand -hex 16)"
  soprag serve --processes 4 --sessions postgresql://plant@db/soprag?schema=sessions
"""


@click.command(epilog=EXAMPLES)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; others need a token.")
@click.option("--port", type=click.IntRange(1, 65535), default=2024, show_default=True, help="Port to listen on.")
@click.option("--token", envvar="SOPRAG_TOKEN", default="", help="What clients send as x-api-key.  [$SOPRAG_TOKEN]")
@click.option("--sessions", metavar="URL", help="PostgreSQL schema that keeps the sessions.  [default: SQLite here]")
@click.option("--processes", type=click.IntRange(1, 256), help="Server processes behind the port.  [default: 1]")
@options.INDEX
def serve(host: str, port: int, token: str, sessions: str | None, processes: int | None, folder: str | None) -> None:
    """Serve the web client, and the graphs for any other LangGraph client such as agent-chat-ui.

    Model, profile and everything else are those of the settings and their environment variables.
    """
    address = ServerAddress(host, port, token)
    address.check()
    chosen = {"INDEX__FOLDER": folder, "SERVE__SESSIONS": sessions, "SERVE__PROCESSES": processes}
    os.environ.update({f"SOPRAG_{name}": str(value) for name, value in chosen.items() if value})  # for every process
    settings = open_settings(choose_profile(None), {})
    click.echo(f"The web client: {address.url}   (Ctrl-C ends it)", err=True)
    start(address, settings)
