"""`soprag index add` on workers: the same index, and files that give no SOP named as ever."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from soprag.apps.cli.index import IndexCall, _ingest
from soprag.apps.compose.index import open_index
from soprag.apps.compose.ingest import IndexReport, IngestPlan
from tests.documents import write_memo, write_procedure


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(2):
        write_procedure(folder, number)
    write_memo(folder)
    (folder / "empty.pdf").write_bytes(b"")
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    return folder


def add(documents: Path, folder: Path, scheduler: str | None = None) -> IndexReport:
    call = IndexCall(folder=str(folder), profile="offline", quiet=True, scheduler=scheduler)
    return _ingest(call, [str(documents)], IngestPlan())


@pytest.mark.slow
def test_workers_make_the_same_index(documents: Path, tmp_path: Path, scheduler: str) -> None:
    folders = [tmp_path / "alone", tmp_path / "shared"]
    reports = [add(documents, folders[0]), add(documents, folders[1], scheduler)]
    assert reports[0].counts == reports[1].counts == {"added": 2}
    assert reports[0].unread == reports[1].unread
    assert len(reports[1].unread) == 2
    call = IndexCall(profile="offline")
    settings = [call.settings(index={"folder": str(folder)}) for folder in folders]
    with closing(open_index(settings[0])) as alone, closing(open_index(settings[1])) as shared:
        ids = [listed.id for listed in alone.listing()]
        assert [listed.id for listed in shared.listing()] == ids
        assert shared.verify() == []
        for id in ids:
            assert shared.content(id).views == alone.content(id).views
        for one, other in zip(alone.elements(ids), shared.elements(ids), strict=True):
            assert one.texts == other.texts
            assert np.array_equal(one.vectors, other.vectors)
    assert add(documents, folders[1], scheduler).counts == {"unchanged": 2}
