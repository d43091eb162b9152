"""Functions over text that run in a parser process, under its limits: a job that names the function, and its answer.

The function must be importable by name and annotated: its arguments and its result cross the pipe as JSON.
"""

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter

from soprag.tools.parsing.jobs import FunctionJob, ParseLimits

Result = TypeVar("Result")


def function_job(function: Callable[..., Any], arguments: tuple[Any, ...], limits: ParseLimits) -> FunctionJob:
    """The job that calls `function` with these arguments."""
    hints = [get_type_hints(function)[name] for name in inspect.signature(function).parameters]
    written = [TypeAdapter(hint).dump_json(value).decode() for hint, value in zip(hints, arguments, strict=True)]
    return FunctionJob(
        function=f"{function.__module__}:{function.__qualname__}", arguments=tuple(written), limits=limits
    )


def call_function(job: FunctionJob) -> str:
    """The function's result as JSON."""
    module, _, name = job.function.partition(":")
    function = getattr(import_module(module), name)
    hints = get_type_hints(function)
    parameters = [hints[name] for name in inspect.signature(function).parameters]
    arguments = [TypeAdapter(hint).validate_json(text) for hint, text in zip(parameters, job.arguments, strict=True)]
    return TypeAdapter(hints["return"]).dump_json(function(*arguments)).decode()


def read_result(function: Callable[..., Result], text: str) -> Result:
    """The result that `call_function` wrote."""
    result: Result = TypeAdapter(get_type_hints(function)["return"]).validate_json(text)
    return result
