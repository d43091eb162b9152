"""`soprag build` on a web without a key: a SearXNG instance and pages of the example library, all on this machine."""

import json
import mimetypes
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

from soprag.apps.cli.main import soprag
from soprag.benchmarks.miniweb.ground import Entry
from soprag.benchmarks.miniweb.index import Index
from soprag.benchmarks.miniweb.reply import Reply, Request
from soprag.benchmarks.miniweb.server import NOWHERE, Site

pytestmark = [pytest.mark.slow, pytest.mark.timeout(480)]

LIBRARY = Path(__file__).parents[2] / "examples" / "library"
PAGES = {".md", ".html"}


class Web:
    """Every file of the library, on each page links to those of its topic, and a search service for the pages."""

    def __init__(self) -> None:
        self.files = {f"/{file.parent.name}/{file.name}": file for file in sorted(LIBRARY.glob("*/*.*"))}
        self.queries: list[str] = []

    def opened(self, address: str) -> None:
        """The search service knows the pages, and of the other files none."""
        pages = {path: file.read_text("utf-8") for path, file in self.files.items() if file.suffix in PAGES}
        self.index = Index(
            [Entry(f"{address}{path}", Path(path).stem.replace("-", " "), text) for path, text in pages.items()]
        )

    def answer(self, request: Request) -> Reply:
        """A page or a file, or results in SearXNG's form; Wikipedia knows nothing."""
        if request.path == "/search":
            return self._results(request)
        if request.path.startswith("/w/rest.php"):
            return Reply(b'{"pages": []}', "application/json")
        file = self.files.get(request.path)
        if file is None:
            return NOWHERE
        if file.suffix not in PAGES:
            return Reply(file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream")
        text = file.read_text("utf-8")
        body = text if file.suffix == ".html" else f"<main>{MarkdownIt().enable('table').render(text)}</main>"
        beside = (path for path, other in self.files.items() if other.parent == file.parent)
        links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in beside)
        return Reply(f"{body}<nav><ul>{links}</ul></nav>".encode(), "text/html; charset=utf-8")

    def _results(self, request: Request) -> Reply:
        asked = {name: values[-1] for name, values in parse_qs(request.query).items()}
        self.queries.append(asked["q"])
        start = 10 * (int(asked.get("pageno", "1")) - 1)
        found = self.index.search(asked["q"])[start : start + 10]
        rows = [{"url": hit.url, "title": hit.title, "content": hit.snippet, "engine": "own"} for hit in found]
        return Reply(json.dumps({"query": asked["q"], "results": rows}).encode(), "application/json")


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    web = Web()
    with Site(web.answer) as site:
        address = f"http://127.0.0.1:{site.port}"
        web.opened(address)
        changes = {
            "SEARCH__SEARXNG_URL": address, "SEARCH__WIKIPEDIA_URL": address, "SEARCH__STACK_EXCHANGE": "",
            "SEARCH__KEYLESS_PAUSE": "0", "WEB__ALLOW": '["127.0.0.1"]', "WEB__DELAY": "0",
        }  # fmt: skip
        for name, value in changes.items():
            monkeypatch.setenv(f"SOPRAG_{name}", value)
        for name in ("SERPAPI_API_KEY", "SERPAPI_KEY", "OPENAI_API_KEY"):
            monkeypatch.delenv(name, raising=False)
        yield web


def test_a_newcomer_builds_a_benchmark_from_the_web_without_a_key(web: Web, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ["build", "--topic", "Liquid cooling", "--search", "keyless", "--model", "rules", "--out", str(run)]
    done = CliRunner().invoke(soprag, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "by search without a key: at most" in done.output and "paid" not in done.output.split("Run ")[0]
    documents = [json.loads(file.read_text())["provenance"]["url"] for file in (run / "documents").iterdir()]
    kept = [Path(url).stem for url in documents if "/liquid-cooling/" in url]
    assert len(kept) >= 8, kept
    assert not {"cooling-meeting-minutes", "liquid-cooling-glossary", "coolant-vendor-comparison"} & set(kept)
    assert len((run / "benchmark" / "queries.jsonl").read_text().splitlines()) >= len(kept)
    assert "liquid cooling" in " ".join(web.queries).lower()
