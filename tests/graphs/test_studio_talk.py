"""The troubleshooter under `langgraph dev`, through its SDK: a question, a guided run, and an approval."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

from tests.graphs.plant import fill
from tests.graphs.test_studio import ROOT, await_ok, free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a `langgraph dev` over the small plant; no key, no model."""
    settings = fill(tmp_path)
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = kept | {
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "SOPRAG_INDEX__FOLDER": settings.index.folder,
        "SOPRAG_CHAT__FOLDER": str(tmp_path / "sessions"),
        "SOPRAG_RUN__CACHE": settings.run.cache,
    }
    port, log = free_port(), tmp_path / "server.log"
    with log.open("w") as written:
        command = [str(Path(sys.executable).with_name("langgraph")), "dev", "--no-browser", "--no-reload"]
        process = subprocess.Popen(
            [*command, "--port", str(port)], cwd=ROOT, env=environment, stdout=written, stderr=written
        )
        try:
            await_ok(f"http://127.0.0.1:{port}", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


class Client:
    """What a generic client does: send a message, or decide on the one action that is asked for."""

    def __init__(self, client: Any, thread: str, log: Path) -> None:
        self.client, self.thread, self.log = client, thread, log

    async def say(self, text: str) -> Any:
        return await self._run(input={"messages": [{"role": "user", "content": text}]})

    async def decide(self, **decision: Any) -> Any:
        return await self._run(command={"resume": {"decisions": [decision]}})

    async def _run(self, **given: Any) -> Any:
        last: Any = {}
        async for part in self.client.runs.stream(self.thread, "troubleshoot", stream_mode=["values"], **given):
            assert part.event != "error", (part.data, self.log.read_text()[-3000:])
            last = part.data if part.event == "values" else last
        state = await self.client.threads.get_state(self.thread)
        waiting = [one["value"] for task in state["tasks"] for one in task["interrupts"]]
        return waiting[0]["action_requests"][0] if waiting else last["messages"][-1]


async def test_a_conversation_with_a_guided_run_and_an_approved_draft(server: str, tmp_path: Path) -> None:
    async with get_client(url=server) as client:
        thread = str((await client.threads.create())["thread_id"])
        talk = Client(client, thread, tmp_path / "server.log")
        answer = await talk.say("coolant pump P-101 tripped on low suction pressure")
        assert "1. Close the discharge valve V-12." in answer["content"]
        assert answer["additional_kwargs"]["soprag"]["answer"]["sop"] == "pump"
        waiting = await talk.say("guide me through it")
        assert waiting["name"] == "warning"
        for _ in range(12):
            reply = {"warning": "ack"}.get(waiting["name"]) or _reply(waiting["args"])
            waiting = await talk.decide(type="respond", message=reply)
            if waiting["name"] == "email":
                break
        assert waiting["name"] == "email", waiting
        args = (
            {**waiting["args"], "to": ["lead@plant.example"]}
            if isinstance(waiting["args"].get("to"), list)
            else waiting["args"]
        )
        await talk.decide(type="edit", edited_action={"name": "email", "args": args})
        assert list((tmp_path / "sessions" / thread / "drafts").glob("*.eml"))
        assert (tmp_path / "sessions" / thread / "logbook.jsonl").is_file()


def _reply(args: dict[str, Any]) -> str:
    if "email" in args["tools"]:
        return "use email"
    if args["kind"] == "decision":
        return "no"
    return "done 2 bar" if args["range"] else "done"
