"""A note for the next shift, as a Markdown file."""

import asyncio
from dataclasses import dataclass

from pydantic import Field, JsonValue

from soprag.tools.actions.action import ToolCall, Written
from soprag.tools.actions.drafts import keep
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line, sanitize


class Note(Frozen):
    """What the next shift must know."""

    title: str = Field(min_length=1, max_length=200)
    text: str = Field(min_length=1, max_length=50_000)


PROTOCOL = ToolProtocol(
    name="note",
    purpose="Write a handover note or a log entry for the next shift.",
    when_to_use="A step says to log, record, write down or hand over something.",
    when_not="Somebody must act on it now: use `ticket`, `email` or `call`.",
    arguments=Note,
    response=Written,
    side_effect="write",
    errors=("arguments",),
)


@dataclass(frozen=True)
class NoteDraft:
    """Writes the note."""

    protocol: ToolProtocol = PROTOCOL

    async def act(self, arguments: dict[str, JsonValue], call: ToolCall) -> ExpertResult | StepFailure:
        """Keep the note in the session's folder."""
        note = Note.model_validate(arguments)
        rows = [f"# {one_line(note.title)}", "", sanitize(note.text), ""]
        rows += [row for row in (call.operator and f"Operator: {call.operator}", call.reference) if row]
        file = await asyncio.to_thread(keep, call.folder, "note", ".md", ("\n".join(rows) + "\n").encode())
        return ExpertResult(output={"file": str(file), "sent": False}, text=f"The note was written to {str(file)!r}.")
