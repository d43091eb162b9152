"""The MCP server, through the client of the official SDK."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.memory import create_connected_server_and_client_session
from mcp.types import ElicitResult

from soprag.apps.serve.mcp_server import create_mcp_server, open_plant
from soprag.configs.settings import Settings
from tests.graphs.plant import fill
from tests.servers import running

Asked = Callable[[Any, Any], Awaitable[ElicitResult]]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("plant")
    filled = fill(folder)
    chat = filled.chat.model_copy(update={"folder": str(folder / "sessions")})
    return filled.model_copy(update={"chat": chat})


@asynccontextmanager
async def connected(settings: Settings, person: Asked | None = None) -> AsyncIterator[ClientSession]:
    async with open_plant(settings) as plant:
        server = create_mcp_server(plant)
        async with create_connected_server_and_client_session(server, elicitation_callback=person) as session:
            yield session


async def call(session: ClientSession, tool: str, **arguments: Any) -> Any:
    result = await session.call_tool(tool, arguments)
    assert not result.isError, result.content
    structured = result.structuredContent or {}
    return structured.get("result", structured)


async def test_a_client_finds_reads_asks_and_calculates(settings: Settings) -> None:
    async with connected(settings) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert all(tool.description for tool in tools.values())
        assert "ctx" not in tools["search"].inputSchema["properties"]
        [first, *_] = await call(session, "search", question="coolant pump P-101 tripped on low suction pressure")
        assert first["sop"] == "pump"
        lines = (await call(session, "read_procedure", sop="pump"))["lines"]
        assert "7| 1. Close the discharge valve V-12." in lines
        answer = await call(session, "answer", question="coolant pump P-101 tripped on low suction pressure")
        assert answer.index("⚠ **WARNING:**") < answer.index("Close the discharge valve V-12. *(line 7)*")
        assert "86" in await call(session, "calculate", problem="Convert 30 degC to degF")
        gone = await session.call_tool("read_procedure", {"sop": "nothing"})
        assert gone.isError and "nothing" in str(gone.content)


async def run_to_the_email(session: ClientSession) -> Any:
    at = await call(session, "start_run", sop="pump")
    assert (at["waits_for"], "The coupling starts" in at["text"]) == ("warning", True)
    for reply in ("done", "ack", "done", "9 bar", "2 bar", "no", "done"):
        at = await call(session, "reply_to_run", run=at["run"], reply=reply)
    assert (at["waits_for"], at["step"]) == ("step", 6)
    return await call(session, "reply_to_run", run=at["run"], reply="use email")


async def test_a_tool_is_used_when_the_person_at_the_client_approves_it(settings: Settings) -> None:
    asked = []

    async def person(_: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"approve": len(asked) == 2, "approver": "ann"})

    async with connected(settings, person) as session:
        at = await run_to_the_email(session)
        drafts = Path(settings.chat.folder) / at["run"] / "drafts"
        assert "was refused" in at["text"] and not drafts.exists()
        at = await call(session, "reply_to_run", run=at["run"], reply="use email")
        assert asked[1].startswith("email\n") and len(list(drafts.glob("*.eml"))) == 1
        at = await call(session, "reply_to_run", run=at["run"], reply="done")
        assert at["status"] == "finished"
        assert (await call(session, "read_run", run=at["run"]))["text"].startswith("'Restart the coolant pump P-101'")


async def test_nothing_is_done_for_a_client_that_cannot_ask_a_person(settings: Settings) -> None:
    async with connected(settings) as session:
        at = await run_to_the_email(session)
        assert "Nobody could be asked to approve 'email'" in at["text"]
        assert not (Path(settings.chat.folder) / at["run"] / "drafts").exists()


@pytest.mark.slow
async def test_the_command_speaks_mcp_over_stdio(settings: Settings, tmp_path: Path) -> None:
    command = str(Path(sys.executable).with_name("soprag"))
    variables = {"SOPRAG_CHAT__FOLDER": str(tmp_path), "SOPRAG_RUN__CACHE": settings.run.cache}
    server = StdioServerParameters(command=command, args=["mcp", "--index", settings.index.folder], env=variables)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        [first, *_] = await call(session, "search", question="coolant pump P-101 tripped")
        assert first["sop"] == "pump"


@pytest.mark.slow
async def test_clients_share_an_index_and_a_run_over_streamable_http(settings: Settings, tmp_path: Path) -> None:
    variables = {"SOPRAG_CHAT__FOLDER": str(tmp_path / "sessions"), "SOPRAG_RUN__CACHE": settings.run.cache}
    command = ("soprag", "mcp", "--http", "--index", settings.index.folder)

    async def person(_: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"approve": True, "approver": "ann"})

    with running(command, variables, tmp_path, tmp_path / "server.log") as address:
        async with over_http(address, person) as first, over_http(address) as second:
            at = await run_to_the_email(first)
            assert len(list(tmp_path.rglob("*.eml"))) == 1
            same = await call(second, "read_run", run=at["run"])
            assert (same["step"], same["waits_for"]) == (6, "step")
            assert (await call(second, "reply_to_run", run=at["run"], reply="done"))["status"] == "finished"


@asynccontextmanager
async def over_http(address: str, person: Asked | None = None) -> AsyncIterator[ClientSession]:
    async with (
        streamable_http_client(f"{address}/mcp") as (read, write, _),
        ClientSession(read, write, elicitation_callback=person) as session,
    ):
        await session.initialize()
        yield session
