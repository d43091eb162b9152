"""SOPRAG: find and follow the right standard operating procedure.

    import soprag

    soprag.build_benchmark("Pump station", source="documents")     a retrieval benchmark from documents

    with soprag.open_index("index") as index:                       an index of procedures
        index.add("procedures")
        index.search("coolant pump P1 tripped, low flow").hits
        index.as_retriever(k=3)                                     a LangChain retriever

`create_troubleshooter`, `create_guided_run`, `create_procedure`, `create_benchmark_builder`, `create_question_review`,
`create_researcher` and `create_knowledge_builder` return compiled LangGraph graphs; `SopIndex.open_context`,
`SopIndex.open_knowledge_context`, `open_benchmark_context`, `open_review_context` and `open_research_context` make
their contexts. Every error is a `SopragError`. docs/python.md has examples.

Importing this package imports nothing else; each name is loaded at its first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from soprag.apps.benchmark_run import build_benchmark
    from soprag.apps.graph_contexts import open_benchmark_context, open_research_context, open_review_context
    from soprag.apps.sop_index import SopIndex, open_index
    from soprag.graphs.benchmark import create_benchmark_builder
    from soprag.graphs.deepsearch import create_researcher
    from soprag.graphs.flow import create_guided_run
    from soprag.graphs.knowledge import create_knowledge_builder
    from soprag.graphs.procedure import create_procedure
    from soprag.graphs.review import create_question_review
    from soprag.graphs.troubleshoot import create_troubleshooter
    from soprag.tools.errors import (
        ApprovalNeeded,
        ConfigError,
        DocumentError,
        NothingFound,
        ServiceError,
        SopragError,
        StorageError,
        UsageError,
    )

__all__ = [
    "ApprovalNeeded",
    "ConfigError",
    "DocumentError",
    "NothingFound",
    "ServiceError",
    "SopIndex",
    "SopragError",
    "StorageError",
    "UsageError",
    "build_benchmark",
    "create_benchmark_builder",
    "create_guided_run",
    "create_knowledge_builder",
    "create_procedure",
    "create_question_review",
    "create_researcher",
    "create_troubleshooter",
    "open_benchmark_context",
    "open_index",
    "open_research_context",
    "open_review_context",
]

_HOMES = {
    "SopIndex": "apps.sop_index",
    "build_benchmark": "apps.benchmark_run",
    "create_benchmark_builder": "graphs.benchmark",
    "create_guided_run": "graphs.flow",
    "create_knowledge_builder": "graphs.knowledge",
    "create_procedure": "graphs.procedure",
    "create_question_review": "graphs.review",
    "create_researcher": "graphs.deepsearch",
    "create_troubleshooter": "graphs.troubleshoot",
    "open_benchmark_context": "apps.graph_contexts",
    "open_index": "apps.sop_index",
    "open_research_context": "apps.graph_contexts",
    "open_review_context": "apps.graph_contexts",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'tools.errors')}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
