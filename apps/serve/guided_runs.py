"""Guided runs for a program that is no screen: begin one, reply to its step, read where it stands.

A reply moves a run as the operator's words do. A tool call is let through by a person alone: whoever serves the runs
passes on how a person is asked, and where nobody can be asked nothing happens.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pydantic import Field

from soprag.tools.approval import HumanDecision, RequestedAction, build_response, read_request
from soprag.tools.errors import UsageError
from soprag.tools.observe.spans import span
from soprag.tools.sop import Frozen

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from soprag.graphs.flow.graph import GuidedRun

Approve = Callable[[RequestedAction], Awaitable[HumanDecision | None]]
_STEPS = ("step", "warning", "changed")  # requests that words answer; any other one is the call of a tool
_NOBODY = "Nobody could be asked to approve {name!r}; nothing was done."


class RunView(Frozen):
    """Where a guided run stands."""

    run: str = Field(description="the id to reply to it with")
    status: str = Field(description="running, finished or stopped")
    step: int = Field(default=0, description="number of the step that waits; 0: none")
    waits_for: str = Field(default="", description="warning, step, changed, or the tool whose call a person approves")
    text: str = Field(description="what is asked, as Markdown; at the end of a run its summary")


@dataclass(frozen=True)
class GuidedRuns:
    """The guided runs of one process."""

    graph: "GuidedRun"

    async def begin(self, sop: str) -> RunView:
        """A run at its first warning or step; raises `UsageError` when there is no such SOP."""
        run = f"mcp-{uuid4().hex[:12]}"
        with span("turn", client="mcp", thread=run):
            await self.graph.ainvoke({"procedure": sop, "messages": []}, self._config(run))
        view = await self.read(run)
        if view.status == "unknown":
            raise UsageError(view.text)
        return view

    async def reply(self, run: str, words: str, approve: Approve) -> RunView:
        """The run after a reply; a tool call that it leads to is decided by `approve`, or not made."""
        await self._answer(run, HumanDecision(type="respond", message=words))
        action = await self._waiting(run)
        while action and action.name not in _STEPS:
            refusal = HumanDecision(type="reject", message=_NOBODY.format(name=action.name))
            await self._answer(run, await approve(action) or refusal)
            action = await self._waiting(run)
        return await self.read(run)

    async def read(self, run: str) -> RunView:
        """Where it stands."""
        values = (await self.graph.aget_state(self._config(run))).values
        flow, action = values.get("flow"), await self._waiting(run)
        said = [str(message.text) for message in values.get("messages", [])]
        if action:
            step = int(str(action.structured.get("number") or 0))
            text = action.description
            return RunView(run=run, status="running", step=step, waits_for=action.name, text=text)
        if not said:
            raise UsageError(f"There is no guided run {run!r}; `start_run` begins one.")
        return RunView(run=run, status=flow.status if flow else "unknown", text=said[-1])

    async def _answer(self, run: str, decision: HumanDecision) -> None:
        from langgraph.types import Command

        if await self._waiting(run) is None:
            raise UsageError(f"The guided run {run!r} waits for nothing; `read_run` says where it stands.")
        with span("turn", client="mcp", thread=run):
            await self.graph.ainvoke(Command(resume=build_response([decision])), self._config(run))

    async def _waiting(self, run: str) -> RequestedAction | None:
        interrupts = (await self.graph.aget_state(self._config(run))).interrupts
        return read_request(interrupts[0].value)[0] if interrupts else None

    @staticmethod
    def _config(run: str) -> "RunnableConfig":
        configurable: dict[str, Any] = {"thread_id": run}
        return {"configurable": configurable}
