"""What a person reads when searching the web goes wrong, the exit code, and where the key may be found after it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from soprag.apps.cli.main import soprag
from soprag.apps.compose import services
from soprag.benchmarks.miniweb.endpoint import KEY, Endpoint
from soprag.benchmarks.miniweb.ground import Entry
from soprag.benchmarks.miniweb.index import Index
from soprag.tools.errors import SopragError
from tests.words import WordEmbedder

TOPIC = "starting a pump"
Run = Callable[[str, str], Result]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(Index([Entry("http://127.0.0.1:9/pump", "Pump start", "Open the valve of the pump.")])) as running:
        yield running


@pytest.fixture
def run(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command with a key; every search of it is answered by the loopback service."""
    changes = {"BASE_URL": endpoint.url, "TIMEOUT": "0.5", "RETRIES": "0", "CACHE_HOURS": "0"}
    for name, value in changes.items():
        monkeypatch.setenv(f"SOPRAG_SEARCH__{name}", value)
    monkeypatch.setenv("SOPRAG_RUN__CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("SERPAPI_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(services, "open_embedder", lambda settings: WordEmbedder())

    def invoke(command: str, key: str) -> Result:
        monkeypatch.setenv("SERPAPI_API_KEY", key)
        subject = ["research", TOPIC] if command == "research" else ["build", "--topic", TOPIC]
        words = [*subject, "--search", "serpapi", "--model", "rules", "--out", str(tmp_path / "run")]
        return CliRunner().invoke(soprag, words, catch_exceptions=True)

    return invoke


FAULTS = {
    "no key": ("", "", "SERPAPI_API_KEY", 3),
    "wrong key": ("wrong-key-0123456789", "", "does not know this key", 3),
    "account deleted": ("deleted", "", "refuses this account", 3),
    "no credits": ("empty", "", "used up", 6),
    "too fast": ("throttled", "", "too often", 6),
    "failed": (KEY, "__503__", "couldn't get valid results", 6),
    "broken JSON": (KEY, "__broken__", "not JSON", 6),
    "late": (KEY, "__slow__", "no answer in 0.5 s", 6),
    "no results": (KEY, "__empty__", "gave no procedure", 4),
}


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_of_the_search_service_is_told(run: Run, endpoint: Endpoint, tmp_path: Path, name: str) -> None:
    key, endpoint.fault, words, code = FAULTS[name]
    done = run("build", key)
    assert isinstance(done.exception, SopragError), done.exception
    assert words in str(done.exception)
    assert done.exception.exit_code == code
    assert len(key) < 12 or key not in found_after(done, tmp_path)  # the short ones are words


@pytest.mark.parametrize("name", ["wrong key", "no credits", "broken JSON"])
def test_research_tells_them_too(run: Run, endpoint: Endpoint, tmp_path: Path, name: str) -> None:
    key, endpoint.fault, words, _ = FAULTS[name]
    done = run("research", key)
    assert isinstance(done.exception, SopragError), done.exception
    assert words in str(done.exception)
    assert len(key) < 12 or key not in found_after(done, tmp_path)


def found_after(done: Result, folder: Path) -> str:
    """All that was printed, raised and written."""
    files = "".join(file.read_bytes().decode("latin-1") for file in folder.rglob("*") if file.is_file())
    return done.output + str(done.exception) + files
