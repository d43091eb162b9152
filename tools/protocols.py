"""Tool protocols (PEOA): what a tool is for, what it takes and gives, what it may change, and how it fails.

An expert does one kind of work under such a protocol. It returns a `Result` or a `StepFailure`; it raises only what a
person must mend (`SopragError`).
"""

from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel, Field, JsonValue

from soprag.tools.history import ErrorKind, StepFailure, StepRecord
from soprag.tools.sop import Frozen

SideEffect = Literal["pure", "read", "write", "external"]


@dataclass(frozen=True)
class ToolProtocol:
    """The contract of one tool; a model and a person read the same words.

    `arguments` and `response` are frozen pydantic models whose fields have descriptions with units. A tool whose
    `side_effect` is `write` or `external` never runs without a person's approval.
    """

    name: str
    purpose: str
    when_to_use: str
    when_not: str
    arguments: type[BaseModel]
    response: type[BaseModel]
    side_effect: SideEffect
    errors: tuple[ErrorKind, ...]


class Work(Frozen):
    """A sub-task for an expert, with its arguments as the protocol wants them and what was found out before."""

    task: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    history: tuple[StepRecord, ...] = ()


class ExpertResult(Frozen):
    """What an expert found out: `output` for other steps, `text` for a person, `sources` as `SOP id:line-line`."""

    output: JsonValue
    text: str
    sources: tuple[str, ...] = ()


class Expert(Protocol):
    """An expert model M_t of PEOA."""

    @property
    def protocol(self) -> ToolProtocol:
        """Its contract."""
        ...

    async def work(self, work: Work) -> ExpertResult | StepFailure:
        """Do the sub-task, or say why it failed."""
        ...
