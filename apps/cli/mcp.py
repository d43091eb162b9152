"""`soprag mcp`: the procedures of an index as tools for other programs, by the Model Context Protocol."""

import asyncio
from typing import Any

import click

from soprag.apps.cli import options
from soprag.apps.compose.settings import CallOptions
from soprag.apps.serve.mcp_server import serve_mcp

EXAMPLES = """\b
Examples:
  soprag mcp                           over stdio, as Claude Desktop, Cursor and other clients start it
  soprag mcp --http --port 8000        at http://127.0.0.1:8000/mcp
  soprag mcp --index ./plant-2
"""


@click.command(epilog=EXAMPLES)
@click.option("--http", is_flag=True, help="Streamable HTTP on loopback, in place of stdio.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port for --http.")
@options.index_options
def mcp(http: bool, port: int, **values: Any) -> None:  # noqa: ANN401 - the options above
    """Serve search, reading, answers, calculations and guided runs to a client of the Model Context Protocol.

    Steps are answered by the client with what the operator said. E-mails, tickets and other tools are used only when a
    person approves them at the client (elicitation); a client that cannot ask gets no tool used.
    """
    asyncio.run(serve_mcp(CallOptions(**values).settings(), http=http, port=port))
