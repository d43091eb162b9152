"""The channels of an SOP as a graph: its run, and the results of the steps in the order they were left."""

import operator
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from soprag.graphs.flow.state import Messages
from soprag.tools.flow.run import FlowRun, StepResult

Trail = Annotated[
    list[StepResult], Field(description="The steps as they were left, in order: results, ways taken."), operator.add
]


class ProcedureInput(TypedDict):
    """Nothing has to be given."""

    messages: NotRequired[Messages]


class ProcedureState(TypedDict):
    """The state, which is the output, too."""

    messages: Messages
    flow: NotRequired[Annotated[FlowRun, Field(description="The run; it begins with the first step.")]]
    trail: Trail
