"""Where a function over a whole document runs: in a thread of this process, or in a process that can be killed."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class FunctionRunner(Protocol):
    """Runs pure functions whose arguments and results pydantic can write as JSON."""

    async def run(self, function: Callable[..., Result], *arguments: Any, document: str) -> Result:  # noqa: ANN401
        """The result of `function(*arguments)`; `document` is the name of the document that errors give.

        Raises `DocumentError` when the function needs more time or memory than the runner allows.
        """
        ...


class ThreadRunner:
    """Runs functions in a thread of this process, without limits: for tests, and for text that was written here."""

    async def run(self, function: Callable[..., Result], *arguments: Any, document: str) -> Result:  # noqa: ANN401
        """The result of `function(*arguments)`."""
        return await asyncio.to_thread(function, *arguments)
