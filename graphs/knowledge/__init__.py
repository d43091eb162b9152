"""Builds the knowledge graph of an index: read*, merge, cluster, summarise*, publish."""

from soprag.graphs.knowledge.context import KnowledgeContext
from soprag.graphs.knowledge.graph import create_knowledge_builder

__all__ = ["KnowledgeContext", "create_knowledge_builder"]
