"""A server that is slow or never answers holds up nobody: its tools are missing, which is said once."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver

from soprag.graphs.flow.graph import create_guided_run
from soprag.tools.actions.mcp_servers import McpServers
from soprag.tools.actions.mcp_session import McpSession
from soprag.tools.actions.policy import ToolsFile
from soprag.tools.actions.toolbox import builtin
from soprag.tools.history import StepFailure
from tests.graphs.guided import Books, Operator, desk

READS = {"policy": "auto", "side_effect": "read"}


@dataclass
class Mute:
    """A server on the loopback interface that accepts connections and never answers."""

    url: str = ""
    accepted: list[asyncio.StreamWriter] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    def file(self) -> ToolsFile:
        """A tools file that allows one tool of it, with a timeout that a test would not outlive."""
        server = {"url": self.url, "timeout": 600, "tools": {"read_tag": READS}}
        return ToolsFile.model_validate({"mcp": {"plant": server}})


@asynccontextmanager
async def mute() -> AsyncIterator[Mute]:
    made = Mute()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        made.accepted.append(writer)
        made.asked.set()
        await reader.read(-1)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    made.url = f"http://{host}:{port}/mcp"
    try:
        yield made
    finally:
        server.close()
        for writer in made.accepted:
            writer.close()


async def test_a_server_that_accepts_and_never_answers_is_waited_for_once_and_for_a_short_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with mute() as hanging, asyncio.timeout(60):
        file = hanging.file()
        servers = McpServers(builtin(file), file, patience=0.3)
        with caplog.at_level(logging.WARNING):
            await servers.connect()
            await hanging.asked.wait()
            await servers.connect()
        reason = "The MCP server 'plant' has not answered in 0.3 s; it is not waited for."
        assert [record.getMessage() for record in caplog.records] == [f"{reason} Its tools cannot be used now."]
        assert "note" in servers.toolbox.offered()
        missing = servers.toolbox.check("plant_read_tag", {})
        assert isinstance(missing, StepFailure)
        assert missing.message == reason
        assert len(hanging.accepted) == 1


async def test_the_servers_are_asked_when_a_guided_run_begins_and_the_run_goes_on_without_them(tmp_path: Path) -> None:
    async with mute() as hanging, asyncio.timeout(60):
        file = hanging.file()
        servers = McpServers(builtin(file), file, patience=0.3)
        guide = desk(tmp_path, Books(), servers.toolbox).model_copy(update={"connect": servers.connect})
        graph = create_guided_run(context=guide, checkpointer=InMemorySaver())
        assert not hanging.accepted
        one = await Operator(graph).begin("coolant")
        await hanging.asked.wait()
        await one.say("ack", "use email")
        assert one.asked == "email"


async def test_the_tools_of_a_server_that_answers_late_are_used_from_then_on(monkeypatch: pytest.MonkeyPatch) -> None:
    awake = asyncio.Event()

    async def offered(session: McpSession) -> dict[str, StructuredTool]:
        await awake.wait()
        return {"read_tag": StructuredTool.from_function(lambda: "4.5", name="read_tag", description="A tag.")}

    monkeypatch.setattr(McpSession, "tools", offered)
    file = ToolsFile.model_validate({"mcp": {"plant": {"command": "x", "tools": {"read_tag": READS}}}})
    servers = McpServers(builtin(file), file, patience=0.05)
    await servers.connect()
    assert "plant_read_tag" not in servers.toolbox.offered()
    awake.set()
    await asyncio.sleep(0.05)
    await servers.connect()
    assert "plant_read_tag" in servers.toolbox.offered()
    assert not isinstance(servers.toolbox.check("plant_read_tag", {}), StepFailure)
