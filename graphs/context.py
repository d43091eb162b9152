"""How collaborators reach the nodes of a graph: by LangGraph's `Runtime.context`, with a default per graph.

Every graph declares a `RunContext` as its `context_schema`. A caller in this process passes one with `context=`; a
caller that passes none gets the default the graph was compiled with; a client of `langgraph dev` can send JSON only, so
it sets single fields, and the other ones come from the same default.
"""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast, get_type_hints

from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field, SkipValidation, create_model
from pydantic.json_schema import SkipJsonSchema

from soprag.tools.errors import UsageError

T = TypeVar("T")
Context = TypeVar("Context", bound="RunContext")
Node = TypeVar("Node", bound=Callable[..., Any])

Collaborator = SkipJsonSchema[SkipValidation[T]]
"""A field for an object of this process: no client can send it, and no JSON schema shows it."""


class RunContext(BaseModel):
    """The base of all contexts; fields that are no `Collaborator` are what a client may set."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True, extra="ignore")


def schema_of(context: type[Context], default: Context | None) -> type[Context]:
    """The `context_schema` of a graph: the class itself, or one whose fields default to those of `default`."""
    if default is None:
        return context
    hints = get_type_hints(context, include_extras=True)
    fields: dict[str, Any] = {
        name: (
            hints[name],
            Field(default_factory=lambda name=name: getattr(default, name), description=info.description),
        )
        for name, info in type(default).model_fields.items()
        if name in hints
    }
    return create_model(context.__name__, __base__=context, **fields)


def with_default(node: Node, default: RunContext | None) -> Node:
    """`node` with `default` as its context in runs that bring none; without a default such a run is a `UsageError`."""

    def prepared(runtime: Runtime[Any]) -> Runtime[Any]:
        if runtime.context is not None:
            return runtime
        if default is None:
            raise UsageError("This graph was compiled without a default context; pass one with context=...")
        return runtime.override(context=default)

    if inspect.iscoroutinefunction(node):

        @wraps(node)
        async def run_async(*args: Any, runtime: Runtime[Any], **options: Any) -> Any:  # noqa: ANN401 - as the node
            return await node(*args, runtime=prepared(runtime), **options)

        return cast(Node, run_async)

    @wraps(node)
    def run(*args: Any, runtime: Runtime[Any], **options: Any) -> Any:  # noqa: ANN401 - as the node
        return node(*args, runtime=prepared(runtime), **options)

    return cast(Node, run)


def thread_of(runtime: Runtime[Any]) -> str:
    """The id of the thread a node works on; empty where the caller named none."""
    return (runtime.execution_info.thread_id if runtime.execution_info else None) or ""
