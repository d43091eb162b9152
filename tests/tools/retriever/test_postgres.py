"""An index in PostgreSQL: what its URL tells, what goes wrong with a server, and pgvector."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from soprag.apps.compose.settings import open_settings, recorded_settings
from soprag.tools.errors import StorageError, UsageError
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.retriever.index.places import lasting_name, open_store
from soprag.tools.store.postgres_url import read_url
from tests import postgres
from tests.tools.retriever.test_index import EMBEDDER, QUESTIONS, add, opened, written


@pytest.fixture
def url(server: str) -> str:
    return postgres.new_schema(server)


def test_a_password_is_not_in_the_name() -> None:
    url = read_url("postgresql://plant:secret@db:5433/sops?password=secret&sslmode=require&schema=pumps")
    assert url.name == "postgresql://plant@db:5433/sops?sslmode=require&schema=pumps"
    assert url.address == "postgresql://plant:secret@db:5433/sops?password=secret&sslmode=require"
    assert lasting_name("postgresql://plant:secret@db/sops") == "postgresql://plant@db/sops?schema=soprag"


@pytest.mark.parametrize("wrong", ["plant:sec#ret@db/sops", "plant:sec@ret@db/sops", "plant:secret/x@db/sops"])
def test_a_password_in_a_wrong_place_is_not_repeated(wrong: str) -> None:
    with pytest.raises(UsageError) as raised:
        open_store(f"postgresql://{wrong}", create=False)
    assert "ret" not in str(raised.value)


def test_a_server_that_does_not_answer_is_named_without_the_password() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StorageError, match="check that the server runs") as raised:
        open_store("postgresql://plant:secret@127.0.0.1:1/sops", create=True)
    assert "plant@127.0.0.1:1" in str(raised.value)
    assert "secret" not in str(raised.value)


def test_what_is_no_index_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="soprag index add"):
        open_store(url, create=False)
    with opened(url).database.transaction() as db:
        db.execute("UPDATE meta SET value = '3' WHERE key = 'schema'")
    with pytest.raises(StorageError, match="version 3 of the tables"):
        opened(url)
    with opened(f"{url}_b").database.transaction() as db:
        db.execute("DROP TABLE posting")
    with pytest.raises(StorageError, match="version unknown"):
        opened(f"{url}_b")


def test_an_account_that_may_not_add_pgvector_is_told_who_may(server: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE ROLE plain LOGIN")
        connection.execute("CREATE DATABASE plain OWNER plain")
    with pytest.raises(StorageError, match="a superuser enables it with CREATE EXTENSION vector"):
        opened(server.replace("postgres@/postgres", "plain@/plain"))


def test_a_writer_that_waits_too_long_says_so(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soprag.tools.retriever.index.postgres_store.WAIT", 0.1)
    index, other = opened(url), opened(url)
    with other.database.transaction(), pytest.raises(StorageError, match="another process"):
        index.remove(["x"])


def test_a_lost_connection_is_made_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soprag.tools.store.postgres_pool._FRESH", 0.0)
    index, other = opened(url), opened(url)
    add(index, written(1))
    with other.database.autocommit() as db:
        db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    assert [line.id for line in index.listing()] == ["sop-000001"]


def test_a_connection_that_is_lost_within_a_transaction_says_so(url: str) -> None:
    index, other = opened(url), opened(url)
    with pytest.raises(StorageError, match="check that the server runs"), index.database.transaction() as db:
        (mine,) = db.execute("SELECT pg_backend_pid()").fetchone()
        with other.database.autocommit() as elsewhere:
            elsewhere.execute("SELECT pg_terminate_backend(?, 5000)", (mine,))
        db.execute("SELECT 1")
    assert index.listing() == []


def test_more_threads_than_connections_wait_for_one_another(url: str) -> None:
    index = opened(f"{url}&application_name=few", connections=2)
    add(index, written(*range(5)))
    vector = EMBEDDER.embed(["attach"])[0]
    with ThreadPoolExecutor(12) as threads:
        found = list(threads.map(lambda _: index.nearest(vector, 3), range(60)))
    assert all(one == found[0] for one in found)
    with opened(url).database.autocommit() as db:
        (kept,) = db.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'few'").fetchone()
    assert kept == 2
    index.close()


def test_writers_commit_one_after_the_other(url: str) -> None:
    first, second, entered = opened(url), opened(url), threading.Event()

    def write() -> None:
        with second.database.transaction():
            entered.set()

    with first.database.transaction():
        other = threading.Thread(target=write)
        other.start()
        assert not entered.wait(0.3)
    other.join(10)
    assert entered.is_set()
    second.close()


def test_postings_are_merged(url: str) -> None:
    index = opened(url)
    for number in range(12):
        add(index, written(number))
    with index.database.reading() as db:
        (most,) = db.execute(
            "SELECT max(parts) FROM (SELECT count(*) AS parts FROM posting GROUP BY id) AS x"
        ).fetchone()
    assert most <= 4
    assert index.verify() == []


def test_pgvector_answers_like_exact_search_also_when_it_lags_or_lacks(url: str, server: str) -> None:
    exact, approximate = opened(postgres.new_schema(server)), opened(url, exact_below=0)
    reader = opened(url, exact_below=0)
    for index in (exact, approximate):
        add(index, written(*range(30)))
    reader.nearest(EMBEDDER.embed(["attach"])[0], 3)
    for index in (exact, approximate):
        index.remove(["sop-000003"])
        add(index, written(*range(30, 40)))
        add(index, written(5, version=1))
    vectors = EMBEDDER.embed(QUESTIONS)
    for by in ("gist", "passage"):
        want = [exact.nearest(vector, 10, by) for vector in vectors]  # type: ignore[arg-type]
        for index in (approximate, reader):
            found = [index.nearest(vector, 10, by) for vector in vectors]  # type: ignore[arg-type]
            assert [[id for id, _ in one] for one in found] == [[id for id, _ in one] for one in want]
            scores = [[[score for _, score in one] for one in each] for each in (found, want)]
            assert np.allclose(*scores, atol=1e-6)
    assert approximate.verify() == []
    with approximate.database.transaction() as db:
        db.execute("DELETE FROM near_gist WHERE number IN (7, 8)")
    assert "lacks 2 SOPs" in approximate.verify()[0]


def test_the_knowledge_graph_needs_a_folder(url: str) -> None:
    with pytest.raises(UsageError, match="kept in folders only"):
        KnowledgeLibrary.open(opened(url), 0.9)


def test_a_run_records_no_password() -> None:
    settings = open_settings("offline", {"index": {"folder": "postgresql://plant:secret@db/sops"}})
    assert recorded_settings(settings)["index"]["folder"] == "postgresql://plant@db/sops?schema=soprag"
