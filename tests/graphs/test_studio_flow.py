"""The compiled SOP and the guided run under `langgraph dev`."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from tests.graphs.test_studio import server

__all__ = ["server"]


@pytest.mark.slow
async def test_an_sop_can_be_drawn_and_run_in_studio(server: str, tmp_path: Path) -> None:
    async with get_client(url=server) as client:
        assistants = await client.assistants.search(graph_id="procedure")
        drawn = await client.assistants.get_graph(assistants[0]["assistant_id"])
        assert len(drawn["nodes"]) > 5
        thread = await client.threads.create()
        await client.runs.create(thread["thread_id"], "procedure", input={})
        [waiting] = await _interrupts(client, thread["thread_id"])
        assert waiting["value"]["action_requests"][0]["name"] in ("step", "warning")


async def _interrupts(client: LangGraphClient, thread: str) -> list[Any]:
    """The questions in which a run waits, once the server has written them down."""
    for _ in range(240):
        if (await client.threads.get(thread))["status"] != "busy":
            state = await client.threads.get_state(thread)
            if state["interrupts"]:
                return list(state["interrupts"])
        await asyncio.sleep(0.5)
    runs = await client.runs.list(thread)
    raise AssertionError(f"no question after two minutes; runs: {[run['status'] for run in runs]}")
