"""The troubleshooter under `langgraph dev`, through its SDK: a question, a guided run, and an approval."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

from tests.graphs.plant import fill
from tests.servers import DEV, ROOT, running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a `langgraph dev` over the small plant; no key, no model."""
    settings = fill(tmp_path)
    variables = {
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "SOPRAG_INDEX__FOLDER": settings.index.folder,
        "SOPRAG_CHAT__FOLDER": str(tmp_path / "sessions"),
        "SOPRAG_RUN__CACHE": settings.run.cache,
    }
    with running(DEV, variables, ROOT, tmp_path / "server.log") as address:
        yield address


class Client:
    """What agent-chat-ui does: send a message, or decide on the card that is shown."""

    def __init__(self, client: Any, thread: str, log: Path) -> None:
        self.client, self.thread, self.log = client, thread, log

    async def say(self, content: Any) -> Any:
        return await self.run(input={"messages": [{"role": "user", "content": content}]})

    async def decide(self, **decision: Any) -> Any:
        return await self.run(command={"resume": {"decisions": [decision]}})

    async def fill(self, card: dict[str, Any], **fields: Any) -> Any:
        """Edit fields of a card; its text areas hold text, so that everything else is sent as JSON."""
        args = {name: value if isinstance(value, str) else json.dumps(value) for name, value in card["args"].items()}
        return await self.decide(type="edit", edited_action={"name": card["name"], "args": {**args, **fields}})

    async def run(self, **given: Any) -> Any:
        last: Any = {}
        async for part in self.client.runs.stream(self.thread, "troubleshoot", stream_mode=["values"], **given):
            assert part.event != "error", (part.data, self.log.read_text()[-3000:])
            last = part.data if part.event == "values" else last
        state = await self.client.threads.get_state(self.thread)
        waiting = [one["value"] for task in state["tasks"] for one in task["interrupts"]]
        return waiting[0]["action_requests"][0] if waiting else last["messages"][-1]

    async def messages(self) -> list[tuple[str, str]]:
        state = await self.client.threads.get_state(self.thread)
        return [(message["type"], str(message["content"])) for message in state["values"]["messages"]]


@pytest.fixture
async def talk(server: str, tmp_path: Path) -> AsyncIterator[Client]:
    async with get_client(url=server) as client:
        yield Client(client, str((await client.threads.create())["thread_id"]), tmp_path / "server.log")


async def test_a_guided_run_is_answered_on_cards_and_by_messages(talk: Client, tmp_path: Path) -> None:
    answer = await talk.say("coolant pump P-101 tripped on low suction pressure")
    assert answer["content"].startswith("### Restart the coolant pump P-101\n")
    assert "> ⚠ **WARNING:** The coupling starts without notice." in answer["content"]
    assert len(await talk.client.threads.get_history(talk.thread, limit=20)) == 2
    card = await talk.say("guide me through it")
    assert (card["name"], list(card["args"])) == ("warning", ["warning", "asked", "reply"])
    card = await talk.decide(type="reject", message="not now")
    assert (card["name"], card["args"]["asked"][:31]) == ("warning", "Problem: The warnings were refu")
    card = await talk.decide(type="approve")
    assert (card["name"], card["args"]["step"]) == ("step", "Close the discharge valve V-12.")
    card = await talk.say("done")
    assert "between 1.5 and 3.0 bar" in card["args"]["step"]
    card = await talk.decide(type="reject", message="2 bar")
    assert "gives no reading" in card["args"]["asked"]
    card = await talk.fill(card, reply="9 bar")
    assert "outside" in card["args"]["asked"]
    card = await talk.say("2 bar")
    assert card["args"]["step"].startswith("Is the strainer dirty?")
    card = await talk.fill(card, reply="no")
    card = await talk.decide(type="approve")
    card = await talk.say("use email")
    assert card["name"] == "email"
    card = await talk.say("yes")
    assert "came as a message" in card["description"]
    assert (await talk.messages())[-1][0] == "ai"  # agent-chat-ui draws a card below such a message only
    await talk.fill(card, subject="P-101 runs again")
    [draft] = (tmp_path / "sessions" / talk.thread / "drafts").glob("*.eml")
    assert "Subject: P-101 runs again" in draft.read_text()
    story = await talk.messages()
    assert ("human", "9 bar") in story and ("human", "approve") in story
    assert any(text.startswith("#### Step 5 of 6 ·") for _, text in story)


async def test_what_a_client_can_do_besides_passes_no_step(talk: Client) -> None:
    await talk.say("coolant pump P-101 tripped on low suction pressure")
    await talk.say("guide me through it")
    resolved = await talk.run(command={"goto": "__end__"})
    assert resolved["name"] == "warning"  # "Mark as resolved" leaves the run where it is; `stop` ends it
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 3000}}
    asked = await talk.say([{"type": "text", "text": "what does step 4 mean?"}, picture])
    assert asked["name"] == "warning"
    said = [text for kind, text in await talk.messages() if kind == "human"][-1]
    assert said.startswith("what does step 4 mean?") and "was not read" in said and len(said) < 200
    await talk.say("stop")
    assert "was stopped" in (await talk.messages())[-1][1]


@pytest.mark.parametrize("strategy", ["enqueue", "interrupt", "rollback"])
async def test_a_second_message_within_half_a_second(talk: Client, strategy: Any) -> None:
    runs, first, second = talk.client.runs, "coolant pump P-101 tripped", "how do I reset the exhaust fan of type B?"
    send = {"assistant_id": "troubleshoot", "multitask_strategy": strategy}
    await runs.create(talk.thread, input={"messages": [{"role": "user", "content": first}]}, **send)
    await asyncio.sleep(0.2)
    await runs.wait(talk.thread, input={"messages": [{"role": "user", "content": second}]}, **send)
    said = [text for kind, text in await talk.messages() if kind == "human"]
    assert said[-1] == second and (said[0] == first or strategy != "enqueue")  # the other two replace the first
    assert "exhaust fan, type B" in (await talk.messages())[-1][1]
