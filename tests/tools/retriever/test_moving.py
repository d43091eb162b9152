"""A moved index gives the answers of the one that it was moved from; an interrupted move leaves nothing."""

from pathlib import Path

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


def test_a_copy_that_differs_or_is_interrupted_is_not_kept(
    place: str | Path, other: str | Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, seen = opened(place), list[int]()
    add(source, written(1, 2))

    def different(db: object) -> list[MovedTable]:
        seen.append(1)
        return [MovedTable(table="gist", rows=len(seen), digest="")]

    def interrupted(db: object) -> list[MovedTable]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(moving, "_fingerprints", different)
        with pytest.raises(StorageError, match="differs in gist"):
            source.move(other)
        patch.setattr(moving, "_fingerprints", interrupted)
        with pytest.raises(KeyboardInterrupt):
            source.move(other)
    assert opened(other).size == 0
    source.move(other)
    assert opened(other).size == 2
