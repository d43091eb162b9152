"""The guided run: one SOP, followed step by step with a person who does, decides and approves."""

from soprag.graphs.flow.context import GuideContext
from soprag.graphs.flow.graph import create_guided_run

__all__ = ["GuideContext", "create_guided_run"]
