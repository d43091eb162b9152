"""The flow expert: turns a procedure into a guided run; the run itself is the graph `graphs/flow/graph.py`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import Field, ValidationError

from soprag.tools.errors import UsageError
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.run import FlowRun
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, ToolProtocol, Work
from soprag.tools.sop import Frozen

NAME = "flow"


class FlowArguments(Frozen):
    """Which procedure to follow."""

    sop: str = Field(min_length=1, description="id of the procedure, as retrieval found it")
    begins: str = Field(
        default="", description="id of the step to begin with, as the answer names it; empty: the first"
    )


PROTOCOL = ToolProtocol(
    name=NAME,
    purpose="Guides the operator through a procedure step by step: warnings first, decisions and readings asked.",
    when_to_use="The operator wants to carry out a procedure that was found, not only to read it.",
    when_not="Nothing was found yet, or the operator only asks what a procedure says.",
    arguments=FlowArguments,
    response=FlowRun,
    side_effect="pure",
    errors=("arguments", "empty"),
)


@dataclass(frozen=True)
class Flow:
    """Starts a guided run; `cursor(id)` reads the SOP from disk (blocking)."""

    cursor: Callable[[str], Cursor]
    protocol: ToolProtocol = PROTOCOL

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        """A run at the first step of the procedure, as JSON for the graph."""
        try:
            arguments = FlowArguments.model_validate(work.arguments)
        except ValidationError:
            return StepFailure(kind="arguments", message="Name the procedure by `sop`, the id that retrieval found.")
        try:
            cursor = await asyncio.to_thread(self.cursor, arguments.sop)
        except UsageError as error:
            return StepFailure(kind="empty", message=str(error))
        run = cursor.begin(arguments.begins)
        if run.status != "running":
            return StepFailure(kind="empty", message=f"{run.title!r} has no steps to follow.")
        steps = f"{len(cursor.plan.steps)} steps"
        begun = cursor.plan.by_id.get(run.at)
        where = f" at step {begun.number}" if begun and run.at != cursor.plan.start else ""
        text = f"A guided run of {run.title!r} ({steps}) begins{where}."
        return ExpertResult(output=run.model_dump(mode="json"), text=text, sources=(f"{run.sop}:1",))
