"""The troubleshooter: a conversation that finds the SOP for a question, computes, and guides through the steps."""

from soprag.graphs.troubleshoot.context import AgentContext
from soprag.graphs.troubleshoot.graph import create_troubleshooter

__all__ = ["AgentContext", "create_troubleshooter"]
