"""What a person reads when searching the web goes wrong, the exit code, and where the key may be found after it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from apps import compose
from apps.cli import soprag
from benchmarks.miniweb.endpoint import Endpoint
from benchmarks.miniweb.ground import Entry
from benchmarks.miniweb.index import Index
from tests.words import WordEmbedder
from tools.errors import SopragError

QUESTION = "How is a pump started?"
Research = Callable[[str], Result]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(Index([Entry("http://127.0.0.1:9/pump", "Pump start", "Open the valve of the pump.")])) as running:
        yield running


@pytest.fixture
def research(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Research:
    """`soprag research` with a key, and every search answered by the loopback service."""
    changes = {"BASE_URL": endpoint.url, "TIMEOUT": "0.5", "RETRIES": "0", "CACHE_HOURS": "0"}
    for name, value in changes.items():
        monkeypatch.setenv(f"SOPRAG_SEARCH__{name}", value)
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("SERPAPI_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(compose, "open_embedder", lambda settings: WordEmbedder())

    def run(key: str) -> Result:
        monkeypatch.setenv("SERPAPI_API_KEY", key)
        words = ["research", QUESTION, "--search", "serpapi", "--model", "rules", "--out", str(tmp_path / "run")]
        return CliRunner().invoke(soprag, words, catch_exceptions=True)

    return run


@pytest.mark.parametrize(
    ("key", "fault", "told"),
    [
        ("", "", ("SERPAPI_API_KEY", 3)),
        ("wrong-key-0123456789", "", ("does not know this key", 3)),
        ("deleted", "", ("refuses this account", 3)),
        ("empty", "", ("used up", None)),
        ("throttled", "", ("too often", None)),
        ("right", "__503__", ("couldn't get valid results", None)),
        ("right", "__broken__", ("not JSON", None)),
        ("right", "__slow__", ("no answer in 0.5 s", None)),
        ("right", "__empty__", ("Nothing was found", 4)),
    ],
)
def test_every_fault_of_the_search_service_is_told(
    research: Research, endpoint: Endpoint, tmp_path: Path, key: str, fault: str, told: tuple[str, int | None]
) -> None:
    words, code = told
    endpoint.fault = fault
    secret = endpoint.key if key == "right" else key
    done = research(secret)
    assert isinstance(done.exception, SopragError), done.exception
    assert words in str(done.exception)
    assert done.exception.exit_code in ((code,) if code else (4, 6))
    if len(secret) > 10:
        files = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
        assert not any(secret.encode() in data for data in (*files, done.output.encode(), str(done.exception).encode()))
