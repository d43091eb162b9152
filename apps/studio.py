"""The graphs as LangGraph Studio and `langgraph dev` load them: compiled, without a checkpointer of their own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from apps import compose, process, troubleshooting
from graphs.benchmark import Nodes, Request, compile_graph

if TYPE_CHECKING:
    from graphs.troubleshoot import Compiled


def _start(request: Request) -> Path:
    process.prepare()
    profile = compose.choose_profile(None)
    settings = compose.open_settings(profile, {})
    return compose.start_run(request["topic"], request.get("source", ""), profile, settings).path


benchmark = compile_graph(Nodes(compose.studio_workshop, _start))


@asynccontextmanager
async def troubleshoot() -> "AsyncIterator[Compiled]":
    """The troubleshooter on the index that the settings name; it is opened when the graph is first asked for."""
    yield await asyncio.to_thread(troubleshooting.studio_graph)
