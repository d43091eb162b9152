"""One SOP compiled to a graph of its own: its steps are the nodes, its branches the edges."""

from soprag.graphs.procedure.context import ProcedureContext
from soprag.graphs.procedure.graph import create_procedure

__all__ = ["ProcedureContext", "create_procedure"]
