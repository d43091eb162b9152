"""A moved index gives the answers of the one that it was moved from; a killed move is gone on with."""

import itertools
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from soprag.tools.errors import StorageError, UsageError
from soprag.tools.retriever.index import moving
from soprag.tools.retriever.index.moving import MovedTable
from tests import postgres
from tests.tools.retriever.conftest import Places
from tests.tools.retriever.test_index import add, answers, opened, written


@pytest.fixture
def other(place: str | Path, tmp_path: Path, request: pytest.FixtureRequest) -> str | Path:
    """A place in the database that `place` is not in."""
    return tmp_path / "other" if isinstance(place, str) else postgres.new_schema(request.getfixturevalue("server"))


def test_the_copy_in_the_other_database_answers_alike_and_goes_on(place: str | Path, other: str | Path) -> None:
    source = opened(place)
    add(source, written(*range(12)))
    source.remove(["sop-000003"])
    add(source, written(4, version=2))
    moved = {table.table: table.rows for table in source.move(other)}
    assert (moved["sop"], moved["element"], moved["history"]) == (11, 11, 14)
    copy = opened(other)
    assert answers(copy) == answers(source)
    assert (copy.listing(), copy.history("sop-000004")) == (source.listing(), source.history("sop-000004"))
    for index in (source, copy):
        add(index, written(20, 21))
    assert answers(copy) == answers(source)
    assert copy.verify() == []


def test_a_place_with_procedures_is_refused(places: Places) -> None:
    source, target = opened(places("source")), opened(places("target"))
    add(source, written(1))
    add(target, written(2))
    with pytest.raises(UsageError, match="name an empty place"):
        source.move(places("target"))
    assert [line.id for line in target.listing()] == ["sop-000002"]


def test_a_copy_that_differs_is_not_kept(place: str | Path, other: str | Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, seen = opened(place), list[int]()
    add(source, written(1, 2))

    def different(db: object) -> list[MovedTable]:
        seen.append(1)
        return [MovedTable(table="gist", rows=len(seen), digest="")]

    with monkeypatch.context() as patch:
        patch.setattr(moving, "_fingerprints", different)
        with pytest.raises(StorageError, match="differs in gist"):
            source.move(other)
    assert opened(other).size == 0
    source.move(other)
    assert opened(other).size == 2


@pytest.mark.parametrize(
    ("function", "call", "left"), [("insert", 2, 5), ("insert", 9, 3), ("_merged", 2, 0), ("_fingerprints", 2, 0)]
)
def test_a_killed_copy_is_gone_on_with_and_is_no_index_before(
    place: str | Path, other: str | Path, function: str, call: int, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "_SOPS", 2)
    monkeypatch.setattr(moving, "_POSTINGS", 100)
    source = opened(place)
    add(source, written(*range(9)))
    source.close()
    killed_at(function, call, place, other)
    with pytest.raises(StorageError, match="is not finished; the same `soprag index move` goes on"):
        opened(other)
    noted: list[str] = []
    source.move(other, noted.append)
    assert sum("of 9 SOPs" in standing for standing in noted) == left  # of the five batches of nine SOPs
    assert answers(opened(other)) == answers(source)
    assert opened(other).verify() == []


def test_what_changed_since_a_killed_copy_is_copied_anew(
    place: str | Path, other: str | Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "_SOPS", 2)
    source = opened(place)
    add(source, written(*range(9)))
    source.close()
    killed_at("insert", 9, place, other)
    source.remove(["sop-000001"])
    add(source, written(20))
    source.move(other)
    assert answers(opened(other)) == answers(source)
    assert opened(other).verify() == []


def killed_at(function: str, call: int, place: str | Path, other: str | Path) -> None:
    """Move in a process that is killed when it calls a function of `moving` for that time."""
    child = os.fork()
    if not child:
        counted, work = itertools.count(1), getattr(moving, function)

        def work_or_die(*what: Any) -> Any:
            if next(counted) == call:
                os.kill(os.getpid(), signal.SIGKILL)
            return work(*what)

        setattr(moving, function, work_or_die)
        opened(place).move(other)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
