"""The graph under `langgraph dev`, as LangGraph Studio runs it: on loopback, through its SDK, without a key."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

from tests.documents import write_memo, write_procedure
from tests.reviewed_run import finished_run
from tests.servers import DEV, ROOT, running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a running `langgraph dev`."""
    variables = {
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "SOPRAG_RUN__FOLDER": str(tmp_path / "runs"),
        "SOPRAG_RUN__CACHE": str(tmp_path / "cache"),
    }
    with running(DEV, variables, ROOT, tmp_path / "server.log") as address:
        yield address


@pytest.mark.slow
async def test_the_server_shows_what_each_graph_takes_gives_and_can_be_told(server: str) -> None:
    async with get_client(url=server) as client:
        assistants = await client.assistants.search(limit=10)
        schemas = {one["graph_id"]: await client.assistants.get_schemas(one["assistant_id"]) for one in assistants}
    assert set(schemas) == {"benchmark", "deepsearch", "flow", "knowledge", "procedure", "review", "troubleshoot"}
    for schema in schemas.values():
        for part in ("input_schema", "output_schema", "config_schema", "context_schema"):
            fields = dict(schema)[part]["properties"]
            assert fields and all(about.get("description") for about in fields.values()), (schema["graph_id"], part)


@pytest.mark.slow
async def test_a_client_reads_the_words_of_an_error(server: str, tmp_path: Path) -> None:
    request = {"topic": "Pumps", "source": str(tmp_path / "nowhere")}
    async with get_client(url=server) as client:
        parts = [part async for part in client.runs.stream(None, "benchmark", input=request)]
    assert parts[-1].event == "error" and "There is no folder" in parts[-1].data["message"]


@pytest.mark.slow
async def test_a_run_streams_its_nodes(server: str, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    write_procedure(documents, 1)
    write_memo(documents)
    nodes, last = [], None
    request = {"topic": "Pumps", "source": str(documents)}
    async with get_client(url=server) as client:
        thread = await client.threads.create()
        async for part in client.runs.stream(
            thread["thread_id"], "benchmark", input=request, stream_mode=["updates", "values"]
        ):
            assert part.event != "error", (part.data, (tmp_path / "server.log").read_text()[-3000:])
            if part.event == "updates":
                nodes += list(part.data)
            elif part.event == "values":
                last = part.data
    assert nodes == [
        "collect",
        "archive",
        "archive",
        "merge",
        "audit",
        "audit",
        "sample",
        "examine",
        "measure",
        "publish",
    ]
    assert last is not None and (last["summary"]["sops"], last["summary"]["rejected"]) == (1, 1)
    assert (Path(last["run"]) / "benchmark" / "queries.jsonl").stat().st_size > 0


@pytest.mark.slow
async def test_a_review_interrupts_for_every_question_and_publishes(server: str, tmp_path: Path) -> None:
    run = finished_run(tmp_path / "run", sops=1)
    async with get_client(url=server) as client:
        thread = (await client.threads.create())["thread_id"]
        context = {"reviewer": "ana"}
        await client.runs.wait(thread, "review", input={"run": str(run.path)}, context=context)
        for kind, message in (("approve", ""), ("reject", "unclear"), ("approve", "")):
            [waiting] = (await client.threads.get_state(thread))["interrupts"]
            assert waiting["value"]["action_requests"][0]["name"] == "review_question"
            resume: Any = {"resume": {"decisions": [{"type": kind, "message": message}]}}
            result: Any = await client.runs.wait(thread, "review", command=resume, context=context)
    assert (result["review"]["accepted"], result["review"]["rejected"], result["review"]["published"]) == (2, 1, 2)
    assert len((run.path / "benchmark" / "queries.jsonl").read_text().splitlines()) == 2
