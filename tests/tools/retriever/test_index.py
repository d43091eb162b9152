"""The index: what it keeps, what it gives back, and that order and history cannot be seen in its answers."""

import asyncio
import logging
import random
import shutil
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from soprag.benchmarks.synthetic import HashEmbedder, Plant
from soprag.configs.settings import IndexSettings, load
from soprag.tools.embedding import Vectors
from soprag.tools.errors import ConfigError, StorageError, UsageError
from soprag.tools.retriever.index.card_sheet import describe
from soprag.tools.retriever.index.index import Extraction, Index, IngestOutcome
from soprag.tools.sop import Card, CausalView, EntityView, FlowGraph, Sop, Span, Views
from soprag.tools.text.terms import terms
from tests.tools.retriever.conftest import Places

PLANT = Plant(vocabulary=300, steps=5)
EMBEDDER = HashEmbedder(64)
QUESTIONS = [PLANT.question(number) for number in range(8)]


class CountingEmbedder(HashEmbedder):
    """Counts the texts it is given."""

    texts = 0

    def embed(self, texts: list[str]) -> Vectors:
        CountingEmbedder.texts += len(texts)
        return super().embed(texts)


def written(*numbers: int, version: int = 0) -> list[Sop]:
    return [PLANT.write(number, version)[0] for number in numbers]


async def views_of(sop: Sop) -> Views:
    return PLANT.write(int(sop.id[-6:]), int(sop.body[-2]) if "Revision" in sop.body else 0)[1]


EXTRACTION = Extraction("1", views_of)


def settings(**changes: object) -> IndexSettings:
    return load(environment={}).index.model_copy(update=changes)


def opened(place: str | Path, **changes: object) -> Index:
    return Index.open(place, EMBEDDER, settings(**changes))


def add(
    index: Index, sops: Iterable[Sop], extraction: Extraction = EXTRACTION, source: str = ""
) -> list[IngestOutcome]:
    async def collect() -> list[IngestOutcome]:
        return [outcome async for outcome in index.add(sops, extraction, source)]

    return asyncio.run(collect())


def events(outcomes: list[IngestOutcome]) -> list[str]:
    return [outcome.event for outcome in outcomes]


def answers(index: Index) -> list[object]:
    """Everything a ranking could see: neighbours, full text, frequencies and elements."""
    seen: list[object] = []
    for question in QUESTIONS:
        found = index.nearest(EMBEDDER.embed([question])[0], 10)
        ids = [id for id, _ in found]
        seen += [
            found,
            index.nearest(EMBEDDER.embed([question])[0], 5, "passage"),
            index.full_text(terms(question), 10),
            index.frequencies(terms(question)),
        ]
        seen += [(item.texts, item.vectors.tobytes(), item.terms) for item in index.elements(ids)]
    return [*seen, index.size, index.mean_length]


def content(index: Index) -> dict[str, int]:
    keys = {"sop": "number", "gist": "number", "element": "number", "posting": "id"}
    queries = {table: f"SELECT count(DISTINCT {key}) FROM {table}" for table, key in keys.items()}
    with index.database.reading() as db:
        return {table: db.execute(query).fetchone()[0] for table, query in queries.items()}


def test_a_procedure_is_given_back_as_it_was_added(place: str | Path) -> None:
    index = opened(place)
    sop, views = PLANT.write(3)
    assert events(add(index, [sop])) == ["added"]
    assert index.sop(sop.id) == sop
    assert index.views(sop.id) == views.model_copy(update={"sheet": describe(sop, views)})
    (elements,) = index.elements([sop.id])
    assert elements.texts[elements.rows("step")] == tuple(step.text for step in views.flow.steps)
    assert elements.texts[elements.rows("state")] == tuple(state.text for state in views.causal.states)
    assert elements.vectors.shape == (1 + len(elements.texts[elements.rows("passage")]), 64)
    assert elements.terms[0] == frozenset(terms(elements.texts[0]))
    assert index.verify() == []


def test_the_nearest_card_and_the_best_full_text_are_found(place: str | Path) -> None:
    index = opened(place)
    sops = written(*range(30))
    add(index, sops)
    for sop in sops[:5]:
        card = index.elements([sop.id])[0].texts[0]
        assert index.nearest(EMBEDDER.embed([card])[0], 3, "card")[0][0] == sop.id
        assert index.full_text(terms(sop.body), 3)[0][0] == sop.id


def test_unchanged_content_costs_no_extraction_and_no_embedding(place: str | Path) -> None:
    calls = []

    async def extract(sop: Sop) -> Views:
        calls.append(sop.id)
        return await views_of(sop)

    index = Index.open(place, CountingEmbedder(64), settings())
    add(index, written(*range(5)), Extraction("1", extract))
    before = (len(calls), CountingEmbedder.texts)
    assert events(add(index, written(*range(5)), Extraction("1", extract))) == ["unchanged"] * 5
    assert (len(calls), CountingEmbedder.texts) == before
    assert events(add(index, written(*range(5)), Extraction("2", extract))) == ["updated"] * 5


def test_a_changed_procedure_replaces_only_itself_and_its_history_tells(place: str | Path) -> None:
    index = opened(place)
    add(index, written(*range(4)))
    assert events(add(index, [*written(0, 1, 2), *written(3, version=2)])) == ["unchanged"] * 3 + ["updated"]
    assert "Revision 2" in index.sop("sop-000003").body
    assert [line.version for line in index.listing()] == [1, 1, 1, 2]
    index.remove(["sop-000003"])
    assert [event.event for event in index.history("sop-000003")] == ["added", "updated", "removed"]


@pytest.mark.parametrize("seed", range(3))
def test_answers_are_those_of_a_fresh_index_of_the_same_procedures(places: Places, seed: int) -> None:
    chance = random.Random(seed)
    lived, fresh = opened(places("lived")), opened(places("fresh"))
    final: dict[int, int] = {}
    for _ in range(40):
        number, version = chance.randrange(25), chance.randrange(4)
        if chance.random() < 0.3:
            lived.remove([f"sop-{number:06}"])
            final.pop(number, None)
        else:
            add(lived, written(number, version=version))
            final[number] = version
    add(fresh, [written(number, version=version)[0] for number, version in sorted(final.items(), reverse=True)])
    assert answers(lived) == answers(fresh)
    assert content(lived) == content(fresh)
    assert lived.verify() == fresh.verify() == []


def test_removing_is_the_exact_inverse_of_adding(place: str | Path) -> None:
    index = opened(place)
    add(index, written(*range(10)))
    before, seen = content(index), answers(index)
    add(index, written(*range(10, 20)))
    index.remove([sop.id for sop in written(*range(10, 20))])
    assert (content(index), answers(index)) == (before, seen)
    index.remove([sop.id for sop in written(*range(10))])
    assert set(content(index).values()) == {0}


def test_what_one_process_writes_an_open_index_of_another_sees(place: str | Path) -> None:
    reader, writer = opened(place), opened(place)
    add(writer, written(1))
    vector = EMBEDDER.embed([written(1)[0].title])[0]
    assert [id for id, _ in reader.nearest(vector, 5)] == ["sop-000001"]
    add(writer, written(2))
    writer.remove(["sop-000001"])
    assert [id for id, _ in reader.nearest(vector, 5)] == ["sop-000002"]
    assert reader.elements(["sop-000001"]) == []


def test_a_failed_extraction_costs_the_others_nothing(place: str | Path, caplog: pytest.LogCaptureFixture) -> None:
    async def extract(sop: Sop) -> Views:
        if sop.id == "sop-000001":
            raise ValueError("no steps")
        return await views_of(sop)

    index = opened(place)
    with caplog.at_level(logging.CRITICAL):
        outcomes = add(index, written(0, 1, 2), Extraction("1", extract))
    assert sorted(events(outcomes)) == ["added", "added", "failed"]
    assert [outcome.reason for outcome in outcomes if outcome.event == "failed"] == ["no steps"]
    assert index.size == 2


def test_an_id_of_another_source_is_not_overwritten(place: str | Path) -> None:
    index = opened(place)
    add(index, written(1), source="/plant/a")
    (outcome,) = add(index, written(1, version=1), source="/plant/b")
    assert outcome.event == "failed"
    assert "/plant/a" in outcome.reason
    assert index.sop("sop-000001") == written(1)[0]


def test_another_embedding_model_is_refused_until_everything_is_embedded_anew(place: str | Path) -> None:
    index = opened(place)
    add(index, written(*range(5)))
    before = index.listing()
    other = Index.open(place, HashEmbedder(32, name="other"), settings())
    with pytest.raises(ConfigError, match="reembed"):
        other.nearest(np.zeros(32, np.float32), 3)
    with pytest.raises(ConfigError, match="reembed"):
        add(other, written(6))
    assert other.reembed() == 5
    assert other.elements(["sop-000001"])[0].vectors.shape[1] == 32
    assert other.listing() == before
    assert other.verify() == []
    vector = HashEmbedder(32).embed([written(1)[0].title])[0]
    assert other.nearest(vector, 1)[0][0] == "sop-000001"


def test_strange_procedures_are_indexed_like_any_other(place: str | Path) -> None:
    def strange(id: str, title: str, body: str) -> Sop:
        return Sop(id=id, title=title, text=body, document="d", span=Span(start=1, end=body.count("\n") + 1))

    async def only_card(sop: Sop) -> Views:
        card = Card(title=sop.title, abstract="")
        return Views(card=card, entity=EntityView(), causal=CausalView(), flow=FlowGraph())

    long = "\n".join(f"{at}. Turn valve V-{at} by {at % 7} turns" for at in range(5000))
    sops = [
        strange("line", "x", "Stop."),
        strange("empty", "", ""),
        strange("long", "Long", long),
        strange("control", "a\x00b\x1b[31m", "\x00\x01\x02 \x1b]0;title\x07 stop\r\n\ud7ff"),
        strange("huge", "pump " * 20_000, "Stop."),
        strange("quotes", 'NEAR("a" b) OR * ^', "'; DROP TABLE sop; --"),
        strange("other", "冷却水ポンプの停止", "バルブを閉じる。"),
    ]
    index = opened(place)
    assert set(events(add(index, sops, Extraction("1", only_card)))) == {"added"}
    assert index.verify() == []
    assert [index.sop(sop.id) for sop in sops] == sops
    for question in ("", 'NEAR("a" b) OR * ^', "\x00", "冷却水", "valve " * 10_000, "'; DROP TABLE sop; --"):
        index.full_text(terms(question), 5)
        index.nearest(EMBEDDER.embed([question])[0], 5)
    assert index.full_text(terms("valve V-4711"), 1)[0][0] == "long"
    assert index.full_text(terms("冷却水"), 1)[0][0] == "other"


def test_what_is_no_index_is_refused_with_advice(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StorageError, match="damaged or no index"):
        opened(tmp_path)
    with pytest.raises(UsageError, match="soprag index add"):
        Index.open(tmp_path / "nowhere", EMBEDDER, settings(), create=False)


def test_verify_names_what_is_missing(place: str | Path) -> None:
    index = opened(place)
    add(index, written(1, 2))
    with index.database.transaction() as db:
        db.execute("DELETE FROM gist WHERE number = 1")
        db.execute("DELETE FROM posting WHERE id = (SELECT min(id) FROM posting)")
    findings = " ".join(index.verify())
    assert "1 SOPs without gist" in findings
    assert "in the full text" in findings


@pytest.mark.slow
def test_chroma_answers_like_exact_search_and_is_mended_when_it_was_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    exact, approximate = opened(tmp_path / "exact"), opened(tmp_path / "chroma", exact_below=0)
    for index in (exact, approximate):
        add(index, written(*range(40)))
        index.remove(["sop-000003"])
        add(index, written(5, version=1))

    def same() -> bool:
        vectors = EMBEDDER.embed(QUESTIONS)
        found = [[index.nearest(vector, 10) for vector in vectors] for index in (exact, approximate)]
        exactly, nearly = ([np.array([score for _, score in one]) for one in each] for each in found)
        ids = [[[id for id, _ in one] for one in each] for each in found]
        return ids[0] == ids[1] and bool(np.allclose(exactly, nearly, atol=1e-3))

    assert same()
    assert approximate.verify() == []
    chroma = approximate._nearest["gist"]._near
    assert chroma is not None
    chroma._collection.delete(where={"sop": {"$in": [7, 8]}})
    assert "lacks 2" in approximate.verify()[0]
    approximate.close()
    approximate = opened(tmp_path / "chroma", exact_below=0)
    assert same()
    assert approximate.verify() == []
    approximate.close()
    # Elsewhere, because Chroma keeps what it has opened once in this process.
    shutil.copytree(tmp_path / "chroma", tmp_path / "moved", ignore=shutil.ignore_patterns("chroma"))
    (tmp_path / "moved" / "chroma").write_text("no folder")
    approximate = opened(tmp_path / "moved", exact_below=0)
    with caplog.at_level(logging.WARNING):
        assert same()
    assert "searched exactly" in caplog.text


def test_a_locked_index_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soprag.tools.retriever.index.sqlite_store.WAIT", 0.1)
    index = opened(tmp_path)
    other = sqlite3.connect(tmp_path / "index.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="another process"):
        index.remove(["x"])
    other.close()


def test_chroma_that_lags_behind_gives_right_answers_and_catches_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = opened(tmp_path, exact_below=0), opened(tmp_path, exact_below=0)
    add(writer, written(*range(10)))
    reader.nearest(EMBEDDER.embed(["open Chroma"])[0], 3)
    add(writer, written(*range(10, 20)))
    writer.remove(["sop-000004"])
    fresh = opened(tmp_path / "fresh")
    add(fresh, [sop for sop in written(*range(20)) if sop.id != "sop-000004"])
    vectors = EMBEDDER.embed(QUESTIONS)
    for most in (5000, 3):
        monkeypatch.setattr("soprag.tools.retriever.index.nearest._TAIL", most)
        found = [[[id for id, _ in index.nearest(vector, 8)] for vector in vectors] for index in (reader, fresh)]
        assert found[0] == found[1]
