"""DeepSearch (paper 001): a question becomes subtasks, evidence from the web, and a report that cites it."""

from soprag.graphs.deepsearch.context import DeepSearchContext
from soprag.graphs.deepsearch.graph import create_researcher

__all__ = ["DeepSearchContext", "create_researcher"]
