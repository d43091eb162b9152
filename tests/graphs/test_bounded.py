"""A conversation may go on for a whole shift: what a turn reads, writes and sends to a model does not grow with it."""

from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.store.logbook import Logbook
from tests.graphs.plant import Plant
from tests.scripting import scripted

ASKED = (
    "coolant pump P-101 tripped",
    "reset the exhaust fan of type B",
    "which wine goes with salmon",
    "show step 2 of it",
)


async def test_state_and_prompts_stay_as_large_as_after_the_first_turns(plant: Plant) -> None:
    llm = scripted()
    talk = plant.talk(plant.crew(llm, remembered=6))
    state, prompt = [], []
    for turn in range(20):
        llm.requests.clear()
        await talk.say(ASKED[turn % len(ASKED)])
        values = await talk.values()
        state.append(len(str(values)))
        prompt.append(max(len(ask.model_dump_json()) for name, ask in llm.requests if name == "plan"))
    assert max(state[12:]) <= max(state[:12]) * 1.05 and max(prompt[12:]) <= max(prompt[:12]) * 1.05
    assert len(values["messages"]) <= 8 and len(values["history"]) <= 16


async def test_the_newest_answers_keep_their_structured_part_and_the_logbook_keeps_everything(plant: Plant) -> None:
    talk = plant.talk(plant.crew(RulesLlm(), remembered=6), "long")
    for turn in range(10):
        await talk.say(f"{ASKED[turn % 2]}, number {turn}")
    answers: list[Any] = [
        one.additional_kwargs["soprag"] for one in (await talk.values())["messages"] if one.type == "ai"
    ]
    assert [one["answer"] is not None for one in answers[-2:]] == [True, True]
    assert not any(one["answer"] for one in answers[:-3])
    entries = Logbook(plant.sessions / "long" / "logbook.jsonl").entries()
    assert sum(entry.kind == "question" for entry in entries) == sum(entry.kind == "answer" for entry in entries) == 10


async def test_steps_are_numbered_through_the_whole_conversation(plant: Plant) -> None:
    talk = plant.talk(saver=InMemorySaver())
    for _ in range(3):
        await talk.say(ASKED[0])
    assert [event.step for event in await talk.history()] == ["s1", "s2", "s3"]
