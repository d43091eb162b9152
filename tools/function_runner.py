"""Where a function over a whole document runs: in a thread of this process, or in a process that can be killed."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from soprag.configs.settings import ParsingSettings

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


class ParserRunner:
    """Runs functions in the parser processes of these settings; the first call imports and starts them."""

    def __init__(self, settings: ParsingSettings, cache: Path | None = None) -> None:
        self._settings = settings
        self._cache = cache

    async def run(self, function: Callable[..., Result], *arguments: Any, document: str) -> Result:  # noqa: ANN401
        """The result of `function(*arguments)`; raises `DocumentError` when time or memory do not suffice."""
        from soprag.tools.parsing import shared_parser

        return await shared_parser(self._settings, self._cache).run(function, *arguments, document=document)
