"""One thing that can be done for an operator, and the call of it: who asked, who approved, and where drafts go."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, JsonValue, ValidationError

from tools.history import StepFailure
from tools.protocols import Result, ToolProtocol


@dataclass(frozen=True)
class Call:
    """One approved call; `key` is the same however often it is attempted."""

    key: str
    folder: Path  # where drafts of this session are kept
    operator: str = ""
    approvers: tuple[str, ...] = ()
    reference: str = ""  # the SOP and the step it belongs to


class Action(Protocol):
    """A tool with its protocol; it returns what it did or a `StepFailure`."""

    @property
    def protocol(self) -> ToolProtocol:
        """Its contract."""
        ...

    async def act(self, arguments: dict[str, JsonValue], call: Call) -> Result | StepFailure:
        """Do it; the arguments were checked by the protocol."""
        ...


def checked(protocol: ToolProtocol, arguments: object) -> dict[str, JsonValue] | StepFailure:
    """The arguments as the protocol takes them, or what is wrong with them."""
    try:
        return protocol.arguments.model_validate(arguments).model_dump(mode="json")
    except ValidationError as wrong:
        faults = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in wrong.errors())
        return StepFailure(kind="arguments", message=f"{protocol.name!r} does not take these arguments: {faults}.")


class Written(BaseModel):
    """Where a draft was written."""

    file: str
    sent: bool = False
