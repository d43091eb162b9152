"""A session whose procedure was edited while it was closed."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from soprag.apps.compose import guided_run, services
from soprag.apps.compose.index import extraction
from soprag.apps.terminal.conversation import Room, TerminalChat
from soprag.apps.terminal.dialogue import Dialogue
from soprag.apps.terminal.library import Library
from soprag.apps.terminal.sessions import Sessions
from soprag.tools.retriever.index.index import Index
from soprag.tools.retriever.query.retriever import Retriever
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.store.logbook import Logbook
from tests.apps.terminal.desk import Tape, card
from tests.graphs.plant import PUMP, Plant, fill
from tests.tools.rules.reading import sop


@pytest.fixture
def plant(tmp_path: Path) -> Iterator[Plant]:
    """An index of its own, since the tests change it."""
    settings = fill(tmp_path)
    index = Index.open(Path(settings.index.folder), services.open_embedder(settings), settings.index, create=False)
    yield Plant(settings, tmp_path, index, asyncio.run(guided_run.open_guide(settings, index, tmp_path)))
    index.close()


async def session(plant: Plant, saver: InMemorySaver, folder: Path, *typed: str) -> Tape:
    tape, sessions = Tape(typed), Sessions(folder / "windows")
    dialogue = Dialogue(plant.talk(saver=saver).graph, "one")
    library = Library(Retriever.open(plant.index, RulesLlm(), plant.settings.retriever))
    folder_of_session = sessions.new(card())
    room = Room(folder_of_session, sessions, dialogue, library, tape, tape, Logbook(folder_of_session.logbook))
    await TerminalChat(room).run()
    return tape


async def test_an_edit_is_announced_before_anything_of_the_old_edition_is_shown(plant: Plant, tmp_path: Path) -> None:
    saver = InMemorySaver()
    await session(plant, saver, tmp_path, "guide me through restarting the coolant pump P-101", "ack")
    edited = sop(PUMP.replace("Close the discharge valve V-12", "Close both valves"), "Restart the coolant pump P-101")
    changed = edited.model_copy(update={"id": "pump"})
    async for _ in plant.index.add([changed], extraction(plant.settings, RulesLlm())):
        pass
    tape = await session(plant, saver, tmp_path, "yes", "ack")
    announced = tape.text.index("was changed since this session was left")
    assert "V-12" not in tape.text and announced < tape.text.index("Close both valves")


async def test_a_session_of_an_unchanged_procedure_goes_on_at_its_step(plant: Plant, tmp_path: Path) -> None:
    saver = InMemorySaver()
    await session(plant, saver, tmp_path, "guide me through restarting the coolant pump P-101", "ack")
    tape = await session(plant, saver, tmp_path)
    assert "was changed" not in tape.text and "Close the discharge valve V-12" in tape.text


async def test_what_is_said_when_a_run_begins_is_said_once(plant: Plant, tmp_path: Path) -> None:
    tape = await session(
        plant, InMemorySaver(), tmp_path, "guide me through resetting the exhaust fan of type A", "ack", "done"
    )
    lines = [line for row in tape.rows for line in row.splitlines() if "not part of the run" in line]
    assert len(lines) == 1
