"""The interface of an operator tool, and one call of it: who asked, who approved, and where drafts are written."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import to_jsonable_python

from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, ToolProtocol
from soprag.tools.text.sanitize import sanitize_json


@dataclass(frozen=True)
class ToolCall:
    """One approved call; `key` is the same for every attempt, so that a service can tell a repetition."""

    key: str
    folder: Path  # where drafts of this session are kept
    operator: str = ""
    approvers: tuple[str, ...] = ()
    reference: str = ""  # the SOP and the step it belongs to


class OperatorTool(Protocol):
    """An operator tool under its protocol."""

    @property
    def protocol(self) -> ToolProtocol:
        """Its contract."""
        ...

    async def act(self, arguments: dict[str, JsonValue], call: ToolCall) -> ExpertResult | StepFailure:
        """Carry out the call; the arguments were checked against the protocol."""
        ...


def checked(protocol: ToolProtocol, arguments: object) -> dict[str, JsonValue] | StepFailure:
    """The arguments as the protocol takes them, without hidden characters, or what is wrong with them.

    So what a person is shown, what is executed and what is recorded are the same characters.
    """
    try:
        clean = sanitize_json(to_jsonable_python(arguments, fallback=str))
        return protocol.arguments.model_validate(clean).model_dump(mode="json")
    except ValidationError as invalid:
        details = [(".".join(map(str, detail["loc"])) or "arguments", detail["msg"]) for detail in invalid.errors()]
        reasons = "; ".join(f"{field}: {message}" for field, message in details)
        return StepFailure(kind="arguments", message=f"{protocol.name!r} does not take these arguments: {reasons}.")


class Written(BaseModel):
    """Response of a tool that writes a draft: the file, and whether it was also sent."""

    file: str
    sent: bool = False
