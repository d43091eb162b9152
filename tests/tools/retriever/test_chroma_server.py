"""Chroma as a server by URL: the real one, on loopback, that goes away and comes back."""

import logging
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from soprag.tools.retriever.index.anchors import Anchor
from soprag.tools.retriever.index.index import Index
from tests.tools.retriever.test_index import EMBEDDER, QUESTIONS, add, opened, written

CHROMA = Path(sys.executable).with_name("chroma")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMA.is_file(), reason="Chroma's command line is not installed"),
]


@contextmanager
def server(folder: Path, port: int) -> Iterator[None]:
    """`chroma run` over a folder, ended on leaving."""
    with (folder.with_suffix(".log")).open("wb") as said:
        command = [str(CHROMA), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
    try:
        wait_for(port, process)
        yield
    finally:
        process.terminate()
        process.wait()


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("chroma run did not start to listen")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def found(index: Index) -> list[list[str]]:
    anchors: tuple[Anchor, ...] = ("gist", "passage")
    vectors = EMBEDDER.embed(QUESTIONS)
    return [[id for id, _ in index.nearest(vector, 10, by)] for by in anchors for vector in vectors]


def test_a_server_answers_like_exact_search_is_done_without_and_caught_up_with(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    port = free_port()
    remote = {"exact_below": 0, "chroma_url": f"http://127.0.0.1:{port}"}
    exact, index = opened(tmp_path / "exact"), opened(tmp_path / "remote", **remote)
    with server(tmp_path / "kept", port):
        for one in (exact, index):
            add(one, written(*range(40)))
            one.remove(["sop-000003"])
        assert found(index) == found(exact)
        assert all(one._near is not None for one in index._nearest.values() if one.anchor in index.settings.anchors)
        assert index.verify() == []
    assert not (tmp_path / "remote" / "chroma").exists()
    with caplog.at_level(logging.WARNING):
        assert found(index) == found(exact)
    assert "searched exactly" in caplog.text
    for one in (exact, index):
        add(one, written(*range(40, 50)))
        one.remove(["sop-000007"])
    assert found(index) == found(exact)
    index.close()
    with server(tmp_path / "kept", port):
        index = opened(tmp_path / "remote", **remote)
        assert found(index) == found(exact)
        assert all(one._near is not None for one in index._nearest.values() if one.anchor in index.settings.anchors)
        assert index.verify() == []
    index.close()
    exact.close()
