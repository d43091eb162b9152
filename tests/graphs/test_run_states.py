"""What a server keeps of its runs, in a file and in PostgreSQL: the input and the newest state of each."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from soprag.apps.cli.audit import verify_logbook
from soprag.graphs.checkpoints import open_served_checkpoints
from soprag.graphs.flow.state import FlowState
from soprag.graphs.run_states import RunStates, SqliteRunStates
from soprag.graphs.troubleshoot import create_troubleshooter
from soprag.graphs.troubleshoot.state import TroubleshootState
from soprag.tools.errors import StorageError
from soprag.tools.protocols import ExpertResult
from soprag.tools.store.postgres_record import PostgresRecord
from soprag.tools.store.session_database import SessionDatabase
from tests.graphs.plant import Plant
from tests.graphs.test_troubleshoot import FINISH, Tool, action
from tests.postgres import new_schema
from tests.scripting import scripted

STATES = (TroubleshootState, FlowState)


def question(text: str) -> dict[str, Any]:
    return {"messages": [HumanMessage(text)]}


def run(number: int, thread: str = "t") -> Any:
    return {"configurable": {"thread_id": thread}, "metadata": {"run_id": f"r{number}"}}


@pytest.fixture
def database(server: str) -> SessionDatabase:
    return SessionDatabase.of(new_schema(server))


@pytest.fixture(params=["sqlite", "postgres"])
async def saver(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[RunStates]:
    place = tmp_path / "served.sqlite" if request.param == "sqlite" else request.getfixturevalue("database")
    async with open_served_checkpoints(place, *STATES) as opened:
        yield opened


async def test_of_each_run_its_input_and_its_newest_state_are_kept(saver: RunStates, plant: Plant) -> None:
    graph = create_troubleshooter(context=plant.crew(scripted()), checkpointer=saver)
    for number in (1, 2):
        await graph.ainvoke(question("coolant pump P-101 tripped"), run(number))
    kept = [found async for found in saver.alist(run(1))]
    assert [(found.metadata["run_id"], found.metadata["source"]) for found in reversed(kept)] == [
        *[("r1", "input"), ("r1", "loop")],
        *[("r2", "input"), ("r2", "loop")],
    ]
    assert len((await graph.aget_state(run(2))).values["messages"]) == 4


async def test_on_a_full_disk_a_turn_fails_with_advice_and_the_thread_goes_on_later(
    tmp_path: Path, plant: Plant
) -> None:
    async with open_served_checkpoints(tmp_path / "served.sqlite", *STATES) as saver:
        assert isinstance(saver, SqliteRunStates)
        graph = create_troubleshooter(context=plant.crew(scripted()), checkpointer=saver)
        await graph.ainvoke(question("coolant pump P-101 tripped"), run(1))
        await saver.conn.execute("PRAGMA max_page_count = 1")  # no page more than there are
        with pytest.raises(StorageError, match="free some space"):
            await graph.ainvoke(question("coolant pump P-101 tripped " * 1000), run(2))
        await saver.conn.execute("PRAGMA max_page_count = 100000")
        state = await graph.ainvoke(question("coolant pump P-101 tripped"), run(3))
    assert [message.type for message in state["messages"]][-2:] == ["human", "ai"]


async def test_a_call_that_waits_is_approved_after_the_server_began_anew(
    request: pytest.FixtureRequest, plant: Plant, database: SessionDatabase
) -> None:
    tool = Tool([ExpertResult(output={"value": 4.5}, text="It is blue.")])
    crew = plant.crew(scripted({"plan": [action("lookup", wish="x"), FINISH]}), [tool], approved=["lookup"])
    for decide in (False, True):
        async with open_served_checkpoints(database, *STATES) as saver:
            talk = plant.talk(crew, saver=saver)
            await (talk.decide({"type": "approve"}) if decide else talk.say("look it up"))
    assert len(tool.done) == 1


async def test_the_checkpoints_of_a_run_that_is_rolled_back_go(saver: RunStates, plant: Plant) -> None:
    graph = create_troubleshooter(context=plant.crew(scripted()), checkpointer=saver)
    for number in (1, 2):
        await graph.ainvoke(question("coolant pump P-101 tripped"), run(number))
    await saver.adelete_for_runs(["r2"])
    assert {found.metadata["run_id"] async for found in saver.alist(run(1))} == {"r1"}
    assert len((await graph.aget_state(run(3))).values["messages"]) == 2


async def test_no_value_stays_that_no_checkpoint_has(plant: Plant, database: SessionDatabase) -> None:
    async with open_served_checkpoints(database, *STATES) as saver:
        graph = create_troubleshooter(context=plant.crew(scripted()), checkpointer=saver)
        for number in (1, 2, 3):
            await graph.ainvoke(question("coolant pump P-101 tripped"), run(number))
    with database.transaction() as db:
        orphans = db.execute(
            "SELECT channel, version FROM checkpoint_blobs blob WHERE NOT EXISTS (SELECT FROM checkpoints kept "
            "WHERE kept.thread_id = blob.thread_id AND kept.checkpoint -> 'channel_versions' ->> channel = version)"
        ).fetchall()
        [values] = db.execute("SELECT count(*) FROM checkpoint_blobs").fetchone() or [0]
    assert (orphans, values > 0) == ([], True)


async def test_threads_are_worked_on_at_the_same_time(plant: Plant, database: SessionDatabase) -> None:
    async with open_served_checkpoints(database, *STATES) as saver:
        graph = create_troubleshooter(context=plant.crew(scripted()), checkpointer=saver)
        asked = (graph.ainvoke(question("coolant pump P-101 tripped"), run(n, f"t{n}")) for n in range(12))
        answers = await asyncio.gather(*asked)
    assert all("V-12" in answer["messages"][-1].text for answer in answers)


async def test_many_processes_make_the_tables_at_once(database: SessionDatabase) -> None:
    async def begin() -> None:
        async with open_served_checkpoints(SessionDatabase(database.url), *STATES):
            pass

    await asyncio.gather(*(begin() for _ in range(4)))


async def test_tables_are_made_while_somebody_reads_in_the_same_database(
    database: SessionDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    monkeypatch.setattr("soprag.tools.store.session_database.WAIT", 0.2)
    with psycopg.connect(database.url.address) as other:
        other.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        other.execute("SELECT count(*) FROM pg_class")

        async def read() -> None:
            await asyncio.sleep(1.5)
            other.rollback()

        reading = asyncio.create_task(read())
        async with open_served_checkpoints(SessionDatabase(database.url), *STATES):
            assert reading.done()  # it was waited for
        await reading


async def test_the_record_of_a_server_is_verified_against_its_state(plant: Plant, database: SessionDatabase) -> None:
    async with open_served_checkpoints(database, *STATES) as saver:
        crew = plant.crew(scripted()).model_copy(update={"record": lambda thread: PostgresRecord(database, thread)})
        graph = create_troubleshooter(context=crew, checkpointer=saver)
        await graph.ainvoke(question("coolant pump P-101 tripped"), run(1))
    url = f"{database.url.address}&schema={database.url.schema}"
    verdict = await asyncio.to_thread(verify_logbook, "t", url)
    assert (verdict.sound, verdict.notices) == (True, ())
    assert not plant.sessions.exists()
    with database.transaction() as db:
        db.execute("UPDATE record_line SET line = replace(line::text, 'a', 'b')::bytea WHERE start = 0")
    assert not (await asyncio.to_thread(verify_logbook, "t", url)).sound
