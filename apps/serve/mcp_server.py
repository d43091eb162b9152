"""An MCP server over one index: search, read, answer, calculate, and guided runs under the same approvals."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from soprag.apps.compose.index import open_index
from soprag.apps.compose.served import with_index
from soprag.apps.compose.served_sessions import served_database, served_records
from soprag.apps.compose.troubleshooter import open_agent
from soprag.apps.serve.guided_runs import GuidedRuns, RunView
from soprag.configs.settings import Settings
from soprag.tools.approval import HumanDecision, RequestedAction
from soprag.tools.errors import ConfigError
from soprag.tools.observe.spans import span
from soprag.tools.sop import Frozen

if TYPE_CHECKING:
    from mcp.server.fastmcp import Context, FastMCP

    from soprag.graphs.troubleshoot.context import AgentContext

CHECKPOINTS = "mcp.sqlite"
INSTRUCTIONS = (
    "Standard operating procedures of a plant. Warnings are shown before the steps they protect: pass each of them on "
    "word for word. Reply to a guided run only with what the operator said or read; never invent a reading."
)


class ApprovalForm(BaseModel):
    """What the person at the client is asked before a tool is used."""

    approve: bool = Field(description="Carry it out exactly as shown?")
    approver: str = Field(default="", description="Your name, for the record.")


class FoundProcedure(Frozen):
    """One procedure that fits a question."""

    sop: str
    title: str
    score: float


class ProcedureText(Frozen):
    """A procedure, verbatim, with the numbers of its lines as sources cite them."""

    sop: str
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class PlantTools:
    """What the tools do; without MCP, so that anybody can call it."""

    agent: "AgentContext"
    runs: GuidedRuns

    async def search(self, question: str, keep: int) -> list[FoundProcedure]:
        """The procedures that fit; none when none does."""
        from soprag.agents.experts.retrieval import NAME, Retrieval

        retrieval = self.agent.experts[NAME]
        if not isinstance(retrieval, Retrieval):
            raise ConfigError("The troubleshooter has no retrieval expert.")
        ranking = await retrieval.search(question, keep)
        hits = () if ranking.abstained else ranking.hits
        return [FoundProcedure(sop=hit.sop, title=hit.title, score=round(hit.score, 4)) for hit in hits]

    def read(self, sop: str) -> ProcedureText:
        """The lines of one procedure."""
        found = self.agent.shelf.sop(sop)
        lines = (f"{number}| {line}" for number, line in enumerate(found.body.split("\n"), 1))
        return ProcedureText(sop=sop, title=found.title, lines=tuple(lines))

    async def answer(self, question: str) -> str:
        """One turn of the troubleshooter, as Markdown with its warnings and sources."""
        from langchain_core.messages import HumanMessage

        from soprag.graphs.troubleshoot import create_troubleshooter

        graph = create_troubleshooter(context=self.agent)
        with span("turn", client="mcp"):
            state = await graph.ainvoke({"messages": [HumanMessage(question)]})
        return str(state["messages"][-1].text)

    async def calculate(self, problem: str) -> str:
        """The value with its unit and how it was computed, or why it could not be."""
        from soprag.tools.history import StepFailure
        from soprag.tools.protocols import Work

        outcome = await self.agent.experts["math"].work(Work(task=problem))
        return f"Not computed: {outcome.message}" if isinstance(outcome, StepFailure) else outcome.text


@asynccontextmanager
async def open_plant(settings: Settings) -> AsyncIterator[PlantTools]:
    """The tools over the index of the settings; guided runs are kept in the folder of the sessions."""
    import anyio

    from soprag.graphs.checkpoints import open_served_checkpoints
    from soprag.graphs.flow import create_guided_run
    from soprag.graphs.flow.state import FlowState

    stack = AsyncExitStack()
    try:
        chosen = await asyncio.to_thread(with_index, settings)
        index = stack.enter_context(closing(await asyncio.to_thread(open_index, chosen)))
        folder = Path(settings.chat.folder)
        folder.mkdir(parents=True, exist_ok=True)
        place = served_database(settings) or folder / CHECKPOINTS
        saver = await stack.enter_async_context(open_served_checkpoints(place, FlowState))
        served = {"form": "markdown", "record": served_records(settings)}
        agent = (await open_agent(chosen, index, folder)).model_copy(update=served)
        yield PlantTools(agent, GuidedRuns(create_guided_run(context=agent, checkpointer=saver)))
    finally:
        with anyio.CancelScope(shield=True):  # a client that leaves cancels the server
            await stack.aclose()


async def serve_mcp(settings: Settings, *, http: bool = False, port: int = 8000) -> None:
    """Serve one index until the client, or over HTTP the operator, ends it; all sessions share it."""
    async with open_plant(settings) as plant:
        server = create_mcp_server(plant, port=port)
        await (server.run_streamable_http_async() if http else server.run_stdio_async())


def create_mcp_server(plant: PlantTools, *, port: int = 8000) -> "FastMCP[None]":
    """The server; `port` is used by the HTTP transport, which listens on loopback only and answers `/ok`."""
    try:
        from mcp.server.fastmcp import FastMCP
    except ModuleNotFoundError as missing:
        raise ConfigError("The MCP server needs an extra: pip install 'soprag[mcp]'.") from missing
    server: FastMCP[None] = FastMCP("soprag", INSTRUCTIONS, host="127.0.0.1", port=port, log_level="WARNING")
    _add_health(server)
    _add_questions(server, plant)
    _add_runs(server, plant)
    return server


def _add_health(server: "FastMCP[None]") -> None:
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse

    async def ok(_: Request) -> PlainTextResponse:
        return PlainTextResponse("ok")

    server.custom_route("/ok", methods=["GET"])(ok)


def _add_questions(server: "FastMCP[None]", plant: PlantTools) -> None:
    from mcp.types import ToolAnnotations

    reads = ToolAnnotations(readOnlyHint=True, openWorldHint=False)

    @server.tool(annotations=reads)
    async def search(question: str, keep: int = 5) -> list[FoundProcedure]:
        """Find the procedures that fit a symptom, an alarm or a task; an empty list when none fits."""
        return await plant.search(question, keep)

    @server.tool(annotations=reads)
    async def read_procedure(sop: str) -> ProcedureText:
        """Read a procedure word for word, each line with its number."""
        return plant.read(sop)

    @server.tool(annotations=reads)
    async def answer(question: str) -> str:
        """Answer a question from the procedure that fits, with its warnings, its steps and the lines they stand on."""
        return await plant.answer(question)

    @server.tool(annotations=reads)
    async def calculate(problem: str) -> str:
        """Compute a quantity with its unit: conversions, engineering laws, properties of fluids, equations."""
        return await plant.calculate(problem)


def _add_runs(server: "FastMCP[None]", plant: PlantTools) -> None:
    from mcp.server.fastmcp import Context
    from mcp.types import ToolAnnotations

    @server.tool()
    async def start_run(sop: str) -> RunView:
        """Begin a guided run of a procedure: one step at a time, warnings first."""
        return await plant.runs.begin(sop)

    @server.tool()
    async def reply_to_run(run: str, reply: str, ctx: Context[Any, Any, Any]) -> RunView:
        """Give the operator's reply to the step that waits: `ack`, `done`, `4.8 bar`, `yes`, `no`, `2`, `skip why`,
        `back`, `stop`, or `use <tool>`, which a person has to approve.
        """

        async def approve(action: RequestedAction) -> HumanDecision | None:
            return await _ask_person(ctx, action)

        return await plant.runs.reply(run, reply, approve)

    @server.tool(annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=False))
    async def read_run(run: str) -> RunView:
        """Say where a guided run stands and what it asks."""
        return await plant.runs.read(run)


async def _ask_person(ctx: "Context[Any, Any, Any]", action: RequestedAction) -> HumanDecision | None:
    """The decision of the person at the client; None when the client cannot ask one, or nobody answered."""
    from mcp.types import ClientCapabilities, ElicitationCapability

    if not ctx.session.check_client_capability(ClientCapabilities(elicitation=ElicitationCapability())):
        return None
    arguments = "\n".join(f"{name}: {value}" for name, value in action.arguments.items())
    result = await ctx.elicit(f"{action.name}\n{action.description}\n\n{arguments}", ApprovalForm)
    if result.action != "accept" or not result.data.approve:
        return HumanDecision(type="reject", message="the person at the MCP client refused it")
    return HumanDecision(type="approve", approver=result.data.approver)
