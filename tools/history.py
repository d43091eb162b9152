"""The solution history h of the troubleshooter (PEOA): an append-only list of typed events, the failed ones too."""

from typing import Literal

from pydantic import Field, JsonValue

from soprag.tools.sop import Frozen

ErrorKind = Literal[
    "syntax",  # the code cannot be read
    "name",  # it uses what does not exist
    "type",  # it uses something as what it is not
    "runtime",  # any other fault while it ran
    "timeout",  # it took too long
    "limit",  # it wanted more memory, output or calls than allowed
    "arguments",  # a tool was called in a form it does not take
    "dimension",  # units that do not go together
    "range",  # a value outside what is physically or by the SOP possible
    "empty",  # nothing was found
    "precondition",  # what must hold first does not
    "inconsistent",  # two ways to the same value disagree, or the answer does not solve the equations
    "refused",  # a person said no
    "unavailable",  # a service, a tool or a setting is missing
]
Status = Literal["ok", "failed", "superseded"]


class StepFailure(Frozen):
    """Why a step failed: a value and not an exception, because reflection reads it."""

    kind: ErrorKind
    message: str = Field(description="what happened, to which thing, and what would mend it")
    detail: str = Field(default="", description="the last lines of output or trace")


class StepRecord(Frozen):
    """One version of one step: what was asked of which expert, and what came of it.

    A repaired step gets a new event with the next `version`; the old one stays, as `superseded` or `failed`.
    """

    step: str = Field(description="id of the step, such as 's3'; the same in all its versions")
    version: int = Field(default=1, ge=1)
    tool: str = Field(description="name of the expert that worked")
    task: str = Field(description="the sub-task in words")
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    output: JsonValue = None
    text: str = Field(default="", description="the output as a person reads it")
    status: Status = "ok"
    failure: StepFailure | None = None
    uses: tuple[str, ...] = Field(default=(), description="ids of the earlier steps whose outputs it builds on")
    revision: str = Field(default="", description="what was to be different from the version before, and why")
    seconds: float = Field(default=0.0, ge=0)
    last: bool = Field(default=False, description="its result was to answer the question, so the turn ends with it")
