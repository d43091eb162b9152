"""The knowledge graph: quoted facts, exact deletion, and that order and history cannot be seen in it."""

import random
from pathlib import Path

import pytest

from soprag.benchmarks.synthetic import HashEmbedder
from soprag.configs.settings import load
from soprag.tools.embedding import Vectors
from soprag.tools.errors import StorageError
from soprag.tools.knowledge import lookup
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.quotes import stands_in
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.verify import verify
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.retriever.index.index import Index
from soprag.tools.tasks.knowledge import KnowledgeAnswer, Triple
from tests.tools.knowledge.plant import (
    LAYOUT,
    PUMP,
    READER,
    TANK,
    add,
    add_sops,
    document,
    follow,
    open_plant,
    sop,
    truth,
)

NOTES = [
    document(f"note-{number}", f"# Note {number}\n\nThe pump P-{number} feeds the tank T-{number % 3}. "
             f"The tank T-{number % 3} is located in Hall {number % 2}.\n")
    for number in range(8)
]  # fmt: skip


def test_the_facts_of_an_sop_ride_on_its_views_and_quote_lines_that_hold_both_names(tmp_path: Path) -> None:
    index, library = open_plant(tmp_path, sop("pump", PUMP), sop("tank", TANK))
    assert follow(library, index) == ["added", "added"]
    facts = lookup.facts_of(library, lookup.group_of(library, "V-7"))
    assert {(fact.document, fact.relation, fact.quote) for fact in facts} == {
        ("pump", "close", "1. Close the suction valve V-7."),
        ("tank", "check", "2. Check the suction valve V-7."),
    }
    assert all(stands_in(fact.subject.text, fact.quote) and stands_in(fact.object.text, fact.quote) for fact in facts)
    assert verify(library.database) == []


def test_sops_that_have_not_changed_are_neither_read_nor_embedded_again(tmp_path: Path) -> None:
    index, library = open_plant(tmp_path, sop("pump", PUMP))
    follow(library, index)
    library.embedder = _Refusing(64)
    assert follow(library, index) == []


def test_a_document_that_has_not_changed_is_neither_read_nor_embedded_again(tmp_path: Path) -> None:
    _, library = open_plant(tmp_path)
    assert add(library, document("layout", LAYOUT)) == ["added"]
    library.embedder = _Refusing(64)
    assert add(library, document("layout", LAYOUT)) == ["unchanged"]


def test_removing_an_sop_from_the_index_removes_its_facts_by_cascade(tmp_path: Path) -> None:
    index, library = open_plant(tmp_path, sop("pump", PUMP), sop("tank", TANK))
    follow(library, index)
    index.remove(["pump"])
    assert [entry.id for entry in library.documents()] == ["tank"]
    assert verify(library.database) == []
    index.remove(["tank"])
    assert all(rows == [] for rows in truth(library).values())


def test_a_changed_sop_is_read_again_from_its_new_views(tmp_path: Path) -> None:
    index, library = open_plant(tmp_path, sop("pump", PUMP))
    follow(library, index)
    add_sops(index, sop("pump", PUMP.replace("V-7", "V-8")))
    follow(library, index)
    _, fresh = open_plant(tmp_path / "fresh", sop("pump", PUMP.replace("V-7", "V-8")))
    follow(fresh, _index_of(tmp_path / "fresh"))
    assert truth(library) == truth(fresh)


def test_adding_and_removing_in_any_order_gives_the_same_truth(tmp_path: Path) -> None:
    _, expected = open_plant(tmp_path / "expected")
    add(expected, *NOTES[:5])
    for seed in range(6):
        chance = random.Random(seed)
        _, library = open_plant(tmp_path / str(seed))
        pending = list(NOTES)
        chance.shuffle(pending)
        for entry in pending:
            add(library, entry)
            if chance.random() < 0.5:
                library.remove([chance.choice(NOTES).id])
        library.remove([entry.id for entry in NOTES[5:]])
        add(library, *NOTES[:5])
        assert truth(library) == truth(expected)
        assert verify(library.database) == []
        library.remove([entry.id for entry in NOTES])
        assert all(rows == [] for rows in truth(library).values())


def test_a_fact_whose_lines_do_not_hold_both_names_is_dropped_and_counted(tmp_path: Path) -> None:
    answer = KnowledgeAnswer(
        triples=[
            Triple(subject="P-101", relation="feeds", object="HX-2", start=3, end=3),
            Triple(subject="P-101", relation="feeds", object="HX-9", start=3, end=3),
            Triple(subject="P-101", relation="feeds", object="HX-2", start=1, end=1),
        ]
    )
    _, library = open_plant(tmp_path)
    llm = ScriptedLlm(script={"knowledge": answer})
    reader = DocumentReader(llm, READER.limits)
    assert reader.calls(document("layout", LAYOUT)) == 1
    assert add(library, document("layout", LAYOUT), reader=reader) == ["added"]
    [listed] = library.documents()
    assert (listed.facts, listed.dropped) == (1, 2)


def test_tables_rows_and_images_are_artefacts(tmp_path: Path) -> None:
    _, library = open_plant(tmp_path)
    add(library, document("layout", LAYOUT))
    kinds = {(kind, name, properties) for _, kind, _, _, name, properties, _ in truth(library)["artefacts"]}
    assert ("row", "T-4", '{"Tag": "T-4", "Volume": "3 m3"}') in kinds
    assert {"table", "row", "image"} == {kind for kind, *_ in kinds}


class _Refusing(HashEmbedder):
    def embed(self, texts: list[str]) -> Vectors:
        raise AssertionError(f"embedded {texts}")


def _index_of(folder: Path) -> Index:
    return Index.open(folder, HashEmbedder(64), load(environment={}).index)


def test_a_graph_of_another_version_is_made_again_unless_it_holds_more_than_sops(tmp_path: Path) -> None:
    index, library = open_plant(tmp_path, sop("pump", PUMP))
    follow(library, index)
    before = truth(library)
    _outdate(library)
    library = KnowledgeLibrary.open(index, 0.85)
    assert follow(library, index) == ["added"] and truth(library) == before
    add(library, document("layout", LAYOUT))
    _outdate(library)
    with pytest.raises(StorageError, match="add the documents"):
        KnowledgeLibrary.open(index, 0.85)


def _outdate(library: KnowledgeLibrary) -> None:
    with library.database.transaction() as db:
        db.execute("UPDATE meta SET value = '1' WHERE key = 'knowledge'")
