"""DeepSearch under `langgraph dev`: a run on the embedded library, with its subtasks as tasks of their own."""

from pathlib import Path

import pytest
from langgraph_sdk import get_client

from tests.graphs.test_studio import server

__all__ = ["server"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(480)]


async def test_a_question_becomes_a_report(server: str, tmp_path: Path) -> None:
    nodes, last = [], None
    request = {"question": "How is the biocide dosing of a cooling tower done, and why is it needed?"}
    async with get_client(url=server) as client:
        thread = await client.threads.create()
        async for part in client.runs.stream(
            thread["thread_id"], "deepsearch", input=request, stream_mode=["updates", "values"]
        ):
            assert part.event != "error", (part.data, (tmp_path / "server.log").read_text()[-3000:])
            if part.event == "updates":
                nodes += list(part.data)
            elif part.event == "values":
                last = part.data
    order = list(dict.fromkeys(nodes))
    assert order == ["plan", "investigate", "write", "judge", "decide", "publish"]
    assert last is not None and last["report"]["parts"]
    assert (Path(last["run"]) / "report" / "report.html").stat().st_size > 0
