"""Which SOP becomes the graph: the one thing a client may choose about it."""

from pydantic import Field

from soprag.graphs.context import RunContext


class ProcedureContext(RunContext):
    """The choice of the SOP; a server reads it before it builds the graph, whose nodes are the steps of the SOP."""

    procedure: str = Field(
        default="", description="Id of the SOP; empty: the first of the index, or an example where there is no index."
    )
