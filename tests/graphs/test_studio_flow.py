"""The compiled SOP and the guided run under `langgraph dev`."""

from pathlib import Path

import pytest
from langgraph_sdk import get_client

from tests.graphs.test_studio import server

__all__ = ["server"]


@pytest.mark.slow
async def test_an_sop_can_be_drawn_and_run_in_studio(server: str, tmp_path: Path) -> None:
    async with get_client(url=server) as client:
        assistants = await client.assistants.search(graph_id="procedure")
        drawn = await client.assistants.get_graph(assistants[0]["assistant_id"])
        assert len(drawn["nodes"]) > 5
        thread = await client.threads.create()
        await client.runs.wait(thread["thread_id"], "procedure", input={})
        state = await client.threads.get_state(thread["thread_id"])
        [waiting] = state["interrupts"]
        assert waiting["value"]["action_requests"][0]["name"] in ("step", "warning")
