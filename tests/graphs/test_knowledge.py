"""The knowledge builder reads documents once, goes on after a stop, and spends no more than its budget on summaries."""

import asyncio
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from soprag.graphs.knowledge import KnowledgeContext, create_knowledge_builder
from soprag.graphs.knowledge.context import KnowledgeWork, OpenedWork
from soprag.graphs.knowledge.graph import KnowledgeBuilder
from soprag.tools.errors import DocumentError, NothingFound, StorageError
from soprag.tools.knowledge.communities import Clustering
from soprag.tools.knowledge.records import PendingDocument, SourceDocument
from soprag.tools.knowledge.report import KnowledgeReport
from soprag.tools.knowledge.verify import verify
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.tasks.knowledge import CommunitySummary
from tests.tools.knowledge.plant import LAYOUT, PUMP, READER, TANK, document, open_plant, sop, truth

NOTES = [
    document(f"note-{number}", f"# Note {number}\n\nThe pump P-{number} feeds the tank T-{number}. "
             f"The tank T-{number} feeds the fan F-{number}.\n")
    for number in range(6)
]  # fmt: skip


@dataclass
class Notes:
    """Notes in memory; reading one of `unreadable` fails, and after `most` notes the disk is full."""

    notes: list[SourceDocument] = field(default_factory=lambda: [*NOTES, document("layout", LAYOUT)])
    unreadable: str = ""
    most: int = 1_000
    read_ids: list[str] = field(default_factory=list)

    def find(self, source: str) -> list[PendingDocument]:
        return [PendingDocument(id=note.id, kind="file", source=source) for note in self.notes if source == "notes"]

    async def read(self, found: PendingDocument) -> SourceDocument:
        if found.id == self.unreadable:
            raise DocumentError("It holds no text.")
        if len(self.read_ids) == self.most:
            raise StorageError("The disk is full.")
        self.read_ids.append(found.id)
        return next(note for note in self.notes if note.id == found.id)


def builder(folder: Path, notes: Notes, llm: Any = None, calls: int = 0) -> tuple[KnowledgeBuilder, KnowledgeWork]:
    index, library = open_plant(folder, sop("pump", PUMP), sop("tank", TANK))
    rules = RulesLlm()
    work = KnowledgeWork(library, index, READER, notes, llm or rules, rules, Clustering(1.0, 40), calls, 2)
    return create_knowledge_builder(context=KnowledgeContext(graph=OpenedWork(work))), work


def build(graph: KnowledgeBuilder, **request: Any) -> KnowledgeReport:
    report: KnowledgeReport = asyncio.run(graph.ainvoke(request))["report"]
    return report


def test_without_sources_the_sops_of_the_index_are_read_once(tmp_path: Path) -> None:
    graph, _ = builder(tmp_path, Notes())
    assert build(graph).counts == {"added": 2}
    assert build(graph).counts == {}


def test_names_of_different_documents_are_merged_after_all_were_read(tmp_path: Path) -> None:
    notes = Notes(
        [document("a", "# A\n\nThe Pump P-9 feeds HX-2.\n"), document("b", "# B\n\nThe pump P 9 feeds the tank T-2.\n")]
    )
    graph, work = builder(tmp_path, notes)
    build(graph, sources=["notes"])
    assert any({"Pump P-9", "pump P 9"} <= set(group) for group in work.library.snapshot().groups)


def test_a_document_that_cannot_be_read_costs_no_other_one_its_facts(tmp_path: Path) -> None:
    graph, _ = builder(tmp_path, Notes(unreadable="note-3"))
    report = build(graph, sources=["notes"])
    assert report.counts == {"added": 6, "failed": 1}
    assert [(outcome.sop, outcome.reason) for outcome in report.failed] == [("note-3", "It holds no text.")]


def test_a_source_without_documents_is_an_error(tmp_path: Path) -> None:
    graph, _ = builder(tmp_path, Notes())
    with pytest.raises(NothingFound, match="elsewhere"):
        build(graph, sources=["elsewhere"])


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    stopped, work = builder(tmp_path / "stopped", Notes(most=3))
    with pytest.raises(StorageError):
        build(stopped, sources=["notes"])
    assert verify(work.library.database) == []
    counts = build(builder(tmp_path / "stopped", Notes())[0], sources=["notes"]).counts
    assert counts["unchanged"] in (2, 3) and sum(counts.values()) == 7  # one may have been under way
    whole, expected = builder(tmp_path / "whole", Notes())
    build(whole, sources=["notes"])
    assert truth(work.library) == truth(expected.library)


@pytest.mark.slow
def test_a_process_that_is_killed_loses_no_document_that_it_reported(tmp_path: Path) -> None:
    child = os.fork()
    if not child:
        graph, _ = builder(tmp_path / "killed", Notes())

        async def run() -> None:
            async for part in graph.astream({"sources": ["notes"]}, stream_mode=["custom"], version="v2"):
                if part["data"].get("item") == "note-2":
                    os.kill(os.getpid(), signal.SIGKILL)

        asyncio.run(run())
    os.waitpid(child, 0)
    again, work = builder(tmp_path / "killed", Notes())
    assert verify(work.library.database) == []
    counts = build(again, sources=["notes"]).counts
    assert counts["unchanged"] >= 1 and sum(counts.values()) == 7
    whole, expected = builder(tmp_path / "whole", Notes())
    build(whole, sources=["notes"])
    assert truth(work.library) == truth(expected.library)


def test_an_update_removes_documents_that_are_gone(tmp_path: Path) -> None:
    notes = Notes()
    graph, work = builder(tmp_path, notes)
    build(graph, sources=["notes"])
    del notes.notes[0]
    report = build(graph, update=True)
    assert report.counts == {"added": 2, "removed": 1, "unchanged": 6}
    assert "note-0" not in {entry.id for entry in work.library.documents()}


def test_summaries_beyond_the_budget_are_made_of_quotes(tmp_path: Path) -> None:
    llm = ScriptedLlm(script={"summarise_community": CommunitySummary(text="A pump with its tank.")})
    graph, work = builder(tmp_path, Notes(NOTES), llm, calls=2)
    report = build(graph, sources=["notes"], communities=True)
    assert report.clusters is not None and report.summaries == report.clusters.invalid == 6
    with work.library.database.reading() as db:
        texts = [text for (text,) in db.execute("SELECT text FROM kg_summary")]
    assert texts.count("A pump with its tank.") == 2
    assert build(graph, communities=True).summaries > 0  # of the SOPs, which came in now
    assert build(graph, communities=True).summaries == 0


async def test_its_state_can_be_kept_in_a_checkpoint(tmp_path: Path) -> None:
    _, work = await asyncio.to_thread(builder, tmp_path, Notes())
    context = KnowledgeContext(graph=OpenedWork(work), summary_calls=0)
    graph = create_knowledge_builder(context=context, checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    await graph.ainvoke({"sources": ["notes"]}, config)
    state = (await graph.aget_state(config)).values
    assert len(state["documents"]) == 7 and state["report"].counts == {"added": 7}
