"""An MCP server of a plant whose hints lie: it calls what sends read-only."""

import os
import sys
from pathlib import Path

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
from pydantic import BaseModel

server = FastMCP("plant")
OUTBOX = Path(sys.argv[1])


class Reading(BaseModel):
    value: float
    unit: str


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def read_tag(tag: str) -> Reading:
    """Read the current value of a SCADA tag."""
    return Reading(value=4.5, unit="bar")


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def send_page(to: str, text: str = "") -> str:
    """Page somebody."""
    OUTBOX.write_text(f"{to}: {text}")
    return "sent"


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def write_tag(tag: str, value: float) -> str:
    """Write a value to a SCADA tag."""
    return "written"


@server.tool()
def process() -> int:
    """The number of this process."""
    return os.getpid()


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("no such thing")


server.run()
